import { DateTime } from 'luxon';

import type { HttpResponse } from './http/response';
import type { Quota } from './outcome';

/** The three `X-RateLimit-*` values as they came (docs/service.md, "Quota"). */
export function quotaOf(response: HttpResponse): Quota {
  const { headers } = response;
  const limit = headers['x-ratelimit-limit'];
  const remaining = headers['x-ratelimit-remaining'];
  const reset = headers['x-ratelimit-reset'];
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { reset }),
  };
}

/** The whole number in a header; `undefined` when there is none. */
export const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;

/** How many requests are left, or `undefined` when the service did not say so in a number. */
export const remainingRequests = ({ remaining }: Quota): number | undefined => numberIn(remaining);

const EARLIEST_EPOCH_SECONDS = 1e9;
const EARLIEST_EPOCH_MILLISECONDS = 1e12;
const END_OF_YEAR_9999 = 253_402_300_800_000;

/**
 * Unix milliseconds from a header whose format the specification leaves open: seconds from now,
 * Unix seconds or milliseconds, an HTTP date or ISO 8601; else `undefined`.
 */
function timeIn(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const time = /^\d+(\.\d+)?$/.test(text) ? numberAsTime(Number(text), now) : dateAsTime(text);
  return time !== undefined && time < END_OF_YEAR_9999 ? time : undefined;
}

function numberAsTime(number: number, now: number): number {
  if (number >= EARLIEST_EPOCH_MILLISECONDS) return number;
  return number >= EARLIEST_EPOCH_SECONDS ? number * 1000 : now + number * 1000;
}

const dateAsTime = (text: string): number | undefined =>
  [DateTime.fromHTTP(text), DateTime.fromISO(text, { zone: 'utc' })]
    .find(({ isValid }) => isValid)
    ?.toMillis();

/** When the quota is renewed (`X-RateLimit-Reset`), in Unix milliseconds. */
export const renewedAt = (response: HttpResponse, now: number): number | undefined =>
  timeIn(response.headers['x-ratelimit-reset'], now);

/**
 * When the service takes requests again after a 429 or 503, in Unix milliseconds: from
 * `Retry-After`, else, when no request is left, from `X-RateLimit-Reset`.
 */
export function availableFrom(response: HttpResponse, now: number): number | undefined {
  const retryAfter = timeIn(response.headers['retry-after'], now);
  if (retryAfter !== undefined) return retryAfter;
  return remainingRequests(quotaOf(response)) === 0 ? renewedAt(response, now) : undefined;
}
