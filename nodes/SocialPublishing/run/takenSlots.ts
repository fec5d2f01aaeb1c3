import type { IDataObject } from 'n8n-workflow';

import type { IntentLog } from '../idempotency/log';
import type { Slot } from '../operations/operation';
import { failed, type Outcome, succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { messageOf } from './errors';
import type { Outcomes } from './outcomes';
import {
  existsFailure,
  firstFailedFailure,
  type RecognizedBy,
  sharedFailure,
} from './slotFailures';
import { createdFor, holdSlot } from './slotsInUse';
import { heldFailure, notLoggedFailure } from './uncertainty';
import { sentFor, type Wanted, type WriteRun } from './wanted';

/** One item that takes a slot. */
export interface SlotTaker {
  readonly wanted: Wanted;
  readonly slot: Slot;
  /** Whether an earlier try has created its post, or may have. */
  readonly state: 'done' | 'uncertain' | 'open';
}

/** What became of items whose post exists. */
export interface TakenSlots {
  /** With the post that exists, or with the failure. */
  readonly settled: Outcomes;
  /** The items that wait for what becomes of an earlier one that is the same post. */
  readonly shared: ReadonlyMap<number, number>;
  /** The items whose moment only posts have that this node created for something else. */
  readonly besides: ReadonlySet<number>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

/** Whether it depends on the posts of the workspace what becomes of an item. */
const asksForPosts = ({ state, slot: { ifTaken } }: SlotTaker): boolean =>
  state === 'open' ? ifTaken !== 'create' : state === 'uncertain' && ifTaken === 'skip';

/** An item with the posts of its workspace that it is compared with. */
interface WithPosts extends SlotTaker {
  readonly posts: Outcome<ScheduledPosts>;
  /** Those of its moment. */
  readonly there: readonly IDataObject[];
}

/** What is known of such an item. */
interface Known {
  /** The post that exists for it. */
  readonly post: IDataObject | undefined;
  readonly by: RecognizedBy;
  /** Whether it was sent, and no post is known to be it; or whether another execution sends it just now. */
  readonly isWanted: boolean | 'now';
  /** Whether its moment has a post that this node created for something else. */
  readonly isBeside: boolean;
}

/** One walk through the posts of a workspace serves all items with the same credential. */
async function look(takers: readonly SlotTaker[]): Promise<WithPosts[]> {
  const asking: WithPosts[] = [];
  for (const taker of takers) {
    const { wanted, slot } = taker;
    const posts = await wanted.service.scheduledPosts(slot.workspaceId);
    const listed = posts.ok ? posts.value.at(slot.scheduledAt) : [];
    const late = createdFor(wanted.intent.destination, sentFor(wanted.intent));
    const isListed = late === undefined || listed.some(({ id }) => id === late.id);
    asking.push({ ...taker, posts, there: isListed ? listed : [...listed, late] });
  }
  return asking;
}

/**
 * What is known of items, by their index. What this node has created is recognized by what it says, in
 * any execution; a post that it doesn't know, by its moment. Of those, what was sent and got no answer
 * comes first; where fewer are there than that, nobody can tell whose they are.
 * @throws what n8n's database threw
 */
async function recognize(
  asking: readonly WithPosts[],
  log: IntentLog | undefined,
): Promise<ReadonlyMap<number, Known>> {
  const made = asking.flatMap(({ wanted: { intent }, there }) =>
    there.map(({ id }) => ({ ...intent, id })),
  );
  const purposes = [...((await log?.ofNode.purposes(made)) ?? [])];
  const told = asking.map(({ wanted: { index, intent }, slot, there }) => {
    const own = purposes.splice(0, there.length);
    return {
      index,
      intent,
      moment: `${intent.destination} ${Date.parse(slot.scheduledAt)}`,
      same: there.find((_, at) => own[at] === 'this'),
      strange: there.filter((_, at) => own[at] === undefined),
      isBeside: own.includes('other'),
    };
  });
  const missing = told.filter(({ same }) => same === undefined);
  const open =
    (await log?.ofNode.wanted(missing.map(({ intent }) => intent))) ??
    new Map<string, true | 'now'>();
  const openAt = (moment: string): string[] => {
    const there = missing.filter((one) => one.moment === moment && open.has(one.intent.full));
    return [...new Set(there.map(({ intent }) => intent.full))];
  };
  return new Map(
    told.map(({ index, intent: { full }, moment, same, strange, isBeside }) => {
      const fulls = openAt(moment);
      const isWanted = same === undefined && (open.get(full) ?? false);
      const rank = isWanted !== false ? fulls.indexOf(full) : fulls.length;
      const post = same ?? (strange.length < fulls.length ? undefined : strange[rank]);
      return [
        index,
        {
          post,
          by: same !== undefined ? 'post' : isWanted !== false ? 'lostAnswer' : 'time',
          isWanted,
          isBeside,
        },
      ];
    }),
  );
}

/**
 * Settles the items whose post exists, or that are the same post as an item before them. What was to be
 * sent already, and isn't recognized, is held.
 * @param takers in the order of the items
 */
export async function settleTaken(
  { operation, memory }: WriteRun,
  takers: readonly SlotTaker[],
): Promise<TakenSlots> {
  const settled = new Map<number, Outcome<IDataObject>>();
  const shared = new Map<number, number>();
  const besides = new Set<number>();
  const firstFor = new Map<string, number>();
  const asking = await look(takers.filter(asksForPosts));
  const [known] = await Promise.allSettled([recognize(asking, memory.log)]);
  const outcomeOf = ({
    wanted,
    slot,
    state,
    posts,
  }: WithPosts): Outcome<IDataObject> | undefined => {
    const one = known.status === 'fulfilled' ? known.value.get(wanted.index) : undefined;
    if (one?.post !== undefined && posts.ok) {
      return slot.ifTaken === 'fail'
        ? failed(existsFailure(one.post, one.by))
        : succeeded(leftOut(one.post, one.by), posts.quota);
    }
    if (state !== 'open') return undefined;
    if (!posts.ok) return failed({ ...posts.failure, certainty: 'notSent' });
    if (known.status === 'rejected') return failed(notLoggedFailure(messageOf(known.reason)));
    if (one?.isBeside === true) besides.add(wanted.index);
    const isHeld = one?.isWanted === 'now' || (one?.isWanted && wanted.uncertain !== 'send');
    return isHeld ? failed(heldFailure({ kind: 'wanted' }, operation, slot)) : undefined;
  };
  const outcomes = new Map(asking.map((one) => [one.wanted.index, outcomeOf(one)]));
  for (const { wanted, slot, state } of takers) {
    const { index, intent } = wanted;
    const outcome = outcomes.get(index);
    const first = firstFor.get(intent.full);
    if (outcome !== undefined) settled.set(index, outcome);
    else if (first === undefined) {
      firstFor.set(intent.full, index);
      if (outcomes.has(index) && state === 'open') {
        holdSlot(memory, intent.destination, sentFor(intent));
      }
    } else if (state !== 'open' || slot.ifTaken === 'create') continue;
    else if (slot.ifTaken === 'skip') shared.set(index, first);
    else settled.set(index, failed(sharedFailure(first)));
  }
  const mayMissPosts = asking.some(({ posts }) => posts.ok && posts.hint !== undefined);
  return { settled, shared, besides, mayMissPosts };
}

/** What an item returns that is left out: the post that exists. */
const leftOut = (post: IDataObject, by: RecognizedBy): IDataObject => ({
  ...structuredClone(post),
  alreadyScheduled: true,
  recognizedBy: by,
});

/** What an item comes to that is the same post as item `first`. */
export const sharedOutcome = (
  first: number,
  outcome: Outcome<IDataObject>,
): Outcome<IDataObject> =>
  outcome.ok
    ? { ...outcome, value: leftOut(outcome.value, 'post') }
    : failed(firstFailedFailure(first, outcome.failure));
