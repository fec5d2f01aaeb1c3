import type { IDataObject } from 'n8n-workflow';

import { accountLabel, isActive } from '../../parameters/accounts/accountLabels';
import { platformKey } from '../../parameters/accounts/platforms';
import type { Item } from '../../parameters/item';
import { FieldError } from '../../parameters/refusal';
import { idNumber } from '../../parameters/values';
import type { AccountPost } from './compose/accountPost';
import type { Composition } from './compose/compose';
import { isLongForSome, judge, judgeAddresses, type Objection } from './platforms/judge';

/** The option that says what becomes of a post with which something is wrong. */
export const IF_WRONG = 'options.ifWrong';

export const ifWrongOf = (item: Item): 'warn' | 'fail' | 'ignore' =>
  item.oneOf(IF_WRONG, ['warn', 'fail', 'ignore']) ?? 'warn';

/** The account with that ID; `undefined` when none has it. */
export const accountWith = (
  id: number | undefined,
  accounts: readonly IDataObject[],
): IDataObject | undefined =>
  id === undefined ? undefined : accounts.find((account) => idNumber(account.id) === id);

/** The platform of an account as the service writes it; empty when it names none. */
export const platformOf = (account: IDataObject | undefined): string =>
  typeof account?.platform === 'string' ? account.platform : '';

/** What is wrong with a field, as a warning. */
export const inWords = ({ message, hint }: FieldError): string =>
  `${message}. ${hint.replace(/\.$/, '')}`;

/** An objection with the field that it is about. */
export function fieldError(
  item: Item,
  { from }: AccountPost,
  { about, problem, hint }: Objection,
): FieldError {
  const path = from[about];
  return new FieldError(path, item.label(path), problem, hint, 'platformRefuses');
}

/**
 * What is known to be wrong with what one account is to publish.
 *
 * @param accounts those of the workspace, as far as they are read
 */
export function wrongWith(
  item: Item,
  post: AccountPost,
  accounts: readonly IDataObject[],
): FieldError[] {
  const account = accountWith(post.account, accounts);
  const { objections } = judge(platformKey(platformOf(account)), post);
  return [
    ...(account === undefined || isActive(account)
      ? []
      : [
          new FieldError(
            'accounts',
            `The account ${accountLabel(account)}`,
            'is inactive, so it may publish nothing',
            'Connect it again in the service.',
            'inactiveAccount',
          ),
        ]),
    ...[...judgeAddresses(post.media), ...objections].map((one) => fieldError(item, post, one)),
  ];
}

/** What is known to be wrong with the time of a post. */
export const wrongWithTime = (item: Item, { dateOnly }: Composition): FieldError[] =>
  dateOnly
    ? [
        new FieldError(
          'scheduledAt',
          item.label('scheduledAt'),
          'has no time of day, which means midnight',
          'Add the time, such as 09:00 or 00:00.',
          'noTimeOfDay',
        ),
      ]
    : [];

/** Whether a text is long for some platform, so that Create reads the accounts for their platforms. */
export const needsPlatforms = (accountPosts: readonly AccountPost[]): boolean =>
  accountPosts.some(isLongForSome);

/** What is known to be wrong with one post. */
export interface PostCheck {
  /** In words. */
  readonly warnings: readonly string[];
  /** Why the post must not be sent, for a user who wants that. */
  readonly refusal?: FieldError;
}

/**
 * Finds what is wrong with a post before it is sent. The accounts are read only for a text that is long
 * for some platform, unless a field named one of them anyway.
 *
 * @returns the warnings; for a user who wants no such post, the first one as a refusal instead
 */
export async function checkPost(item: Item, composition: Composition): Promise<PostCheck> {
  const choice = ifWrongOf(item);
  if (choice === 'ignore') return { warnings: [] };
  const { accountPosts } = composition;
  const read = item.accountsIfRead();
  const { accounts, unread } =
    read === undefined && needsPlatforms(accountPosts)
      ? await readForWarnings(item, choice)
      : { accounts: read ?? [], unread: [] };
  const wrong = [
    ...wrongWithTime(item, composition),
    ...accountPosts.flatMap((one) => wrongWith(item, one, accounts)),
  ];
  const [first] = wrong;
  return choice === 'fail' && first !== undefined
    ? { warnings: [], refusal: first }
    : { warnings: [...new Set([...wrong.map(inWords), ...unread])] };
}

/** Reads the accounts. Where the check only warns, it goes on without them, and says so. */
async function readForWarnings(
  item: Item,
  choice: 'warn' | 'fail',
): Promise<{ accounts: readonly IDataObject[]; unread: string[] }> {
  if (choice === 'fail') return { accounts: await item.accountsOfWorkspace(), unread: [] };
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
