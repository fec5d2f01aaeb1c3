import { together } from '../together';

// Nobody waits a minute for a test.
jest.mock('../../../nodes/SocialPublishing/run/tolerances', () => ({
  REQUEST_LIFETIME_MS: 1_000,
  LIST_LAG_MS: 0,
}));

together('load/looking', 'load/many-items', 'load/long-runs', 'load/moving-lists');
