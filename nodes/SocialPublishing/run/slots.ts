import type { IDataObject } from 'n8n-workflow';

import type { Slot } from '../operations/operation';
import { idNumber } from '../parameters/values';
import { failed, type Outcome, type Succeeded, succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import type { Service } from '../service/service';

/** What becomes of an item that may find its slot taken. */
export type SlotDecision =
  | { readonly kind: 'create' }
  /** A post of the service has the slot. */
  | { readonly kind: 'taken'; readonly by: IDataObject; readonly ifTaken: 'skip' | 'fail' }
  /** An item before it in the same run has the slot. */
  | { readonly kind: 'shared'; readonly with: number; readonly ifTaken: 'skip' | 'fail' };

const keyOf = ({ workspaceId, scheduledAt }: Slot, service: string): string =>
  JSON.stringify([service, workspaceId, Date.parse(scheduledAt)]);

/** One item that takes a slot. */
export interface SlotTaker {
  readonly index: number;
  readonly slot: Slot;
  /** What tells services apart: the same workspace number means another workspace elsewhere. */
  readonly baseUrl: string;
  /** Whether an earlier try of this execution has created its post, or may have. */
  readonly state: 'done' | 'uncertain' | 'open';
}

/** Whether an item asks for the posts of the workspace. */
const asksForPosts = ({ state, slot: { ifTaken } }: SlotTaker): boolean =>
  state === 'open' ? ifTaken !== 'create' : state === 'uncertain' && ifTaken === 'skip';

/**
 * Decides for each item, in their order, whether its post is created. What may have been created holds
 * its slot; with `skip`, a post that has the slot is its result.
 *
 * @param postsOf the posts of the workspace of an item; read for items that ask for it only
 */
export function decideSlots(
  takers: readonly SlotTaker[],
  postsOf: (taker: SlotTaker) => ScheduledPosts | undefined,
): Map<number, SlotDecision> {
  const takenBy = new Map<string, number>();
  return new Map(
    takers.map((taker): [number, SlotDecision] => {
      const { index, slot, baseUrl, state } = taker;
      const { ifTaken } = slot;
      const key = keyOf(slot, baseUrl);
      const first = takenBy.get(key);
      if (asksForPosts(taker) && ifTaken !== 'create') {
        const [post] = postsOf(taker)?.at(slot.scheduledAt) ?? [];
        if (post !== undefined) return [index, { kind: 'taken', by: post, ifTaken }];
        if (state === 'open' && first !== undefined) {
          return [index, { kind: 'shared', with: first, ifTaken }];
        }
      }
      if (first === undefined) takenBy.set(key, index);
      return [index, { kind: 'create' }];
    }),
  );
}

/** One item that takes a slot, and what is needed to settle it. */
export type SlotItem = Omit<SlotTaker, 'baseUrl'> & { readonly service: Service };

/** What became of items before anything was written. */
export interface SettledSlots {
  /** The items whose slot is taken: with the post that has it, or with the failure. */
  readonly settled: ReadonlyMap<number, Outcome<IDataObject[]>>;
  /** The items that wait for what becomes of another item with the same slot. */
  readonly shared: ReadonlyMap<number, number>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

/** What an item returns that is left out: the post that has its time. */
const leftOut = (post: IDataObject): IDataObject => ({
  ...structuredClone(post),
  alreadyScheduled: true,
});

/** The failure of an item that must not share its slot. */
function takenFailure(decision: Exclude<SlotDecision, { kind: 'create' }>): Outcome<never> {
  const id = decision.kind === 'taken' ? idNumber(decision.by.id) : undefined;
  return failed({
    code: decision.kind === 'taken' ? 'timeTaken' : 'timeShared',
    message:
      decision.kind === 'taken'
        ? `A post${id === undefined ? '' : ` (ID ${id})`} is already scheduled for that time`
        : `Item ${decision.with} of this run is for the same time`,
    description:
      'Nothing was created for this item. Choose another time, or set the option If a Post Is Already Scheduled for That Time to Skip and Return It.',
    forModel: 'Nothing was created. Choose another time.',
    certainty: 'notSent',
  });
}

/**
 * Settles the items whose time has a post already. One walk through the posts of a workspace serves
 * all items.
 *
 * @param items the items that take a slot, in their order
 */
export async function settleSlots(items: readonly SlotItem[]): Promise<SettledSlots> {
  const takers = items.map((item) => ({ ...item, baseUrl: item.service.credential.baseUrl }));
  const settled = new Map<number, Outcome<IDataObject[]>>();
  const shared = new Map<number, number>();
  const posts = new Map<string, Succeeded<ScheduledPosts>>();
  const workspaceOf = ({ baseUrl, slot }: SlotTaker): string =>
    JSON.stringify([baseUrl, slot.workspaceId]);
  const asking = takers.filter(asksForPosts);
  for (const taker of asking) {
    const workspace = workspaceOf(taker);
    if (posts.has(workspace)) continue;
    const outcome = await taker.service.scheduledPosts(taker.slot.workspaceId);
    if (outcome.ok) posts.set(workspace, outcome);
    else if (taker.state === 'open') {
      settled.set(taker.index, failed({ ...outcome.failure, certainty: 'notSent' }));
    }
  }
  const decisions = decideSlots(takers, (taker) => posts.get(workspaceOf(taker))?.value);
  for (const taker of asking) {
    const { index } = taker;
    const decision = decisions.get(index);
    if (settled.has(index) || decision === undefined || decision.kind === 'create') continue;
    if (decision.ifTaken === 'fail') settled.set(index, takenFailure(decision));
    else if (decision.kind === 'shared') shared.set(index, decision.with);
    else {
      const { quota = {} } = posts.get(workspaceOf(taker)) ?? {};
      settled.set(index, succeeded([leftOut(decision.by)], quota));
    }
  }
  const mayMissPosts = [...posts.values()].some(({ hint }) => hint !== undefined);
  return { settled, shared, mayMissPosts };
}

/** What an item comes to that shares the slot of another item. */
export const sharedOutcome = (
  other: number,
  outcome: Outcome<IDataObject[]>,
): Outcome<IDataObject[]> =>
  outcome.ok
    ? { ...outcome, value: outcome.value.map(leftOut) }
    : failed({
        code: outcome.failure.code,
        message: `Item ${other}, which is for the same time, failed`,
        description: `Nothing was sent for this item. ${outcome.failure.description}`,
        certainty: 'notSent',
      });
