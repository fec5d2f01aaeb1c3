/**
 * For test files that import this before all else: a request may be on its way for 300 ms, since nobody
 * waits a minute for a test.
 */
jest.mock('../../../nodes/SocialPublishing/idempotency/tolerances', () => ({
  REQUEST_LIFETIME: 300,
  CLOCK_SKEW: 0,
}));

export {};
