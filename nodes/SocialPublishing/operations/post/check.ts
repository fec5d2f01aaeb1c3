import type { IDataObject } from 'n8n-workflow';

import { accountLabel, isActive } from '../../parameters/accounts/accountLabels';
import type { Item } from '../../parameters/item';
import { FieldError } from '../../parameters/refusal';
import { idNumber, textOf } from '../../parameters/values';
import { isLongForSome, judge, judgeAddresses, type Objection } from '../../platforms/judge';
import { platformKey } from '../../platforms/platforms';
import type { Found, PostToCheck } from './compose/compose';
import type { Variant } from './compose/variants';

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

/** What is wrong with a field, as a warning for whoever wrote the value. */
export const inWords = ({ forWriter, message, refusal }: FieldError): string =>
  (forWriter ?? `${message}. ${refusal.hint}`).replace(/\.$/, '');

/** An objection with the field that it is about. */
export const fieldError = (
  item: Item,
  { from }: Variant,
  { about, problem, hint }: Objection,
): FieldError => item.fieldError(from[about], { problem, hint, code: 'platformRefuses' });

/** What is known to be wrong with what one account is to publish, by those accounts that are read. */
export function wrongWith(
  item: Item,
  variant: Variant,
  accounts: readonly IDataObject[],
): FieldError[] {
  const account = accountWith(variant.account, accounts);
  const { objections } = judge(platformKey(textOf(account?.platform)), variant);
  const wrong = [...judgeAddresses(variant.media), ...objections].map((one) =>
    fieldError(item, variant, one),
  );
  if (account === undefined || isActive(account)) return wrong;
  const inactive = new FieldError('accounts', `The account ${accountLabel(account)}`, {
    problem: 'is inactive, so it may publish nothing',
    hint: 'Connect it again in the service.',
    code: 'inactiveAccount',
  });
  return [inactive, ...wrong];
}

/** All that is known to be wrong with a post, by those accounts that are read. */
export const allWrongWith = (
  item: Item,
  { variants, wrongTime }: PostToCheck,
  accounts: readonly IDataObject[],
): FieldError[] => [
  ...wrongTime,
  ...variants.flatMap((variant) => wrongWith(item, variant, accounts)),
];

/**
 * Finds what is wrong with a post before it is sent. The accounts are read only for a text that is long
 * for some platform, unless a field named one of them anyway.
 * @returns the warnings; for a user who wants no such post, the first one as a refusal instead
 */
export async function checkPost(item: Item, post: PostToCheck): Promise<Found> {
  const choice = ifWrongOf(item);
  if (choice === 'ignore') return { warnings: [] };
  const read = item.accountsIfRead();
  const { accounts, unread } =
    read === undefined && post.variants.some(isLongForSome)
      ? await readForWarnings(item, choice)
      : { accounts: read ?? [], unread: [] };
  const wrong = allWrongWith(item, post, accounts);
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
