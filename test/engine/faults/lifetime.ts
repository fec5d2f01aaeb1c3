/**
 * For test files that import this before all else: a request may be on its way for a second, since nobody
 * waits a minute for a test.
 */
jest.mock('../../../nodes/SocialPublishing/run/tolerances', () => ({
  REQUEST_LIFETIME_MS: 1_000,
  LIST_LAG_MS: 0,
}));

export {};
