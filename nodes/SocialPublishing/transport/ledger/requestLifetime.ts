/**
 * For how long a request may be on its way after it was sent, in milliseconds: as long as a response
 * is waited for, and what the record of the time of sending is off by.
 */
export const REQUEST_LIFETIME = 75_000;
