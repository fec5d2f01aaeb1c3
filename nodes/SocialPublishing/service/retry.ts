import { certaintyOf } from './certainty';
import type { ExchangeResult } from './http/response';
import type { Ended } from './limiter/level';
import { availableFrom } from './quota/headers';

/** How often one request is sent at most. */
const MAX_TRIES = 4;

/** The first wait when the service does not name one, in milliseconds; it doubles with each try. */
const FIRST_WAIT = 500;

/** The longest single wait, in milliseconds. A service that asks for more is not waited for. */
export const LONGEST_WAIT = 30_000;

/** How long all tries of one request may take together, in milliseconds. */
const DEADLINE = 120_000;

/** What a retry is decided on. */
export interface Try {
  /** 1 for the first try. */
  readonly number: number;
  /** When the first try began, in Unix milliseconds. */
  readonly startedAt: number;
  readonly result: ExchangeResult;
  readonly writes: boolean;
}

/** Whether the same request may bring another result. */
const isTransient = (result: ExchangeResult): boolean =>
  !result.responded || result.status === 429 || result.status >= 500;

/**
 * Whether and when to send a request again (docs/service.md, "Retry"): after 429, 5xx or a broken
 * connection, unless it is a write that the service may have acted on.
 *
 * @param now Unix milliseconds
 * @param jitter a number in [0, 1) that spreads waits of requests that failed together
 * @returns the wait in milliseconds, or `undefined` to give up
 */
export function waitBeforeRetry(
  { number, startedAt, result, writes }: Try,
  now: number,
  jitter: number,
): number | undefined {
  if (number >= MAX_TRIES || !isTransient(result)) return undefined;
  if (certaintyOf(result, writes) === 'uncertain') return undefined;
  const from = result.responded ? availableFrom(result, now) : undefined;
  const wait =
    from === undefined
      ? FIRST_WAIT * 2 ** (number - 1) * (1 + jitter / 2)
      : Math.max(0, from - now) + jitter * FIRST_WAIT;
  const tooLong = wait > LONGEST_WAIT || now + wait - startedAt > DEADLINE;
  return tooLong ? undefined : wait;
}

/**
 * What the end of an exchange says about the load of the service.
 *
 * @param now Unix milliseconds
 */
export function loadOf(result: ExchangeResult, now: number): Ended {
  if (!result.responded) return { kind: 'lost' };
  if (result.status !== 429 && result.status !== 503) return { kind: 'accepted' };
  const from = availableFrom(result, now);
  const wait = from === undefined ? undefined : Math.max(0, from - now);
  const isKept = wait !== undefined && wait <= LONGEST_WAIT;
  return { kind: 'refused', asked: isKept ? wait : undefined, backoff: FIRST_WAIT };
}
