import type { Open, Result } from '../idempotency/results';
import type { Doubt } from './uncertainty';
import type { Wanted } from './wanted';

/** An item that an earlier try may have carried out. */
export interface Uncertain {
  readonly wanted: Wanted;
  readonly doubt: Doubt;
  /** What is known of it. */
  readonly open: Open;
  /** The entry of the log that it is for certain; `undefined` when that is not known. */
  readonly entry: { readonly number: number; readonly attempts: number } | undefined;
  /** What another run of the node left open that says the same. */
  readonly adopted?: Result;
}

/**
 * An item that the results of the execution have as open.
 *
 * @param isOwn whether it is the result of this item, and not of another run that says the same
 */
export function leftOpen(wanted: Wanted, result: Result & Open, isOwn: boolean): Uncertain {
  const { message, sentAt, endedAt, scheduledAt, candidates, number, attempts } = result;
  const { intent } = wanted;
  const isSame = isOwn || result.full === intent.grains.full;
  // The time of something else is not its own.
  const isOwnTime = scheduledAt !== undefined && (isSame || scheduledAt === intent.scheduledAt);
  return {
    wanted,
    doubt: { kind: 'leftOpen', message },
    open: {
      state: 'open',
      ...(message !== undefined && { message }),
      ...(sentAt !== undefined && { sentAt }),
      ...(endedAt !== undefined && { endedAt }),
      ...(isOwnTime && { scheduledAt }),
      ...(candidates !== undefined && { candidates }),
    },
    entry: isSame ? { number, attempts } : undefined,
    ...(!isOwn && { adopted: result }),
  };
}

/**
 * An item that the log may have.
 *
 * @param number the entry of the log that it is for certain; `undefined` when that is not known
 */
export function inLog(wanted: Wanted, doubt: Doubt, number?: number): Uncertain {
  const { moment, scheduledAt } = wanted.intent;
  const isSentFor = number !== undefined && moment !== undefined && scheduledAt !== undefined;
  return {
    wanted,
    doubt,
    open: { state: 'open', ...(isSentFor && { scheduledAt }) },
    entry: number === undefined ? undefined : { number, attempts: 0 },
  };
}

/** The slot that an item was sent for, in Unix milliseconds; `undefined` when that is not known. */
export function slotBefore({ wanted, open: { scheduledAt } }: Uncertain): number | undefined {
  if (wanted.asked.nextSlot === undefined || scheduledAt === undefined) return undefined;
  return Date.parse(scheduledAt);
}
