import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { accountLabel, isActive } from '../../parameters/accounts';
import type { Item } from '../../parameters/item';
import { platformKey } from '../../parameters/platforms';
import { idNumber } from '../../parameters/values';
import type { Heads } from '../../service/heads';
import type { ScheduledPosts } from '../../service/scheduledPosts';
import type { Worked, WorkOperation } from '../operation';
import { compose, type Composition, type Published } from './compose';
import { composingFields, postOptions } from './create.fields';
import { FreeSlots } from './freeSlots';
import {
  accountWith,
  inactiveWords,
  needsPlatforms,
  objectionInWords,
  platformCheckOf,
  platformOf,
} from './platformCheck';
import { judgeHead, typeOf } from './platforms/heads';
import { judge, judgeAddresses, type Media } from './platforms/judge';

const checkMediaUrls: INodeProperties = {
  displayName: 'Check Media URLs',
  name: 'checkMediaUrls',
  type: 'boolean',
  default: true,
  description:
    'Whether to ask the host of each media URL if it has a file there. Sends one request to each address, none of which counts toward the quota.',
};

/** Shows what Create would send (docs/service.md, "Post: preview"). */
export const preview: WorkOperation = {
  resource: 'post',
  option: {
    name: 'Preview',
    value: 'preview',
    action: 'Preview a post',
    description: 'Show what Create would send, with warnings. Sends nothing.',
  },
  kind: 'work',
  tool: '=Shows what a social media post would be like, with warnings, without sending it: when it is due, and the text, its length and the media for each account. It is now {{ $now.toFormat("cccc yyyy-MM-dd\'T\'HH:mm") }} in {{ $now.zoneName }}.',
  fields: [...composingFields, postOptions(checkMediaUrls)],
  async work(items, findings) {
    const now = Date.now();
    const drafts = await Promise.allSettled(items.map(async (item) => await draft(item, now)));
    const heads = await findings.heads(
      drafts.flatMap((one) => (one.status === 'fulfilled' ? one.value.addresses : [])),
    );
    const run = new RunOfCreate(
      drafts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
      now,
    );
    return drafts.map((one) =>
      one.status === 'fulfilled'
        ? { status: 'fulfilled', value: workedOut(run.inSlot(one.value), heads, run, now) }
        : one,
    );
  },
};

/** A post that is composed, with what is known of the workspace. */
interface Draft {
  readonly item: Item;
  readonly composition: Composition;
  readonly check: ReturnType<typeof platformCheckOf>;
  readonly accounts: readonly IDataObject[];
  /** Whether Create reads the accounts for it. */
  readonly needsAccounts: boolean;
  /** The posts of the workspace, where Create compares with them. */
  readonly posts: ScheduledPosts | undefined;
  /** The addresses whose heads are asked for. */
  readonly addresses: readonly string[];
}

const addressesOf = (media: readonly Media[]): string[] =>
  media.flatMap(({ address }) => address ?? []);

async function draft(item: Item, now: number): Promise<Draft> {
  const composition = await compose(item, now);
  const { published, refusal } = composition;
  if (refusal !== undefined)
    item.refuse('scheduledAt', refusal.problem, refusal.hint, refusal.code);
  const check = platformCheckOf(item);
  const needsAccounts =
    item.knownAccounts() !== undefined || (check !== 'off' && needsPlatforms(published));
  const asksHosts = item.switch('options.checkMediaUrls', true);
  return {
    item,
    composition,
    check,
    needsAccounts,
    accounts: await item.accountsOfWorkspace(),
    posts: await postsFor(item, composition),
    addresses: asksHosts
      ? published
          .flatMap(({ media }) => addressesOf(media))
          .filter((address) => judgeAddresses([{ address }]).length === 0)
      : [],
  };
}

/** The posts that Create compares the time of an item with, if it does. */
async function postsFor(
  item: Item,
  { slot, nextSlot }: Composition,
): Promise<ScheduledPosts | undefined> {
  const compared = slot?.ifTaken === 'create' ? undefined : (slot ?? nextSlot);
  return compared === undefined ? undefined : await item.posts(compared.workspaceId);
}

/** What a run of Create with the same items would come to, item by item in their order. */
class RunOfCreate {
  private readonly free = new Map<ScheduledPosts, FreeSlots>();

  private readonly takenBy = new Map<string, number>();

  private readonly workspacesRead = new Set<number>();

  private readonly postsRead = new Set<ScheduledPosts>();

  /** @param now Unix milliseconds */
  constructor(
    private readonly drafts: readonly Draft[],
    private readonly now: number,
  ) {}

