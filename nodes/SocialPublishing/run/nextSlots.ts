import type { Results } from '../idempotency/results';
import { FreeSlots } from '../operations/freeSlots';
import type { ItemWrite, NextSlot } from '../operations/operation';
import { type Failed, failed, type Succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { fieldFailure } from './errors';
import type { Memory } from './memory';
import { slotBefore } from './openWrites';
import { endUse, slotsInUse, use } from './slotsInUse';
import type { ToSend } from './sortOut';
import { REQUEST_LIFETIME_MS } from './tolerances';
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
  /** Lets other runs have the slots of items that were certainly not sent. */
  readonly end: () => void;
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
 * Gives each item that wants one the first slot from now on that is free, in their order. One walk
 * through the posts of a workspace serves all items. What an earlier try may have sent keeps its slot
 * until that has passed, and nobody else gets it.
 *
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
      ...memory.results.momentsAt(destination).keys(),
      ...there.flatMap(({ index }) => slots.get(index) ?? []),
    ];
    const asking = waiting.filter(({ index }) => !refused.has(index));
    const found = freeFor(asking, { destination, readAt: now, taken });
    for (const { index, next } of asking) {
      const slot = found.get(index);
      if (slot !== undefined) slots.set(index, slot);
      else refused.set(index, failed(fieldFailure(next.noneFree)));
    }
  }
  return { slots, refused, mayMissPosts, end: () => endUseOf(items, slots, memory.results) };
}

/** Says what became of the slots of items, when nothing more is sent for them. */
function endUseOf(
  items: readonly InNextSlot[],
  slots: ReadonlyMap<number, number>,
  results: Results,
): void {
  const atEach = new Map(
    items.map(({ destination }) => [destination, results.momentsAt(destination)]),
  );
  for (const { index, destination } of items) {
    const slot = slots.get(index);
    if (slot === undefined) continue;
    const state = atEach.get(destination)?.get(slot);
    const onItsWay = state === 'done' ? 0 : REQUEST_LIFETIME_MS;
    endUse(destination, slot, state === undefined ? undefined : Date.now() + onItsWay);
  }
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

/** What is known of the moments of a workspace, in Unix milliseconds. */
interface Moments {
  readonly destination: string;
  /** Before the posts were read. */
  readonly readAt: number;
  readonly taken: readonly number[];
}

/** The first free slots for items, in their order. They are in use from then on. */
function freeFor(
  items: readonly InNextSlot[],
  { destination, readAt, taken }: Moments,
): ReadonlyMap<number, number> {
  const free = new FreeSlots(Date.now(), [...taken, ...slotsInUse(destination, readAt)]);
  const found = new Map<number, number>();
  for (const { index, next } of items) {
    const slot = free.take(next.week);
    if (slot !== undefined) found.set(index, slot);
  }
  use(destination, found.values());
  return found;
}
