import type { IDataObject } from 'n8n-workflow';

import type { IntentLog } from '../idempotency/log';
import type { Slot, WriteOperation } from '../operations/operation';
import { failed, type Outcome, succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { messageOf } from './errors';
import {
  existsFailure,
  firstFailedFailure,
  type RecognizedBy,
  sharedFailure,
} from './slotFailures';
import { createdFor, holdSlot } from './slotsInUse';
import { heldFailure, notLoggedFailure } from './uncertainty';
import { conclude, goesOn, sentFor, type Wanted, type WriteRun } from './wanted';

/** An item with the posts of its workspace that it is compared with. */
interface WithPosts {
  readonly one: Wanted;
  readonly slot: Slot;
  readonly posts: Outcome<ScheduledPosts>;
  /** Those of its moment. */
  readonly there: readonly IDataObject[];
}

/** What the log knows of such an item. */
interface Known {
  /** The post that exists for it. */
  readonly post: IDataObject | undefined;
  readonly by: RecognizedBy;
  /** Whether it was sent, and no post is known to be it; or whether another execution sends it just now. */
  readonly isWanted: boolean | 'now';
  /** Whether its moment has a post that this node created for something else. */
  readonly isBeside: boolean;
}

/** Whether an item takes a slot: what certainly isn't there takes none. */
const takesSlot = ({ asked: { slot }, outcome }: Wanted): boolean =>
  slot !== undefined && (outcome?.ok !== false || outcome.failure.certainty === 'uncertain');

/** Whether it depends on the posts of the workspace what becomes of an item. */
const asksForPosts = ({ asked: { slot }, outcome }: Wanted): boolean =>
  outcome === undefined ? slot?.ifTaken !== 'create' : !outcome.ok && slot?.ifTaken === 'skip';

/** One walk through the posts of a workspace serves all items with the same credential. */
async function look(takers: readonly Wanted[]): Promise<WithPosts[]> {
  const asking: WithPosts[] = [];
  for (const one of takers) {
    const slot = one.asked.slot!;
    const posts = await one.service.scheduledPosts(slot.workspaceId);
    const listed = posts.ok ? posts.value.at(slot.scheduledAt) : [];
    const late = createdFor(one.intent.destination, sentFor(one.intent));
    const isListed = late === undefined || listed.some(({ id }) => id === late.id);
    asking.push({ one, slot, posts, there: isListed ? listed : [...listed, late] });
  }
  return asking;
}

/**
 * What is known of items, in their order. What this node has created is recognized by what it says, in
 * any execution; a post that it doesn't know, by its moment. Of those, what was sent and got no answer
 * comes first; where fewer are there than that, nobody can tell whose they are.
 * @throws what n8n's database threw
 */
async function recognize(
  asking: readonly WithPosts[],
  log: IntentLog | undefined,
): Promise<readonly Known[]> {
  const made = asking.flatMap(({ one: { intent }, there }) =>
    there.map(({ id }) => ({ ...intent, id })),
  );
  const purposes = [...((await log?.ofNode.purposes(made)) ?? [])];
  const told = asking.map(({ one: { intent }, slot, there }) => {
    const own = purposes.splice(0, there.length);
    return {
      intent,
      moment: `${intent.destination} ${sentFor(slot)}`,
      same: there.find((_, at) => own[at] === 'this'),
      strange: there.filter((_, at) => own[at] === undefined),
      isBeside: own.includes('other'),
    };
  });
  const missing = told.filter(({ same }) => same === undefined);
  const sent = await log?.ofNode.wanted(missing.map(({ intent }) => intent));
  const sentAt = new Map<string, Set<string>>();
  for (const { moment, intent } of missing) {
    if (sent?.has(intent.full) !== true) continue;
    sentAt.set(moment, (sentAt.get(moment) ?? new Set<string>()).add(intent.full));
  }
  return told.map(({ intent: { full }, moment, same, strange, isBeside }) => {
    const fulls = [...(sentAt.get(moment) ?? [])];
    const isWanted = same === undefined && (sent?.get(full) ?? false);
    const rank = isWanted === false ? fulls.length : fulls.indexOf(full);
    return {
      post: same ?? (strange.length < fulls.length ? undefined : strange[rank]),
      by: same !== undefined ? 'post' : isWanted === false ? 'time' : 'lostAnswer',
      isWanted,
      isBeside,
    };
  });
}

/**
 * What comes of an item by the posts of its workspace. What was to be sent already, and isn't recognized,
 * is held.
 * @returns `undefined` where nothing comes of it yet
 */
function outcomeBy(
  operation: WriteOperation,
  { one, slot, posts }: WithPosts,
  known: Known | undefined,
): Outcome<IDataObject> | undefined {
  if (known?.post !== undefined && posts.ok) {
    return slot.ifTaken === 'fail'
      ? failed(existsFailure(known.post, known.by))
      : succeeded(leftOut(known.post, known.by), posts.quota);
  }
  if (one.outcome !== undefined) return undefined;
  if (!posts.ok) return failed({ ...posts.failure, certainty: 'notSent' });
  const isHeld = known?.isWanted === 'now' || (known?.isWanted && one.uncertain !== 'send');
  return isHeld ? failed(heldFailure({ kind: 'wanted' }, operation, slot)) : undefined;
}

/**
 * Settles the items whose post exists, or that are the same post as an item before them, where the user
 * wants that.
 */
export async function settleTaken(run: WriteRun): Promise<void> {
  const { operation, memory, wanted } = run;
  const takers = goesOn(run) ? wanted.filter(takesSlot) : [];
  const asking = await look(takers.filter(asksForPosts));
  const [known] = await Promise.allSettled([recognize(asking, memory.log)]);
  const problem = known.status === 'rejected' ? messageOf(known.reason) : undefined;
  const outcomes = new Map<Wanted, Outcome<IDataObject> | undefined>();
  for (const [position, each] of asking.entries()) {
    const { one, posts } = each;
    const own = known.status === 'fulfilled' ? known.value[position] : undefined;
    const isOpen = one.outcome === undefined && posts.ok;
    const outcome = outcomeBy(operation, each, own);
    outcomes.set(
      one,
      problem !== undefined && isOpen ? failed(notLoggedFailure(problem)) : outcome,
    );
    one.isBeside = isOpen && own?.post === undefined && own?.isBeside === true;
    one.mayMissPosts = posts.ok && posts.hint !== undefined;
  }
  const firstFor = new Map<string, Wanted>();
  for (const one of takers) {
    const { intent, asked } = one;
    const isOpen = one.outcome === undefined;
    const outcome = outcomes.get(one);
    const first = firstFor.get(intent.full);
    if (outcome !== undefined) {
      conclude(one, outcome);
      if (outcome.ok) one.whence = 'skipped';
    } else if (first === undefined) {
      firstFor.set(intent.full, one);
      if (outcomes.has(one) && isOpen) holdSlot(memory, intent.destination, sentFor(intent));
    } else if (isOpen && asked.slot?.ifTaken === 'skip') one.first = first;
    else if (isOpen && asked.slot?.ifTaken === 'fail') {
      conclude(one, failed(sharedFailure(first.index)));
    }
  }
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
