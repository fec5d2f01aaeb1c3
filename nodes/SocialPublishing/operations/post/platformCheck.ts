import type { IDataObject } from 'n8n-workflow';

import { accountLabel, isActive } from '../../parameters/accounts/accountLabels';
import { platformKey } from '../../parameters/accounts/platforms';
import { FieldError } from '../../parameters/fieldError';
import type { Item } from '../../parameters/item';
import { idNumber } from '../../parameters/values';
import type { AccountPost } from './compose/accountPost';
import { isLongForSome, judge, judgeAddresses, type Objection } from './platforms/judge';

const CHECK = 'options.platformCheck';

/** What becomes of a post that a platform is known to refuse. */
export const platformCheckOf = (item: Item): 'warn' | 'refuse' | 'off' =>
  item.oneOf(CHECK, ['warn', 'refuse', 'off']) ?? 'warn';

/** The account with that ID; `undefined` when none has it. */
export const accountWith = (
  id: number | undefined,
  accounts: readonly IDataObject[],
): IDataObject | undefined =>
  id === undefined ? undefined : accounts.find((account) => idNumber(account.id) === id);

/** The platform of an account as the service writes it; empty when it names none. */
export const platformOf = (account: IDataObject | undefined): string =>
  typeof account?.platform === 'string' ? account.platform : '';

/** An objection in words, with the field that it is about. */
export const objectionInWords = (
  item: Item,
  { from }: Pick<AccountPost, 'from'>,
  { about, problem, hint }: Objection,
): string => `${item.label(from[about])} ${problem}. ${hint.replace(/\.$/, '')}`;

/** What the user should know of an account that is inactive. */
export const inactiveWords = (account: IDataObject): string =>
  `The account ${accountLabel(account)} is inactive, so it may publish nothing. Connect it again in the service`;

/** A warning for each inactive account of a post. Without accounts that were read, there is none. */
export const inactiveWarnings = (item: Item, accountPosts: readonly AccountPost[]): string[] =>
  accountPosts.flatMap((one) => {
    const account = accountWith(one.account, item.accountsIfRead() ?? []);
    return account === undefined || isActive(account) ? [] : [inactiveWords(account)];
  });

/** Whether a text is long for some platform, so that Create reads the accounts for their platforms. */
export const needsPlatforms = (accountPosts: readonly AccountPost[]): boolean =>
  accountPosts.some(isLongForSome);

/** What the platforms are known to refuse of one post. */
export interface PlatformCheck {
  /** In words. */
  readonly warnings: readonly string[];
  /** Why the post must not be sent, for a user who wants that. */
  readonly refusal?: FieldError;
}

/**
 * Judges what each account is to publish by what its platform is known to take. The accounts are
 * read only for a text that is long for some platform, unless a field named one of them anyway.
 *
 * @returns the warnings; for a user who wants no such post, the first one as a refusal instead
 */
export async function checkPlatforms(
  item: Item,
  accountPosts: readonly AccountPost[],
): Promise<PlatformCheck> {
  const choice = platformCheckOf(item);
  if (choice === 'off') return { warnings: [] };
  const read = item.accountsIfRead();
  const { accounts, unread } =
    read === undefined && needsPlatforms(accountPosts)
      ? await readForWarnings(item, choice)
      : { accounts: read ?? [], unread: [] };
  const found = accountPosts.flatMap((one) => {
    const { objections } = judge(platformKey(platformOf(accountWith(one.account, accounts))), one);
    return [...judgeAddresses(one.media), ...objections].map((objection) => ({ one, objection }));
  });
  const [first] = found;
  if (choice === 'refuse' && first !== undefined) {
    const { about, problem, hint } = first.objection;
    const path = first.one.from[about];
    return {
      warnings: [],
      refusal: new FieldError(path, item.label(path), problem, hint, 'platformRefuses'),
    };
  }
  const words = found.map(({ one, objection }) => objectionInWords(item, one, objection));
  return { warnings: [...new Set([...words, ...unread])] };
}

/** Reads the accounts. Where the check only warns, it goes on without them, and says so. */
async function readForWarnings(
  item: Item,
  choice: 'warn' | 'refuse',
): Promise<{ accounts: readonly IDataObject[]; unread: string[] }> {
  if (choice === 'refuse') return { accounts: await item.accountsOfWorkspace(), unread: [] };
  try {
    return { accounts: await item.accountsOfWorkspace(), unread: [] };
  } catch (error) {
    const why = error instanceof Error ? `: ${error.message}` : '';
    return {
      accounts: [],
      unread: [
        `The text was not compared with the limits of the platforms, because the accounts could not be read${why}`,
      ],
    };
  }
}
