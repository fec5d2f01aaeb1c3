import type { IDataObject } from 'n8n-workflow';

import type { Slot } from '../operations/operation';
import { failed, type Outcome, succeeded } from '../service/outcome';
import type { Outcomes } from './outcomes';
import {
  firstFailedFailure,
  timeInUseFailure,
  timeSharedFailure,
  timeTakenFailure,
} from './slotFailures';
import { createdFor, holdSlot, isHeld } from './slotsInUse';
import { slotOf, type Wanted } from './wanted';

/** One item that takes a slot. */
export interface SlotTaker {
  readonly wanted: Wanted;
  readonly slot: Slot;
  /** Whether an earlier try has created its post, or may have. */
  readonly state: 'done' | 'uncertain' | 'open';
}

/** What became of items whose slot is taken. */
export interface TakenSlots {
  /** With the post that has the slot, or with the failure. */
  readonly settled: Outcomes;
  /** The items that wait for what becomes of an earlier one with the same slot. */
  readonly shared: ReadonlyMap<number, number>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

/** Whether it depends on the posts of the workspace what becomes of an item. */
const asksForPosts = ({ state, slot: { ifTaken } }: SlotTaker): boolean =>
  state === 'open' ? ifTaken !== 'create' : state === 'uncertain' && ifTaken === 'skip';

/**
 * Settles the items whose time has a post already, or an item before them. What may have been created
 * holds its slot; with `skip`, a post that has the slot is its result. One walk through the posts of a
 * workspace serves all items with the same credential.
 *
 * @param takers in the order of the items
 * @param run holds the slots of items that are to be sent, and that no other run may take
 */
export async function settleTaken(takers: readonly SlotTaker[], run: object): Promise<TakenSlots> {
  const settled = new Map<number, Outcome<IDataObject>>();
  const shared = new Map<number, number>();
  const firstFor = new Map<string, number>();
  let mayMissPosts = false;
  for (const taker of takers) {
    const { wanted, slot, state } = taker;
    const { index, service, intent } = wanted;
    const isRefused = slot.ifTaken === 'fail';
    const moment = `${intent.destination} ${Date.parse(slot.scheduledAt)}`;
    const first = firstFor.get(moment);
    if (asksForPosts(taker)) {
      const posts = await service.scheduledPosts(slot.workspaceId);
      if (!posts.ok && state === 'open') {
        settled.set(index, failed({ ...posts.failure, certainty: 'notSent' }));
        continue;
      }
      mayMissPosts ||= posts.ok && posts.hint !== undefined;
      const there = [intent.destination, slotOf(intent)] as const;
      const [post = createdFor(...there)] = posts.ok ? posts.value.at(slot.scheduledAt) : [];
      if (posts.ok && post !== undefined) {
        settled.set(
          index,
          isRefused ? failed(timeTakenFailure(post)) : succeeded(leftOut(post), posts.quota),
        );
        continue;
      }
      if (state === 'open' && first !== undefined) {
        if (isRefused) settled.set(index, failed(timeSharedFailure(first)));
        else shared.set(index, first);
        continue;
      }
      if (state === 'open' && isHeld(...there)) {
        settled.set(index, failed(timeInUseFailure()));
        continue;
      }
      if (state === 'open') holdSlot(run, ...there);
    }
    if (first === undefined) firstFor.set(moment, index);
  }
  return { settled, shared, mayMissPosts };
}

/** What an item returns that is left out: the post that has its time. */
const leftOut = (post: IDataObject): IDataObject => ({
  ...structuredClone(post),
  alreadyScheduled: true,
});

/** What an item comes to that shares the slot of item `first`. */
export const sharedOutcome = (
  first: number,
  outcome: Outcome<IDataObject>,
): Outcome<IDataObject> =>
  outcome.ok
    ? { ...outcome, value: leftOut(outcome.value) }
    : failed(firstFailedFailure(first, outcome.failure));
