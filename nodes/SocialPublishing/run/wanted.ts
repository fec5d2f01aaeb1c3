import type { IExecuteFunctions } from 'n8n-workflow';

import { type Intent, intentOf } from '../idempotency/intent';
import type { ItemWrite, WriteOperation } from '../operations/operation';
import { check, type Checked, type Input, isRefused, type Refused } from './check';
import type { Memory } from './memory';
import type { Settings } from './settings';

/** What is to become of a write that an earlier try may have carried out. */
const UNCERTAIN_CHOICES = ['hold', 'look', 'send'] as const;

/** An item that is checked, and what its write is recognized by. */
export interface Wanted extends Checked<ItemWrite> {
  readonly intent: Intent;
  readonly uncertain: (typeof UNCERTAIN_CHOICES)[number];
}

/** One run of a node that writes: what its stages work with. */
export interface WriteRun {
  readonly context: IExecuteFunctions;
  readonly operation: WriteOperation;
  readonly settings: Settings;
  readonly memory: Memory;
  /** When its items were recalled, by the monotonic clock, in milliseconds. */
  readonly recalledAt: number;
  /** The item of this run that has a record, by the record's ID. */
  readonly itemWith: Map<unknown, number>;
}

/** The items of a run, checked. */
export interface CheckedWrites {
  readonly wanted: readonly Wanted[];
  readonly refused: readonly Refused[];
}

/** Reads what every item asks for, and what that is recognized by; writes nothing. */
export async function checkWrites(
  operation: WriteOperation,
  items: Input['items'],
): Promise<CheckedWrites> {
  const { path } = operation.endpoint;
  const checked = await check(items, async (one): Promise<Wanted> => {
    const { index, item, service } = one;
    const asked = await operation.write(item);
    const uncertain = item.oneOf('options.uncertain', UNCERTAIN_CHOICES) ?? 'hold';
    const { baseUrl } = service.credential;
    const intent = intentOf({ item: index, path, baseUrl, ...asked });
    return { ...one, asked, uncertain, intent };
  });
  return {
    wanted: checked.flatMap((one) => (isRefused(one) ? [] : [one.asked])),
    refused: checked.filter(isRefused),
  };
}

/** The moment that an item is sent for, in Unix milliseconds; NaN where it has none. */
export const sentFor = ({ scheduledAt = '' }: Intent): number => Date.parse(scheduledAt);

/** An item in its slot, in Unix milliseconds; as it is where it has none. */
export function inSlot<W extends Wanted>(wanted: W, slot: number | undefined): W {
  const { nextSlot } = wanted.asked;
  if (nextSlot === undefined || slot === undefined) return wanted;
  const scheduledAt = new Date(slot).toISOString();
  const intent = { ...wanted.intent, scheduledAt, moment: slot };
  return { ...wanted, asked: nextSlot.at(slot), intent };
}
