import type { IDataObject } from 'n8n-workflow';

import type { IntentLog, Recognized } from '../idempotency/log';
import type { Slot } from '../operations/operation';
import { failed, type Outcome, succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { messageOf } from './errors';
import type { Outcomes } from './report';
import { firstFailedFailure, type RecognizedBy, sharedFailure, takenFailure } from './slotFailures';
import { notLoggedFailure, wantedFailure } from './uncertainty';
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

/** What is there of each item that asks. One walk through the posts of a workspace serves all of them. */
async function lookFor(
  takers: readonly SlotTaker[],
  log: IntentLog | undefined,
): Promise<ReadonlyMap<SlotTaker, Outcome<Recognized>>> {
  const posts = new Map<SlotTaker, Outcome<ScheduledPosts>>();
  for (const taker of takers.filter(asksForPosts)) {
    const { wanted, slot } = taker;
    posts.set(taker, await wanted.service.scheduledPosts(slot.workspaceId));
  }
  const sought = [...posts].map(([{ wanted, slot }, there]) => ({
    ...wanted.intent,
    posts: there.ok ? there.value.at(slot.scheduledAt) : [],
  }));
  const [known] = await Promise.allSettled([log?.recognize(sought)]);
  const found = [...posts.values()].map((there, at): Outcome<Recognized> => {
    if (!there.ok) return there;
    return known.status === 'rejected'
      ? failed(notLoggedFailure(messageOf(known.reason)))
      : { ...there, value: known.value?.[at] ?? { unknown: sought[at]!.posts[0] } };
  });
  return new Map([...posts.keys()].map((taker, at) => [taker, found[at]!]));
}

/**
 * Settles the items that exist already, or that an item before them asks for, too. What this node has
 * created is recognized by what it says; a post that it doesn't know, by its moment.
 *
 * @param takers in the order of the items
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
      const wish = found?.ok === true && state === 'open' ? found.value.wish : undefined;
      if (wish !== undefined) log?.wish(wish);
      if (first === undefined) firstFor.set(intent.full, index);
    }
  }
  const mayMissPosts = [...there.values()].some((found) => found.ok && found.hint !== undefined);
  return { settled, shared, mayMissPosts };
}

/** What an item comes to that is there already, or may be; `undefined` where it isn't there. */
function outcomeOf(
  { wanted, slot, state }: SlotTaker,
  found: Outcome<Recognized>,
): Outcome<IDataObject> | undefined {
  if (!found.ok) {
    return state === 'uncertain' ? undefined : failed({ ...found.failure, certainty: 'notSent' });
  }
  const { same, unknown, wish } = found.value;
  const mayBeSent = wish?.isClaimed === true && state === 'open' && wanted.uncertain !== 'send';
  if (same === undefined && mayBeSent) return failed(wantedFailure());
  const post = same ?? unknown;
  if (post === undefined) return undefined;
  const by = same === undefined ? 'time' : 'post';
  return slot.ifTaken === 'fail'
    ? failed(takenFailure(post, by))
    : succeeded(leftOut(post, by), found.quota);
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
