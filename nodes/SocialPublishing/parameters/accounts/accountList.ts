import type { IDataObject } from 'n8n-workflow';

import { isRefusal, type Reading, type Refusal } from '../reading';
import { isEmpty, quote, textOf, wholeNumber } from '../values';
import { accountLabel, handleOf, isActive, withActivity } from './accountLabels';
import { type Called, calledOf, meant } from './accountNames';
import { splitAccounts } from './accountTexts';

/** The word for all active accounts. */
const ALL = /^all$/i;

/** Where in a list an entry is refused, and why. */
interface EntryRefusal extends Refusal {
  readonly index: number;
}

/**
 * Reads a list of accounts, each once.
 *
 * @param entries what the list holds: IDs and texts, each of which may name several
 * @param readAll reads the accounts of the workspace; called only when an entry is no ID
 */
export async function readAccountList(
  entries: readonly unknown[],
  readAll: () => Promise<readonly IDataObject[]>,
): Promise<readonly number[] | EntryRefusal> {
  const splitAll = (accounts: readonly Called[]): unknown[] =>
    entries.flatMap((entry) =>
      typeof entry === 'string' ? splitAccounts(entry, accounts) : [entry],
    );
  const needsAccounts = splitAll([]).some((entry) => {
    const named = namedAccount(entry);
    return named !== undefined && 'name' in named;
  });
  const accounts = needsAccounts ? (await readAll()).map(calledOf) : [];
  const ids: number[] = [];
  for (const [index, name] of splitAll(accounts).entries()) {
    const reading = readEntry(name, accounts);
    if (isRefusal(reading)) return { index, ...reading };
    ids.push(...reading.value);
  }
  return [...new Set(ids)];
}

function readEntry(entry: unknown, accounts: readonly Called[]): Reading<number[]> {
  const named = namedAccount(entry);
  if (named === undefined) {
    return {
      code: 'notAnAccount',
      problem: `is ${quote(entry)}, which is not an account`,
      hint: 'Enter an ID above 0, a handle or a platform.',
    };
  }
  if ('id' in named) return { value: [named.id] };
  return ALL.test(named.name)
    ? everyAccount(named.name, accounts)
    : findAccount(named.name, accounts);
}

function everyAccount(word: string, accounts: readonly Called[]): Reading<number[]> {
  const called = meant(word, accounts);
  if (called.length > 0) {
    return {
      code: 'ambiguousAll',
      problem: `is ${quote(word)}, which stands for all accounts, but is also the name of one`,
      hint: listed(called, accounts),
    };
  }
  const ids = accounts.flatMap(({ account }) =>
    isActive(account) ? (wholeNumber(account.id) ?? []) : [],
  );
  return ids.length > 0
    ? { value: ids }
    : {
        code: 'noActiveAccount',
        problem: `is ${quote(word)}, and this workspace has no active account`,
        hint: 'Connect an account in the service.',
      };
}

/** An account as the user named it: by its ID, or by a handle, a platform or a name. */
type NamedAccount = { readonly id: number } | { readonly name: string };

/** @returns the account that a value names, or `undefined` when it names none */
export function namedAccount(value: unknown): NamedAccount | undefined {
  const id = wholeNumber(value);
  if (id !== undefined) return id > 0 ? { id } : undefined;
  if (typeof value !== 'string' || isEmpty(value) || /^[-+]?[\d.]+$/.test(value.trim()))
    return undefined;
  return { name: value.trim() };
}

const LISTED = 20;

/** What to write for an account: the shortest name that no other account has, and its ID. */
function namesFor({ account }: Called, accounts: readonly Called[]): string {
  const id = textOf(account.id);
  const platform = textOf(account.platform);
  const handle = handleOf(account);
  const name = [platform, handle, `${platform}:${handle.slice(1)}`].find((candidate) => {
    const [found, ...others] = meant(candidate, accounts);
    return found?.account === account && others.length === 0;
  });
  return name === undefined ? id : `${name}, or ${id}`;
}

function listed(some: readonly Called[], accounts: readonly Called[]): string {
  const labels = [...some]
    .sort((a, b) => Number(isActive(b.account)) - Number(isActive(a.account)))
    .slice(0, LISTED)
    .map((called) => {
      const label = withActivity(accountLabel(called.account), called.account);
      return `for ${label}, write ${namesFor(called, accounts)}`;
    });
  const more = some.length - labels.length;
  const text = `${labels.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * Finds the account that is named by its handle, its platform, its name, its label or the address of
 * its profile. A name that fits several is refused with all of them.
 */
function findAccount(name: string, accounts: readonly Called[]): Reading<number[]> {
  const found = meant(name, accounts);
  const [first, ...others] = found;
  if (first === undefined) {
    return {
      code: 'noSuchAccount',
      problem: `is ${quote(name)}, which is not an account of this workspace`,
      hint:
        accounts.length === 0
          ? 'The workspace has no connected account: connect one in the service.'
          : listed(accounts, accounts),
    };
  }
  const id = wholeNumber(first.account.id);
  return id === undefined || others.length > 0
    ? {
        code: 'severalAccounts',
        problem: `is ${quote(name)}, which matches ${found.length} accounts`,
        hint: listed(found, accounts),
      }
    : { value: [id] };
}
