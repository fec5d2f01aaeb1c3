import type { IDataObject } from 'n8n-workflow';

import { platformName } from './platforms';
import { isEmpty, quote, wholeNumber } from './values';

/** What parts accounts written as text. */
export const BETWEEN_ACCOUNTS = /[\r\n,;]+/;

/** An account as the user named it: by its ID, or by a handle, a platform or a name. */
export type NamedAccount = { readonly id: number } | { readonly name: string };

/** @returns the account that a value names, or `undefined` when it names none */
export function namedAccount(value: unknown): NamedAccount | undefined {
  const id = wholeNumber(value);
  if (id !== undefined) return id > 0 ? { id } : undefined;
  if (typeof value !== 'string' || isEmpty(value) || /^[-+]?[\d.]+$/.test(value.trim()))
    return undefined;
  return { name: value.trim() };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The first of the values that can be shown. */
const shown = (...values: unknown[]): string =>
  values.map(textOf).find((text) => text !== '') ?? '';

/** `@bluedoorbakery`; empty when the account has no handle. */
const handleOf = ({ platformUsername }: IDataObject): string => {
  const handle = textOf(platformUsername);
  return handle === '' || handle.startsWith('@') ? handle : `@${handle}`;
};

/** An account as people tell it from others: `Instagram: Blue Door Bakery (@bluedoorbakery)`. */
export function accountLabel(account: IDataObject): string {
  const platform = platformName(textOf(account.platform));
  const handle = handleOf(account);
  const name = shown(account.displayName, account.platformUsername, `ID ${textOf(account.id)}`);
  return `${platform === '' ? '' : `${platform}: `}${name}${handle === '' ? '' : ` (${handle})`}`;
}

/** Whether an account or an agent is active, which it is unless the service says otherwise. */
export const isActive = (record: IDataObject): boolean => record.isActive !== false;

/** The label of an account or an agent, marked when it is inactive. */
export const withActivity = (label: string, record: IDataObject): string =>
  isActive(record) ? label : `${label} – inactive`;

/** Which account of a workspace a name means. */
export type FoundAccount =
  { readonly id: number } | { readonly problem: string; readonly hint: string };

const LISTED = 20;

const listed = (accounts: readonly IDataObject[]): string => {
  const labels = [...accounts]
    .sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .slice(0, LISTED)
    .map((account) => `${textOf(account.id)} = ${withActivity(accountLabel(account), account)}`);
  const more = accounts.length - labels.length;
  return `${labels.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};

const plain = (text: string): string => text.trim().replace(/^@/, '').toLowerCase();

/** The ways to name an account, the surest first; the first that fits any account decides. */
const WAYS: ReadonlyArray<(account: IDataObject) => string[]> = [
  (account) => [accountLabel(account)],
  (account) => [textOf(account.platformUsername)],
  (account) => [textOf(account.platform), platformName(textOf(account.platform))],
  (account) => [textOf(account.displayName)],
];

/**
 * Finds the account that is named by its handle, its platform or its name. Inactive ones are meant
 * only when no active one fits.
 *
 * @param accounts the accounts of the workspace, as the service returned them
 */
export function findAccount(name: string, accounts: readonly IDataObject[]): FoundAccount {
  const wanted = plain(name);
  const fitting = WAYS.map((way) =>
    accounts.filter((account) =>
      way(account).some((text) => text !== '' && plain(text) === wanted),
    ),
  ).find(({ length }) => length > 0);
  if (fitting === undefined) {
    return {
      problem: `is ${quote(name)}, which is not an account of this workspace`,
      hint:
        accounts.length === 0
          ? 'The workspace has no connected account: connect one in the service.'
          : `Give one of these by its ID: ${listed(accounts)}.`,
    };
  }
  const active = fitting.filter(isActive);
  const [found, ...others] = active.length > 0 ? active : fitting;
  const id = wholeNumber(found?.id);
  return id === undefined || others.length > 0
    ? {
        problem: `is ${quote(name)}, which matches ${fitting.length} accounts`,
        hint: `Give one of these by its ID: ${listed(fitting)}.`,
      }
    : { id };
}
