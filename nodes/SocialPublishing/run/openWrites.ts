import type { Left, Open } from '../idempotency/results';
import type { Entry } from '../idempotency/rule';
import type { Doubt } from './uncertainty';
import type { Wanted } from './wanted';

/** An item that an earlier try may have carried out. */
export interface Uncertain {
  readonly wanted: Wanted;
  readonly doubt: Doubt;
  /** What is known of it. */
  readonly open: Open;
  /** The entry of the log that it is for certain; `undefined` when that is not known. */
  readonly entry: Entry | undefined;
}

/** An item that may have been sent before, as far as its result says. */
export const leftOpen = (wanted: Wanted, left: Left): Uncertain => ({
  wanted,
  doubt: { kind: 'leftOpen', said: left.message },
  open: left,
  entry: left.entry,
});

/** What is known of an item of which only the log knows that it may have been sent. */
export function openInLog({ intent: { moment, scheduledAt } }: Wanted): Open {
  const isKnown = moment !== undefined && scheduledAt !== undefined;
  return { state: 'open', ...(isKnown && { scheduledAt }) };
}

/** The slot that an item was sent for, in Unix milliseconds; `undefined` when that is not known. */
export function slotBefore({ wanted, open: { scheduledAt } }: Uncertain): number | undefined {
  if (wanted.asked.nextSlot === undefined || scheduledAt === undefined) return undefined;
  return Date.parse(scheduledAt);
}
