import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

import type { PlatformPost } from '../records';
import type { SandboxService } from '../service';
import { findWorkspace, parseQuery, queryInteger } from './validation';

const day = 24 * 60 * 60 * 1000;

const query = z.object({
  workspaceId: queryInteger(1),
  period: z
    .string()
    .regex(/^[1-9]\d{0,3}d$/, 'must be a number of days followed by d, such as 30d')
    .default('30d'),
});

/** GET {base_url}/analytics. */
export function analyticsRoutes(app: FastifyInstance, { store }: SandboxService) {
  app.get('/analytics', (request) => {
    const { workspaceId, period } = parseQuery(query, request.query);
    findWorkspace(store, workspaceId);
    const platformPosts = store.platformPosts.filter((one) => one.workspaceId === workspaceId);
    return { analytics: summarize(platformPosts, Number.parseInt(period, 10), new Date()) };
  });
}

/**
 * The analytics of the last `days` (docs/service.md, "Analytics record"). `totalPosts` counts posts,
 * `platformBreakdown` variants. `publishedThisWeek` is the calendar week from Monday in UTC, whatever
 * the period. `engagementRate` is in percent with two decimals. `topPlatform` has the most
 * impressions.
 */
export function summarize(platformPosts: PlatformPost[], days: number, now: Date) {
  const from = now.getTime() - days * day;
  const within = platformPosts.filter((one) => Date.parse(one.publishedAt) >= from);
  const monday = startOfWeek(now);
  const thisWeek = platformPosts.filter((one) => Date.parse(one.publishedAt) >= monday);

  const platformBreakdown: Record<string, { posts: number; impressions: number }> = {};
  let totalImpressions = 0;
  let totalEngagements = 0;
  for (const { platform, impressions, engagements } of within) {
    const sums = (platformBreakdown[platform] ??= { posts: 0, impressions: 0 });
    sums.posts += 1;
    sums.impressions += impressions;
    totalImpressions += impressions;
    totalEngagements += engagements;
  }
  const byImpressions = Object.entries(platformBreakdown).sort(
    ([, one], [, other]) => other.impressions - one.impressions,
  );
  const rate = totalImpressions === 0 ? 0 : totalEngagements / totalImpressions;
  return {
    totalPosts: countPosts(within),
    publishedThisWeek: countPosts(thisWeek),
    totalImpressions,
    totalEngagements,
    engagementRate: Math.round(rate * 10_000) / 100,
    topPlatform: byImpressions[0]?.[0] ?? '',
    platformBreakdown,
  };
}

function countPosts(platformPosts: PlatformPost[]): number {
  return new Set(platformPosts.map(({ postId }) => postId)).size;
}

function startOfWeek(time: Date): number {
  const daysSinceMonday = (time.getUTCDay() + 6) % 7;
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - daysSinceMonday);
}
