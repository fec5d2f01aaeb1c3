/**
 * For how long a request may be on its way after it was sent, in milliseconds: as long as a response is
 * waited for, and what the time of sending may be off by.
 */
export const REQUEST_LIFETIME_MS = 65_000;

/** For how long a list may not show what the service has created, in milliseconds. */
export const LIST_LAG_MS = 30_000;