  /** An item in the slot that it would get; as it is where it needs none, or none is free. */
  inSlot(one: Draft): Draft {
    const { posts, composition } = one;
    const { nextSlot } = composition;
    if (nextSlot === undefined || posts === undefined) return one;
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
  requestsFor({ item, needsAccounts, posts }: Draft, isCreated: boolean): number {
    const workspace = item.workspaceId();
    const accounts = needsAccounts && !this.workspacesRead.has(workspace) ? 1 : 0;
    if (needsAccounts) this.workspacesRead.add(workspace);
    const pages = posts === undefined || this.postsRead.has(posts) ? 0 : posts.requests;
    if (posts !== undefined) this.postsRead.add(posts);
    return accounts + pages + (isCreated ? 1 : 0);
  }

  /** Why Create creates no post for an item, in words; `undefined` when it does. */
  notCreated({ item, composition: { slot, nextSlot }, posts }: Draft): string | undefined {
    if (nextSlot !== undefined) return `${nextSlot.noneFree.message}: Create stops with an error`;
    if (slot === undefined) return undefined;
    const key = JSON.stringify([slot.workspaceId, Date.parse(slot.scheduledAt)]);
    const first = this.takenBy.get(key);
    const [post] = posts?.at(slot.scheduledAt) ?? [];
    const isFree = post === undefined && first === undefined;
    if (slot.ifTaken === 'create' || isFree) {
      if (first === undefined) this.takenBy.set(key, item.index);
      return undefined;
    }
    const id = idNumber(post?.id);
    const what =
      post === undefined
        ? `Item ${first} is for the same time`
        : `A post${id === undefined ? '' : ` (ID ${id})`} is already scheduled for that time`;
    return slot.ifTaken === 'skip'
      ? `${what}: Create returns that post instead`
      : `${what}: Create stops with an error`;
  }
}

function workedOut(one: Draft, heads: Heads, run: RunOfCreate, now: number): Worked {
  const { item, composition, check } = one;
  const { body, due, zone, published, warnings } = composition;
  const notCreated = run.notCreated(one);
  const isRefused =
    check === 'refuse' && published.some((variant) => isRefusedByCreate(one, variant));
  const variants = published.map((variant) => variantOf(one, variant, heads));
  const ofPost = [
    ...warnings,
    ...(notCreated === undefined ? [] : [notCreated]),
    ...(isRefused
      ? [`Create stops with an error, as the option ${item.label('options.platformCheck')} says`]
      : []),
  ];
  return {
    record: {
      workspaceId: body.workspaceId,
      scheduledAt: body.scheduledAt ?? null,
      due:
        due === undefined
          ? null
          : item.timeInWords({ utc: new Date(due).toISOString(), zone }, now),
      variants,
      warnings: ofPost,
      requests: run.requestsFor(one, notCreated === undefined),
    },
    warnings: [...ofPost, ...variants.flatMap((variant) => variant.warnings)],
  };
}

/** Whether Create finds something against a variant, which knows no hosts, and accounts only if it reads them. */
function isRefusedByCreate({ accounts, needsAccounts }: Draft, published: Published): boolean {
  const platform = needsAccounts ? platformOf(accountWith(published.account, accounts)) : '';
  return (
    judgeAddresses(published.media).length > 0 ||
    judge(platformKey(platform), published).objections.length > 0
  );
}

function variantOf(
  { item, accounts, check, addresses }: Draft,
  published: Published,
  heads: Heads,
): IDataObject & { readonly warnings: string[] } {
  const account = accountWith(published.account, accounts);
  const platform = platformOf(account);
  const media = published.media.map((one): Media => {
    const type = one.address === undefined ? undefined : typeOf(heads.get(one.address));
    return type === undefined ? one : { ...one, type };
  });
  const { length, limit, objections } = judge(platformKey(platform), { ...published, media });
  const known = check === 'off' ? [] : [...judgeAddresses(media), ...objections];
  const asked = addressesOf(media)
    .filter((address) => addresses.includes(address))
    .flatMap((address) => judgeHead(address, heads.get(address)));
  const words = [...known, ...asked].map((one) => objectionInWords(item, published, one));
  return {
    socialAccountId: published.account ?? null,
    account: account === undefined ? null : accountLabel(account),
    platform: platform === '' ? null : platform,
    content: published.text,
    length,
    limit: limit ?? null,
    mediaUrls: [...addressesOf(media), ...published.files],
    warnings: [...accountWarnings(published.account, account), ...new Set(words)],
  };
}

function accountWarnings(id: number | undefined, account: IDataObject | undefined): string[] {
  if (account === undefined) return [`The workspace has no account ${id ?? ''}`.trim()];
  return isActive(account) ? [] : [inactiveWords(account)];
}
