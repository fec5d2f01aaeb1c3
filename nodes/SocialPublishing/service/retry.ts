import { certaintyOf } from './certainty';
import { isBlocked, isUntrusted } from './http/connectionError';
import type { ExchangeResult } from './http/response';
import type { Load } from './limiter';
import { availableFrom } from './quota';

const MAX_TRIES = 4;

/** The first wait after a failure, in milliseconds; it doubles with each try. */
const FIRST_WAIT = 500;

/** The wait after a 429 or 503 that doesn't name one, in milliseconds. */
const BACK_OFF = 1000;

/** The longest single wait, in milliseconds. A service that asks for more is not waited for. */
export const LONGEST_WAIT = 30_000;

/** How long all tries of one request may take together, in milliseconds. */
const DEADLINE = 120_000;

/** What a retry is decided on. */
export interface Try {
  /** 1 for the first try. */
  readonly number: number;
  /** How long ago the request was first sent, in milliseconds. */
  readonly since: number;
  readonly result: ExchangeResult;
  readonly writes: boolean;
}

/** Whether the same request may bring another result. */
const isTransient = (result: ExchangeResult): boolean =>
  result.responded
    ? result.status === 429 || result.status >= 500
    : !isUntrusted(result) && !isBlocked(result);

/** Whether the service says that it gets too many requests. */
const isRefused = (result: ExchangeResult): boolean =>
  result.responded && (result.status === 429 || result.status === 503);

/** For how many milliseconds the service asks to wait; `undefined` when it doesn't say. */
function askedWait(result: ExchangeResult, now: number): number | undefined {
  const from = result.responded ? availableFrom(result, now) : undefined;
  return from === undefined ? undefined : Math.max(0, from - now);
}

/**
 * For how many milliseconds to wait before sending again (docs/service.md, "Retry"); `undefined` to
 * give up.
 * @param now Unix milliseconds
 * @param jitter in [0, 1), spreads requests that failed together
 */
export function waitBeforeRetry(
  { number, since, result, writes }: Try,
  now: number,
  jitter: number,
): number | undefined {
  if (number >= MAX_TRIES || !isTransient(result)) return undefined;
  if (certaintyOf(result, writes) === 'uncertain') return undefined;
  const own = isRefused(result) ? BACK_OFF : FIRST_WAIT * 2 ** (number - 1) * (1 + jitter / 2);
  const wait = askedWait(result, now) ?? own;
  const tooLong = wait > LONGEST_WAIT || since + wait > DEADLINE;
  return tooLong ? undefined : wait;
}

/** What a result says about the load of the service, at `now` in Unix milliseconds. */
export function loadOf(result: ExchangeResult, now: number): Load {
  if (!result.responded) return { kind: 'lost' };
  if (!isRefused(result)) return { kind: 'accepted' };
  const wait = askedWait(result, now) ?? BACK_OFF;
  return { kind: 'refused', wait: wait > LONGEST_WAIT ? 0 : wait };
}
