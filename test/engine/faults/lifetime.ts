import { shortenWaits } from '../harness/waits';

/**
 * For test files that import this before all else: a request may be on its way for longer than anything
 * else is waited for but the posts of the sandbox, and waits for such requests end at once.
 */
jest.mock('../../../nodes/SocialPublishing/run/tolerances', () => ({
  REQUEST_LIFETIME_MS: 400_000,
  LIST_LAG_MS: 0,
}));

/** @param instead what is done with the end of such a wait; at once it ends, unless given */
export const skipWaitsForRequests = (instead?: (end: () => void) => void): void =>
  shortenWaits(300_000, 500_000, instead);

beforeEach(() => skipWaitsForRequests());
