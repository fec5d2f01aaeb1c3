import type { IDataObject } from 'n8n-workflow';

import type { IntentLog, Recognized } from '../idempotency/log';
import type { Slot } from '../operations/operation';
import { failed, type Outcome, succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import type { Outcomes } from './report';
import { firstFailedFailure, type RecognizedBy, sharedFailure, takenFailure } from './slotFailures';
import { wantedFailure } from './uncertainty';
import type { Wanted } from './wanted';

/** One item that takes a slot. */
export interface SlotTaker {
  readonly wanted: Wanted;
  readonly slot: Slot;
  /** Whether an earlier try has created its post, or may have, also where it is sent again. */
  readonly state: 'done' | 'uncertain' | 'again' | 'open';
}

/** What became of items whose slot is taken. */
export interface TakenSlots {
  /** With the post that has the slot, or with the failure. */
  readonly settled: Outcomes;
  /** The items that wait for what becomes of an earlier one that asks for the same. */
  readonly shared: ReadonlyMap<number, number>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

/** Whether it depends on the posts of the workspace what becomes of an item. */
const asksForPosts = ({ state, slot: { ifTaken } }: SlotTaker): boolean =>
  state === 'uncertain' ? ifTaken === 'skip' : state !== 'done' && ifTaken !== 'create';

/** What is there of an item that asks. */
interface There {
  readonly posts: Outcome<ScheduledPosts>;
  readonly known: Recognized;
}

/** What is there of items. One walk through the posts of a workspace serves all with the same credential. */
async function lookFor(
  takers: readonly SlotTaker[],
  log: IntentLog | undefined,
): Promise<ReadonlyMap<SlotTaker, There>> {
  const asked: Array<{ taker: SlotTaker; posts: Outcome<ScheduledPosts>; ids: unknown[] }> = [];
  for (const taker of takers.filter(asksForPosts)) {
    const { workspaceId, scheduledAt } = taker.slot;
    const posts = await taker.wanted.service.scheduledPosts(workspaceId);
    const there = posts.ok ? posts.value.at(scheduledAt) : [];
    asked.push({ taker, posts, ids: there.map(({ id }) => id) });
  }
  const sought = asked.map(({ taker, ids }) => ({ ...taker.wanted.intent, ids }));
  const known =
    (await log?.recognize(sought)) ??
    sought.map(({ ids }) => ({ same: [], unknown: ids, wish: { number: 0, isWanted: false } }));
  return new Map(asked.map(({ taker, posts }, index) => [taker, { posts, known: known[index]! }]));
}

/**
 * Settles the items that exist already, or that an item before them asks for, too. What this node has
 * created is recognized by what it says; a post that it doesn't know, by its moment.
 *
 * @param takers in the order of the items
 * @throws what n8n's database threw
 */
export async function settleTaken(
  takers: readonly SlotTaker[],
  log: IntentLog | undefined,
): Promise<TakenSlots> {
  const settled = new Map<number, Outcome<IDataObject>>();
  const shared = new Map<number, number>();
  const firstFor = new Map<string, number>();
  const there = await lookFor(takers, log);
  for (const taker of takers) {
    const { wanted, state } = taker;
    const { index, intent } = wanted;
    const first = firstFor.get(intent.full);
    const found = there.get(taker);
    const outcome = found && outcomeOf(taker, found);
    if (outcome !== undefined) settled.set(index, outcome);
    else if (first !== undefined && found !== undefined && state !== 'uncertain') {
      if (taker.slot.ifTaken === 'fail') settled.set(index, failed(sharedFailure(first)));
      else shared.set(index, first);
    } else {
      if (found !== undefined && state === 'open') log?.wish(intent, found.known.wish);
      if (first === undefined) firstFor.set(intent.full, index);
    }
  }
  const mayMissPosts = [...there.values()].some(
    ({ posts }) => posts.ok && posts.hint !== undefined,
  );
  return { settled, shared, mayMissPosts };
}

/** What an item comes to that is there already, or may be; `undefined` where it isn't there. */
function outcomeOf(
  { wanted, slot, state }: SlotTaker,
  { posts, known }: There,
): Outcome<IDataObject> | undefined {
  if (!posts.ok) {
    return state === 'uncertain' ? undefined : failed({ ...posts.failure, certainty: 'notSent' });
  }
  const there = posts.value.at(slot.scheduledAt);
  const returned = (post: IDataObject, by: RecognizedBy): Outcome<IDataObject> =>
    slot.ifTaken === 'fail'
      ? failed(takenFailure(post, by))
      : succeeded(leftOut(post, by), posts.quota);
  const same = there.find(({ id }) => known.same.includes(id));
  if (same !== undefined) return returned(same, 'post');
  if (state === 'open' && known.wish.isWanted && wanted.uncertain !== 'send') {
    return failed(wantedFailure());
  }
  const unknown = there.find(({ id }) => known.unknown.includes(id));
  return unknown && returned(unknown, 'time');
}

/** What an item returns that is left out: the post that is there instead. */
const leftOut = (post: IDataObject, by: RecognizedBy): IDataObject => ({
  ...structuredClone(post),
  alreadyScheduled: true,
  recognizedBy: by,
});

/** What an item comes to that asks for the same as item `first`. */
export const sharedOutcome = (
  first: number,
  outcome: Outcome<IDataObject>,
): Outcome<IDataObject> =>
  outcome.ok
    ? { ...outcome, value: leftOut(outcome.value, 'post') }
    : failed(firstFailedFailure(first, outcome.failure));
