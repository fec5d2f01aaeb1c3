import type { HttpAnswer, NoAnswer } from './http';
import { availableFrom } from './rateLimit';

/** How often one request is sent at most. */
const MAX_TRIES = 4;

/** The first wait when the service does not name one, in milliseconds; it doubles with each try. */
const FIRST_WAIT = 500;

/** The longest single wait, in milliseconds; a service that asks for more is not waited for. */
export const LONGEST_WAIT = 30_000;

/** How long all tries of one request may take together, in milliseconds. */
const DEADLINE = 120_000;

/** What a retry is decided on. */
export interface Try {
  /** 1 for the first try. */
  readonly number: number;
  /** When the first try began, in Unix milliseconds. */
  readonly startedAt: number;
  readonly result: HttpAnswer | NoAnswer;
  readonly writes: boolean;
}

function mayBeRepeated({ result, writes }: Try): boolean {
  if (!result.answered) return result.neverSent || !writes;
  if (result.status === 429) return true;
  return !writes && result.status >= 500;
}

/**
 * Whether and when to send a request again (DESIGN: "Retry"): a read after 429, 5xx or a broken
 * connection; a write only when the service cannot have acted on it.
 *
 * @param now Unix milliseconds
 * @param jitter a number in [0, 1) that spreads waits of requests that failed together
 * @returns the wait in milliseconds, or `undefined` to give up
 */
export function waitBeforeRetry(tried: Try, now: number, jitter: number): number | undefined {
  if (tried.number >= MAX_TRIES || !mayBeRepeated(tried)) return undefined;
  const from = tried.result.answered ? availableFrom(tried.result, now) : undefined;
  const wait =
    from === undefined
      ? FIRST_WAIT * 2 ** (tried.number - 1) * (1 + jitter / 2)
      : Math.max(0, from - now) + jitter * FIRST_WAIT;
  const tooLong = wait > LONGEST_WAIT || now + wait - tried.startedAt > DEADLINE;
  return tooLong ? undefined : wait;
}
