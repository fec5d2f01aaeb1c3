import type { IDataObject } from 'n8n-workflow';

import { isRefusal, type Reading, type Refusal, wrong } from '../refusal';
import { isEmpty, quote, textOf, wholeNumber } from '../values';
import { AccountIndex, namesIn } from './accountIndex';
import { accountLabel, isActive, namesOf, withActivity } from './accountLabels';
import { suggestions } from './suggestions';

const ALL = /^all$/i;

/** What the entries of a list name, one after the other: a text may name several accounts. */
function* namedIn(entries: readonly unknown[], known?: AccountIndex): Generator<unknown> {
  for (const entry of entries) yield* typeof entry === 'string' ? namesIn(entry, known) : [entry];
}

/**
 * Reads a list of IDs and texts, each of which may name several accounts; each account once.
 * @param readAll called only when an entry is no ID
 * @returns their IDs, or which entry is refused, and why
 */
export async function readAccountList(
  entries: readonly unknown[],
  readAll: () => Promise<readonly IDataObject[]>,
): Promise<readonly number[] | (Refusal & { readonly index: number })> {
  const isName = (entry: unknown): boolean => 'name' in (namedAccount(entry) ?? {});
  const needsAccounts = [...namedIn(entries)].some(isName);
  const known = AccountIndex.of(needsAccounts ? await readAll() : []);
  const ids = new Set<number>();
  let index = 0;
  for (const entry of namedIn(entries, known)) {
    const reading = readEntry(entry, known);
    if (isRefusal(reading)) return { index, ...reading };
    for (const id of reading.value) ids.add(id);
    index += 1;
  }
  return [...ids];
}

function readEntry(entry: unknown, known: AccountIndex): Reading<number[]> {
  const named = namedAccount(entry);
  if (named === undefined) {
    return wrong(
      `is ${quote(entry)}, which is not an account`,
      'Enter an ID above 0, a handle or a platform.',
      'notAnAccount',
    );
  }
  if ('id' in named) return { value: [named.id] };
  return ALL.test(named.name) ? everyAccount(named.name, known) : findAccount(named.name, known);
}

function everyAccount(word: string, known: AccountIndex): Reading<number[]> {
  const called = known.meant(word);
  if (called.length > 0) {
    return wrong(
      `is ${quote(word)}, which stands for all accounts, but is also the name of one`,
      listed(called, known),
      'ambiguousAll',
    );
  }
  const ids = known.accounts.flatMap((account) =>
    isActive(account) ? (wholeNumber(account.id) ?? []) : [],
  );
  return ids.length > 0
    ? { value: ids }
    : wrong(
        `is ${quote(word)}, and this workspace has no active account`,
        'Connect an account in the service.',
        'noActiveAccount',
      );
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

/** What to write for each account: the shortest name that no other account has, and its ID. */
function listed(some: readonly IDataObject[], known: AccountIndex): string {
  const labels = [...some]
    .sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .slice(0, LISTED)
    .map((account) => {
      const name = namesOf(account).find((one) => known.isOnly(account, one));
      const id = textOf(account.id);
      return `for ${withActivity(accountLabel(account), account)}, write ${name === undefined ? id : `${name}, or ${id}`}`;
    });
  const more = some.length - labels.length;
  const text = `${labels.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

const LINE = 100;

/** What to write instead of a name that no account has. */
function insteadOf(name: string, known: AccountIndex): string {
  if (known.accounts.length === 0) {
    return 'The workspace has no connected account: connect one in the service.';
  }
  const list = listed(known.accounts, known);
  const close = list.length > LINE ? suggestions(name, known) : [];
  return close.length === 0 ? list : `Did you mean ${close.join(' or ')}?`;
}

/** Finds the one account with that handle, platform, name, label or address of its profile. */
function findAccount(name: string, known: AccountIndex): Reading<number[]> {
  const found = known.meant(name);
  if (found.length === 0) {
    const problem = `is ${quote(name)}, which is not an account of this workspace`;
    return wrong(problem, insteadOf(name, known), 'noSuchAccount');
  }
  const id = found.length === 1 ? wholeNumber(found[0]?.id) : undefined;
  if (id !== undefined) return { value: [id] };
  const problem = `is ${quote(name)}, which matches ${found.length} accounts`;
  return wrong(problem, listed(found, known), 'severalAccounts');
}
