import type { IDataObject } from 'n8n-workflow';

import type { ScheduledPosts } from '../transport/scheduledPosts';
import type { Slot } from './operation';

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
