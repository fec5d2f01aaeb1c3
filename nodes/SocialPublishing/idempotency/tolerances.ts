/**
 * For how long a request may be on its way after it was sent, in milliseconds: as long as a response
 * is waited for, and what the record of the time of sending is off by.
 */
export const REQUEST_LIFETIME = 75_000;

/**
 * By how much the clocks of n8n's processes may differ, in milliseconds: an earlier try may have run
 * in another process.
 */
export const CLOCK_SKEW = 5_000;
