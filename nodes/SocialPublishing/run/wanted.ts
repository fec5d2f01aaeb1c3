import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type Intent, intentOf } from '../idempotency/intent';
import type { Left, Open } from '../idempotency/results';
import type { Entry } from '../idempotency/rule';
import type { ItemWrite, WriteOperation } from '../operations/operation';
import { failed, type Outcome } from '../service/outcome';
import { check, type Checked, type Input, type Refused } from './check';
import type { Memory } from './memory';
import { stopsRun, type Whence } from './outcomes';
import type { Settings } from './settings';
import { type Doubt, stillOpenFailure } from './uncertainty';

/** What is to become of a write that an earlier try may have carried out. */
const UNCERTAIN_CHOICES = ['hold', 'look', 'send'] as const;

/** What came of an item so far. */
interface SoFar {
  outcome?: Outcome<IDataObject> | undefined;
  whence?: Whence | undefined;
}

/** An item whose fields can't be read. */
export interface Unreadable extends Refused, SoFar {}

/** What an earlier try may have carried out. */
interface Before {
  readonly doubt: Doubt;
  /** What is known of it. */
  readonly open: Open;
  /** The entry of the log that it is for certain; `undefined` when that is not known. */
  readonly entry: Entry | undefined;
}

/** One write that one item asks for, checked, and what is known of it: each stage adds to that. */
export interface Wanted extends Checked<ItemWrite>, SoFar {
  asked: ItemWrite;
  /** What it is recognized by. */
  intent: Intent;
  readonly uncertain: (typeof UNCERTAIN_CHOICES)[number];
  before?: Before | undefined;
  /** The entry of the log by which alone it is known that an earlier try has carried it out. */
  unseen?: Entry | undefined;
  /** The item that is the same post, and whose outcome is this one's, too. */
  first?: Wanted;
  /** Whether its moment has posts of this node for something else. */
  isBeside?: boolean;
  /** Whether a post that has its time may not have been seen. */
  mayMissPosts?: boolean;
}

/** One run of a node that writes: what its stages work with, and on. */
export interface WriteRun {
  readonly context: IExecuteFunctions;
  readonly operation: WriteOperation;
  readonly settings: Settings;
  readonly memory: Memory;
  /** In the order of the items. */
  readonly wanted: readonly Wanted[];
  readonly unreadable: readonly Unreadable[];
  /** When its items were recalled, by the monotonic clock, in milliseconds. */
  readonly recalledAt: number;
  /** The item of this run that has a record, by the record's ID. */
  readonly itemWith: Map<unknown, number>;
}

/** Reads what every item asks for, and what that is recognized by; writes nothing. */
export async function checkWrites(
  operation: WriteOperation,
  items: Input['items'],
): Promise<Pick<WriteRun, 'wanted' | 'unreadable'>> {
  const { path } = operation.endpoint;
  const { ready, refused } = await check(items, async (item): Promise<Wanted> => {
    const asked = await operation.write(item);
    const uncertain = item.oneOf('options.uncertain', UNCERTAIN_CHOICES) ?? 'hold';
    const { baseUrl } = item.service.credential;
    const intent = intentOf(item.index, path, baseUrl, asked.body, asked.identity);
    return { item, asked, uncertain, intent };
  });
  return {
    wanted: ready.map(({ asked }) => asked),
    unreadable: refused.map((one) => ({ ...one, outcome: failed(one.failure) })),
  };
}

/** Whether more may be sent, as far as items have an outcome. */
export const goesOn = ({ context, wanted, unreadable }: WriteRun): boolean =>
  !stopsRun(context, [...wanted, ...unreadable]);

/** The items that are still to be sent, in their order. */
export const toSend = (run: WriteRun): Wanted[] =>
  goesOn(run)
    ? run.wanted.filter(({ outcome, first }) => outcome === undefined && first === undefined)
    : [];

/** Whether an item is looked for in the service when it is uncertain. */
export const isLookedFor = ({ lookedFor }: WriteOperation, { uncertain }: Wanted): boolean =>
  uncertain === 'look' && lookedFor === 'moment';

/** Takes what came of an item; of one that was to be sent again, an earlier try may have carried it out. */
export function conclude(one: Wanted, outcome: Outcome<IDataObject>): void {
  const isOpen = !outcome.ok && one.before !== undefined;
  one.outcome = isOpen ? failed(stillOpenFailure(outcome.failure)) : outcome;
}

/** What an earlier try may have carried out, as far as its result says. */
export const leftOpen = (left: Left): Before => ({
  doubt: { kind: 'leftOpen', said: left.message },
  open: left,
  entry: left.entry,
});

/** The moment that an item is sent for, in Unix milliseconds; NaN where it has none. */
export const sentFor = ({ scheduledAt = '' }: { readonly scheduledAt?: string | undefined }) =>
  Date.parse(scheduledAt);
