import { type ApiKey, monthOf, plans } from '../records';

/** The values of the three X-RateLimit headers; `reset` in Unix seconds. */
export interface RateLimit {
  limit: number;
  remaining: number;
  reset: number;
}

/** The start of the next month, in Unix seconds. Every quota is full again then. */
function startOfNextMonth(time: Date): number {
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 1) / 1000;
}

/** How many requests a key has used in the month of `time`. */
export function usedInMonth(key: ApiKey, time: Date): number {
  return key.usage.month === monthOf(time) ? key.usage.used : 0;
}

/**
 * Counts one request toward the quota of a key (docs/service.md, "Quota"). A request beyond the quota
 * isn't allowed and doesn't count.
 */
export function countRequest(key: ApiKey, time: Date): RateLimit & { allowed: boolean } {
  const limit = plans[key.plan].requestsPerMonth;
  const used = usedInMonth(key, time);
  const allowed = used < limit;
  key.usage = { month: monthOf(time), used: allowed ? used + 1 : used };
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - key.usage.used),
    reset: startOfNextMonth(time),
  };
}

/** The rate limit of a request without a valid key. */
export function noQuota(time: Date): RateLimit {
  return { limit: 0, remaining: 0, reset: startOfNextMonth(time) };
}
