import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../../parameters/item';
import { idNumber } from '../../../parameters/values';
import { isLongForSome, judgeAddresses, type Media } from '../../../platforms/judge';
import type { ScheduledPosts } from '../../../service/scheduledPosts';
import { FreeSlots } from '../../freeSlots';
import { allWrongWith, ifWrongOf } from '../check';
import { compose, type Composition } from '../compose/compose';

/** A composed post, with what Preview has read of its workspace. */
export interface Draft {
  readonly item: Item;
  readonly composition: Composition;
  readonly ifWrong: ReturnType<typeof ifWrongOf>;
  readonly accounts: readonly IDataObject[];
  /** Whether Create reads the accounts for it. */
  readonly needsAccounts: boolean;
  /** Whether Create stops with an error, because a platform is known to refuse it. */
  readonly isRefused: boolean;
  /** The posts of the workspace, where Create compares with them. */
  readonly posts: ScheduledPosts | undefined;
  readonly addresses: readonly string[];
}

export const addressesOf = (media: readonly Media[]): string[] =>
  media.flatMap(({ address }) => address ?? []);

/** Composes a post, and reads what it is to be compared with. @throws FieldError */
export async function draftOf(item: Item): Promise<Draft> {
  const composition = await compose(item);
  const { variants, refusal } = composition;
  if (refusal !== undefined) throw refusal;
  const ifWrong = ifWrongOf(item);
  const needsAccounts =
    item.accountsIfRead() !== undefined || (ifWrong !== 'ignore' && variants.some(isLongForSome));
  const own = await item.accountsOfWorkspace();
  // Custom Body Fields may name another workspace.
  const accounts = await item.accountsOfWorkspace(idNumber(composition.body.workspaceId));
  const asksHosts = item.switch('options.checkMediaUrls', true);
  return {
    item,
    composition,
    ifWrong,
    needsAccounts,
    accounts,
    isRefused:
      ifWrong === 'fail' &&
      // Create asks no hosts, and reads the accounts only if it must.
      allWrongWith(item, composition, needsAccounts ? own : []).length > 0,
    posts: await postsFor(item, composition),
    addresses: asksHosts
      ? variants
          .flatMap(({ media }) => addressesOf(media))
          .filter((address) => judgeAddresses([{ address }]).length === 0)
      : [],
  };
}

/** The posts of the workspace, if Create compares the time of the item with them. */
async function postsFor(
  item: Item,
  { slot, nextSlot }: Composition,
): Promise<ScheduledPosts | undefined> {
  const compared = slot?.ifTaken === 'create' ? undefined : (slot ?? nextSlot);
  return compared === undefined ? undefined : await item.posts(compared.workspaceId);
}

/** What a run of Create with the same items would come to, item by item in their order. */
export class RunOfCreate {
  private readonly free = new Map<ScheduledPosts, FreeSlots>();

  private readonly takenBy = new Map<string, number>();

  private readonly workspacesRead = new Set<number>();

  private readonly postsRead = new Set<ScheduledPosts>();

  constructor(private readonly drafts: readonly Draft[]) {}

  /** The item with the slot that it would get; unchanged where it needs none, or none is free. */
  inSlot(one: Draft): Draft {
    const { item, posts, composition, isRefused } = one;
    const { nextSlot } = composition;
    if (isRefused || nextSlot === undefined || posts === undefined) return one;
    let free = this.free.get(posts);
    if (free === undefined) {
      const reserved = this.drafts.flatMap(({ composition: { slot } }) =>
        slot?.workspaceId === nextSlot.workspaceId ? [Date.parse(slot.scheduledAt)] : [],
      );
      free = new FreeSlots(item.now, [...posts.taken(), ...reserved]);
      this.free.set(posts, free);
    }
    const slot = free.take(nextSlot.week);
    return slot === undefined ? one : { ...one, composition: nextSlot.at(slot) };
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
