import type { IDataObject } from 'n8n-workflow';

import type { Slot } from '../operations/operation';
import { idNumber } from '../parameters/values';
import type { ServiceCredential } from '../service/http/credential';
import { failed, type Outcome, type Succeeded, succeeded } from '../service/outcome';
import { type Reader, readScheduledPosts, type ScheduledPosts } from '../service/scheduledPosts';

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
  readonly service: string;
  /** Whether an earlier try of this execution has created its post. */
  readonly isDone: boolean;
}

/**
 * Decides for each item, in their order, whether its post is created.
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
      const { index, slot, service, isDone } = taker;
      const { ifTaken } = slot;
      const key = keyOf(slot, service);
      const first = takenBy.get(key);
      if (isDone || ifTaken === 'create') {
        if (first === undefined) takenBy.set(key, index);
        return [index, { kind: 'create' }];
      }
      const [post] = postsOf(taker)?.at(slot.scheduledAt) ?? [];
      if (post !== undefined) return [index, { kind: 'taken', by: post, ifTaken }];
      if (first !== undefined) return [index, { kind: 'shared', with: first, ifTaken }];
      takenBy.set(key, index);
      return [index, { kind: 'create' }];
    }),
  );
}

/** One item that takes a slot, and what is needed to settle it. */
export interface SlotItem extends SlotTaker {
  readonly credential: ServiceCredential;
  /** Whether nothing is known of the item yet. */
  readonly isOpen: boolean;
}

/** What became of items before anything was written. */
export interface SettledSlots {
  /** The items whose slot is taken: with the post that has it, or with the failure. */
  readonly settled: ReadonlyMap<number, Outcome<IDataObject[]>>;
  /** The items that wait for what becomes of another item with the same slot. */
  readonly shared: ReadonlyMap<number, number>;
  /** Whether there may be posts that were not seen. */
  readonly mayMissPosts: boolean;
}

/** The failure of an item that must not share its slot. */
function takenFailure(decision: Exclude<SlotDecision, { kind: 'create' }>): Outcome<never> {
  const id = decision.kind === 'taken' ? idNumber(decision.by.id) : undefined;
  return failed({
    message:
      decision.kind === 'taken'
        ? `A post${id === undefined ? '' : ` (ID ${id})`} is already scheduled for that time`
        : `Item ${decision.with} of this run is for the same time`,
    description:
      'Nothing was created for this item, as the option If a Post Is Already Scheduled for That Time says.',
    certainty: 'notSent',
  });
}

/**
 * Settles the items whose time has a post already. One walk through the posts of a workspace serves
 * all items.
 *
 * @param items the items that take a slot, in their order
 */
export async function settleSlots(
  reader: Reader,
  items: readonly SlotItem[],
): Promise<SettledSlots> {
  const settled = new Map<number, Outcome<IDataObject[]>>();
  const shared = new Map<number, number>();
  const posts = new Map<string, Succeeded<ScheduledPosts>>();
  const workspaceOf = ({ service, slot }: SlotTaker): string =>
    JSON.stringify([service, slot.workspaceId]);
  const open = items.filter(({ isOpen, slot }) => isOpen && slot.ifTaken !== 'create');
  for (const item of open) {
    const workspace = workspaceOf(item);
    if (posts.has(workspace)) continue;
    const outcome = await readScheduledPosts(reader, item.credential, item.slot.workspaceId);
    if (outcome.ok) posts.set(workspace, outcome);
    else settled.set(item.index, failed({ ...outcome.failure, certainty: 'notSent' }));
  }
  const decisions = decideSlots(items, (item) => posts.get(workspaceOf(item))?.value);
  for (const item of open) {
    const { index } = item;
    const decision = decisions.get(index);
    if (settled.has(index) || decision === undefined || decision.kind === 'create') continue;
    if (decision.ifTaken === 'fail') settled.set(index, takenFailure(decision));
    else if (decision.kind === 'shared') shared.set(index, decision.with);
    else {
      const { quota = {} } = posts.get(workspaceOf(item)) ?? {};
      settled.set(index, succeeded([structuredClone(decision.by)], quota));
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
    ? { ...outcome, value: structuredClone(outcome.value) }
    : failed({
        message: `Item ${other}, which is for the same time, failed`,
        description: `Nothing was sent for this item. ${outcome.failure.description}`,
        certainty: 'notSent',
      });
