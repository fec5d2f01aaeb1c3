import { FreeSlots } from '../operations/freeSlots';
import type { ItemWrite, NextSlot } from '../operations/operation';
import { type Failed, failed, type Succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { fieldFailure } from './errors';
import type { Memory } from './memory';
import { slotBefore } from './openWrites';
import { holdSlot, slotsInUse } from './slotsInUse';
import type { ToSend } from './sortOut';
import type { Wanted } from './wanted';

/** An item that is sent in the next free slot. */
interface InNextSlot extends Pick<Wanted, 'index' | 'service'> {
  readonly destination: string;
  readonly next: NextSlot<ItemWrite>;
  /** The slot that an earlier try sent it for, in Unix milliseconds, where that is known. */
  readonly before: number | undefined;
}

/** Which item gets which slot. */
export interface GivenSlots {
  /** The slots of items, in Unix milliseconds. */
  readonly slots: ReadonlyMap<number, number>;
  /** The items that get none. */
  readonly refused: ReadonlyMap<number, Failed>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

function nextSlotOf({ wanted, again }: ToSend): InNextSlot[] {
  const { index, service, intent, asked } = wanted;
  const { destination } = intent;
  const before = again && slotBefore(again);
  return asked.nextSlot === undefined
    ? []
    : [{ index, service, destination, next: asked.nextSlot, before }];
}

/**
 * Gives each item that wants one the first slot from now on that is free, in their order, and holds it.
 * One walk through the posts of a workspace serves all items. What an earlier try may have sent keeps
 * its slot until that has passed, and nobody else gets it.
 * @param reserved the moments of other items of the run, at a destination, in Unix milliseconds
 */
export async function giveSlots(
  toSend: readonly ToSend[],
  reserved: (destination: string) => readonly number[],
  memory: Memory,
): Promise<GivenSlots> {
  const items = toSend.flatMap(nextSlotOf);
  const now = Date.now();
  const slots = new Map<number, number>();
  const refused = new Map<number, Failed>();
  let mayMissPosts = false;
  for (const { index, before } of items) {
    if (before !== undefined && before >= now) slots.set(index, before);
  }
  for (const destination of new Set(items.map((item) => item.destination))) {
    const there = items.filter((item) => item.destination === destination);
    const waiting = there.filter(({ index }) => !slots.has(index));
    const posts = await postsFor(waiting, refused);
    if (posts === undefined) continue;
    mayMissPosts ||= posts.hint !== undefined;
    const taken = [
      ...posts.value.taken(),
      ...reserved(destination),
      ...memory.results.momentsAt(destination),
      ...there.flatMap(({ index }) => slots.get(index) ?? []),
      ...slotsInUse(destination),
    ];
    const free = new FreeSlots(Date.now(), taken);
    for (const { index, next } of waiting.filter((one) => !refused.has(one.index))) {
      const slot = free.take(next.week);
      if (slot === undefined) refused.set(index, failed(fieldFailure(next.noneFree)));
      else {
        slots.set(index, slot);
        holdSlot(memory, destination, slot);
      }
    }
  }
  return { slots, refused, mayMissPosts };
}

/** The posts of the workspace that items share; items whose credential can't read them are refused. */
async function postsFor(
  items: readonly InNextSlot[],
  refused: Map<number, Failed>,
): Promise<Succeeded<ScheduledPosts> | undefined> {
  for (const { index, service, next } of items) {
    const outcome = await service.scheduledPosts(next.workspaceId);
    if (outcome.ok) return outcome;
    refused.set(index, failed({ ...outcome.failure, certainty: 'notSent' }));
  }
  return undefined;
}
