import { idNumber } from '../../../parameters/values';
import type { ScheduledPosts } from '../../../service/scheduledPosts';
import { FreeSlots } from '../../freeSlots';
import type { Draft } from './draft';

/** What a run of Create with the same items would come to, item by item in their order. */
export class RunOfCreate {
  private readonly free = new Map<ScheduledPosts, FreeSlots>();

  private readonly takenBy = new Map<string, number>();

  private readonly workspacesRead = new Set<number>();

  private readonly postsRead = new Set<ScheduledPosts>();

  /** @param now Unix milliseconds */
  constructor(
    private readonly drafts: readonly Draft[],
    private readonly now: number,
  ) {}

  /** The item with the slot that it would get; unchanged where it needs none, or none is free. */
  inSlot(one: Draft): Draft {
    const { posts, composition, isRefused } = one;
    const { nextSlot } = composition;
    if (isRefused || nextSlot === undefined || posts === undefined) return one;
    const free = this.free.get(posts) ?? this.freeIn(nextSlot.workspaceId, posts);
    this.free.set(posts, free);
    const slot = free.take(nextSlot.week);
    return slot === undefined ? one : { ...one, composition: nextSlot.at(slot) };
  }

  private freeIn(workspaceId: number, posts: ScheduledPosts): FreeSlots {
    const reserved = this.drafts.flatMap(({ composition: { slot } }) =>
      slot?.workspaceId === workspaceId ? [Date.parse(slot.scheduledAt)] : [],
    );
    return new FreeSlots(this.now, [...posts.taken(), ...reserved]);
  }

  /** How many requests an item costs. What items share counts for the first that needs it. */
  requestsFor({ item, needsAccounts, isRefused, ...one }: Draft, isCreated: boolean): number {
    const workspace = item.workspaceId();
    const accounts = needsAccounts && !this.workspacesRead.has(workspace) ? 1 : 0;
    if (needsAccounts) this.workspacesRead.add(workspace);
    const posts = isRefused ? undefined : one.posts;
    const pages = posts === undefined || this.postsRead.has(posts) ? 0 : posts.requests;
    if (posts !== undefined) this.postsRead.add(posts);
    return accounts + pages + (isCreated ? 1 : 0);
  }

  /** Why Create creates no post for an item, in words; `undefined` when it does. */
  notCreated({ item, composition, posts, isRefused }: Draft): string | undefined {
    const { slot, nextSlot } = composition;
    if (isRefused) return undefined;
    if (nextSlot !== undefined) return `${nextSlot.noneFree.message}: Create stops with an error`;
    if (slot === undefined) return undefined;
    const key = JSON.stringify([slot.workspaceId, composition.identity.full]);
    const first = this.takenBy.get(key);
    const [post] = posts?.at(slot.scheduledAt) ?? [];
    const isFree = post === undefined && first === undefined;
    if (slot.ifTaken === 'create' || isFree) {
      if (first === undefined) this.takenBy.set(key, item.index);
      return undefined;
    }
    const id = idNumber(post?.id);
    const what =
      slot.ifTaken === 'skip' ? 'Create returns that post instead' : 'Create stops with an error';
    // n8n keeps what Create has written down apart from other nodes.
    return post === undefined
      ? `Item ${first} is the same post: ${what}`
      : `A post${id === undefined ? '' : ` (ID ${id})`} is already scheduled for that time: ${what}, unless it has created that post for something else`;
  }
}
