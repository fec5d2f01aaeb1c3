import type { IDataObject } from 'n8n-workflow';

import type { Slot } from '../operations/operation';
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

/** Whether an item takes a slot: what certainly isn't there takes none. */
const takesSlot = ({ asked: { slot }, outcome }: Wanted): boolean =>
  slot !== undefined && (outcome?.ok !== false || outcome.failure.certainty === 'uncertain');

/** Whether it depends on the posts of the workspace what becomes of an item. */
const asksForPosts = ({ asked: { slot }, outcome }: Wanted): boolean =>
  outcome === undefined ? slot?.ifTaken !== 'create' : !outcome.ok && slot?.ifTaken === 'skip';

/** One walk through the posts of a workspace serves all items with the same credential. */
async function withPosts(takers: readonly Wanted[]): Promise<WithPosts[]> {
  const asking: WithPosts[] = [];
  for (const one of takers) {
    const slot = one.asked.slot!;
    const posts = await one.item.service.scheduledPosts(slot.workspaceId);
    const listed = posts.ok ? posts.value.at(slot.scheduledAt) : [];
    const late = createdFor(one.intent.destination, sentFor(one.intent));
    const isListed = late === undefined || listed.some(({ id }) => id === late.id);
    one.mayMissPosts = posts.ok && posts.hint !== undefined;
    asking.push({ one, slot, posts, there: isListed ? listed : [...listed, late] });
  }
  return asking;
}

type OutcomeSoFar = Wanted['outcome'];

/**
 * What comes of items by the posts of their workspace, in their order; `undefined` where nothing comes of
 * one yet. What this node has created is recognized by what it says, in any execution; a post that it
 * doesn't know, by its moment. Of those, what was sent and got no answer comes first; where fewer are there
 * than that, nobody can tell whose they are. What was to be sent already, and isn't recognized, is held.
 * @throws what n8n's database threw
 */
async function compare(
  asking: readonly WithPosts[],
  { operation, memory: { log } }: WriteRun,
): Promise<OutcomeSoFar[]> {
  const made = asking.flatMap(({ one: { intent }, there }) =>
    there.map(({ id }) => ({ ...intent, id })),
  );
  const purposes = [...((await log?.ofNode.purposes(made)) ?? [])];
  const told = asking.map((each) => {
    const { one, slot, there } = each;
    const own = purposes.splice(0, there.length);
    return {
      ...each,
      moment: `${one.intent.destination} ${sentFor(slot)}`,
      same: there.find((_, at) => own[at] === 'this'),
      strange: there.filter((_, at) => own[at] === undefined),
      isBeside: own.includes('other'),
    };
  });
  const missing = told.filter(({ same }) => same === undefined);
  const sent = await log?.ofNode.wanted(missing.map(({ one }) => one.intent));
  const sentAt = new Map<string, Set<string>>();
  for (const { moment, one } of missing) {
    const { full } = one.intent;
    if (sent?.has(full)) sentAt.set(moment, (sentAt.get(moment) ?? new Set<string>()).add(full));
  }
  return told.map(({ one, slot, posts, moment, same, strange, isBeside }): OutcomeSoFar => {
    const { full } = one.intent;
    const fulls = [...(sentAt.get(moment) ?? [])];
    const isSent = same === undefined && sent?.get(full);
    const rank = isSent ? fulls.indexOf(full) : fulls.length;
    const post = same ?? (strange.length < fulls.length ? undefined : strange[rank]);
    if (post !== undefined && posts.ok) {
      const by = same !== undefined ? 'post' : isSent ? 'lostAnswer' : 'time';
      return slot.ifTaken === 'fail'
        ? failed(existsFailure(post, by))
        : succeeded(leftOut(post, by), posts.quota);
    }
    if (one.outcome !== undefined) return undefined;
    if (!posts.ok) return failed({ ...posts.failure, certainty: 'notSent' });
    one.isBeside = isBeside;
    const isHeld = isSent === 'now' || (isSent && one.uncertain !== 'send');
    return isHeld ? failed(heldFailure({ kind: 'wanted' }, operation, slot)) : undefined;
  });
}

/** What comes of items where the log can't be asked: none is sent. */
const notCompared = (asking: readonly WithPosts[], problem: string): OutcomeSoFar[] =>
  asking.map(({ one, posts }) => {
    if (one.outcome !== undefined) return undefined;
    return failed(
      posts.ok ? notLoggedFailure(problem) : { ...posts.failure, certainty: 'notSent' },
    );
  });

/**
 * Settles the items whose post exists, or that are the same post as an item before them, where the user
 * wants that.
 */
export async function settleTaken(run: WriteRun): Promise<void> {
  const { memory, wanted } = run;
  const takers = goesOn(run) ? wanted.filter(takesSlot) : [];
  const asking = await withPosts(takers.filter(asksForPosts));
  const [compared] = await Promise.allSettled([compare(asking, run)]);
  const found =
    compared.status === 'fulfilled'
      ? compared.value
      : notCompared(asking, messageOf(compared.reason));
  const outcomes = new Map(asking.map(({ one }, position) => [one, found[position]]));
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
      conclude(one, failed(sharedFailure(first.item.index)));
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
