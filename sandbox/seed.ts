import { pick, seededRandom } from './random';
import type { ApiKey, Plan } from './records';
import type { Store } from './records/store';
import type { SandboxService } from './service';
import { nextRun } from './time/cron';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** The prefix of every demo key. */
export const demoKeyPrefix = 'sandbox_demo_';

/** Adds the workspace and the demo keys, one for each plan. The keys are always the same. */
export function seedKeys(store: Store): Record<Plan, ApiKey> {
  store.addWorkspace('Blue Door Bakery');
  const demoKey = (plan: Plan, name: string) =>
    store.addKey({ name, plan, key: demoKeyPrefix + plan });
  return {
    creator: demoKey('creator', 'Demo, no API access'),
    pro: demoKey('pro', 'Demo, small quota'),
    business: demoKey('business', 'Demo, team'),
    agency: demoKey('agency', 'Demo, large quota'),
  };
}

const topics = [
  'Fresh sourdough, straight from the oven.',
  'Our cinnamon rolls are back for the season.',
  'Meet Nora, who bakes while you sleep.',
  'New: gluten-free brownies on Saturdays.',
  'Thank you for 1,000 followers! 🎉',
  'Which bread should we bake next?',
  'Behind the blue door: a look at our kitchen.',
  'Rainy day? Hot chocolate is on us.',
];

/**
 * Adds accounts, sixty days of published posts, four scheduled posts and three agents to a
 * workspace. IDs and figures are always the same. Times are relative to `now`.
 */
export function seedWorkspace(service: SandboxService, workspaceId: number, now: Date): void {
  const { store, publisher, agentRunner } = service;
  for (const [platform, platformUsername, isActive] of [
    ['instagram', 'bluedoorbakery', true],
    ['x', 'bluedoorbakes', true],
    ['linkedin', 'blue-door-bakery', true],
    ['facebook', 'BlueDoorBakery', true],
    ['mastodon', 'bluedoor@bakers.example', true],
    ['tiktok', 'bluedoorbakery', false],
  ] as const) {
    store.addAccount({
      workspaceId,
      platform,
      platformUsername,
      displayName: 'Blue Door Bakery',
      isActive,
    });
  }
  const active = store.accountsOf(workspaceId).filter((account) => account.isActive);

  const random = seededRandom(7);
  for (let daysAgo = 60; daysAgo >= 1; daysAgo -= 1.5) {
    const publishedAt = new Date(now.getTime() - daysAgo * day);
    const count = 1 + Math.floor(random() * 3);
    const first = Math.floor(random() * active.length);
    const accounts = Array.from({ length: count }, (_, n) => active[(first + n) % active.length]);
    const content = pick(topics, random);
    const post = store.addPost({
      workspaceId,
      status: 'published',
      scheduledAt: publishedAt.toISOString(),
      createdAt: new Date(publishedAt.getTime() - 20 * hour).toISOString(),
      variants: accounts.flatMap((account) =>
        account ? [{ socialAccountId: account.id, content }] : [],
      ),
    });
    for (const variant of post.variants) {
      const account = store.account(variant.socialAccountId);
      if (account) publisher.addPlatformPost(post, variant, account, publishedAt);
    }
  }

  for (const [index, daysAhead] of [1, 2, 4, 7].entries()) {
    const post = store.addPost({
      workspaceId,
      status: 'scheduled',
      scheduledAt: new Date(now.getTime() + daysAhead * day).toISOString(),
      variants: [{ socialAccountId: 1 + index, content: pick(topics, random) }],
    });
    publisher.schedule(post);
  }

  for (const [name, type, schedule, isActive] of [
    ['Morning Ideas', 'content', '0 6 * * 1-5', true],
    ['Friendly Replies', 'engagement', '*/30 8-18 * * *', true],
    ['Keyword Scout', 'seo', '0 3 * * 0', false],
  ] as const) {
    const config = { targetPlatforms: ['instagram', 'x'], aiProvider: 'openai' };
    const nextRunAt = nextRun(schedule, now)?.toISOString() ?? '';
    const agent = store.addAgent({
      workspaceId,
      name,
      type,
      schedule,
      isActive,
      nextRunAt,
      config,
    });
    agent.lastRunAt = new Date(now.getTime() - day).toISOString();
    agentRunner.schedule(agent);
  }
}
