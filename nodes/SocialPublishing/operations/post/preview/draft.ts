import type { IDataObject } from 'n8n-workflow';

import type { Item } from '../../../parameters/item';
import { idNumber } from '../../../parameters/values';
import { isLongForSome, judgeAddresses, type Media } from '../../../platforms/judge';
import type { ScheduledPosts } from '../../../service/scheduledPosts';
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
