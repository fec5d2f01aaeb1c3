/** For how long a committed write may go out before it is committed once more, in milliseconds. */
export const LEASE_MS = 20_000;

/**
 * For how long a request may be on its way after it was sent, in milliseconds: as long as a response is
 * waited for, and what the time of sending may be off by.
 */
export const REQUEST_LIFETIME_MS = 65_000;

/**
 * By how much the clocks of n8n's processes may differ, in milliseconds: an earlier try may have run in
 * another process.
 */
export const CLOCK_SKEW_MS = 5_000;
