import type { IDataObject } from 'n8n-workflow';

import { parseUrl } from '../../shared/url';
import { HOSTS, platformKey, platformName, platformOfHost } from './platforms';
import { isRefusal, type Reading, type Refusal } from './reading';
import { isEmpty, quote, wholeNumber } from './values';

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

const INACTIVE = ' – inactive';

/** The label of an account or an agent, marked when it is inactive. */
export const withActivity = (label: string, record: IDataObject): string =>
  isActive(record) ? label : `${label}${INACTIVE}`;

/** A name without what people write in different ways: capitals, blanks, the sign of a handle. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?[–-] inactive$/, '')
    .replace(/ ?: ?/g, ':')
    .replace(/(^|[\s:(])@/g, '$1')
    .trim();

/** The parts of a path to a profile that come before its name. */
const BEFORE_HANDLE = /^(in|company|school|showcase|user|profile|c|channel|r|u|pages|people)$/i;

/** The address of a profile, also without its scheme. */
const PROFILE_URL = String.raw`(?<![\w.-])(?:https?:\/\/|(?:[\w-]+\.)*(?:${HOSTS})\/|(?:[\w-]+\.)+[a-z]{2,}\/(?=@))[^\s,;|]+`;

const IS_PROFILE_URL = new RegExp(`^${PROFILE_URL}$`, 'i');

/** The platform and the handle in the address of a profile; of Mastodon the handle has the host. */
function profileOf(text: string): { platform: string; handle: string } | undefined {
  if (!IS_PROFILE_URL.test(text)) return undefined;
  const url = parseUrl(/^https?:/i.test(text) ? text : `https://${text}`);
  const host = url?.hostname.replace(/^(www|m|mobile)\./, '') ?? '';
  const [segment] = (url?.pathname ?? '')
    .split('/')
    .filter((part) => part !== '' && !BEFORE_HANDLE.test(part));
  if (segment === undefined) return undefined;
  const handle = plain(segment);
  const platform = platformOfHost(host);
  return platform === undefined
    ? { platform: 'mastodon', handle: `${handle}@${host}` }
    : { platform, handle };
}

/** How a platform and a name are written together, beside one after the other. */
const TOGETHER = [
  /^(?<platform>[^:]+):(?<name>.+)$/,
  /^(?<name>.+) on (?<platform>.+)$/,
  /^(?<name>.+) \((?<platform>.+)\)$/,
];

/** Whether a name means an account. */
function fits(name: string, account: IDataObject): boolean {
  const platform = platformKey(textOf(account.platform));
  const handle = plain(textOf(account.platformUsername));
  const own = [handle, plain(textOf(account.displayName))].filter((text) => text !== '');
  const profile = profileOf(name);
  if (profile !== undefined) return profile.platform === platform && profile.handle === handle;
  const wanted = plain(name);
  if (wanted === '') return false;
  if (wanted === plain(accountLabel(account)) || own.includes(wanted)) return true;
  if (platform === '') return false;
  if (platformKey(name) === platform) return true;
  return [
    ...TOGETHER.map((pattern) => pattern.exec(wanted)?.groups),
    ...[...wanted.matchAll(/ /g)].map(({ index }) => ({
      platform: wanted.slice(0, index),
      name: wanted.slice(index + 1),
    })),
  ].some(
    (pair) =>
      pair?.platform !== undefined &&
      pair.name !== undefined &&
      platformKey(pair.platform) === platform &&
      own.includes(plain(pair.name)),
  );
}

/**
 * The accounts that a name may mean. On the same platform, an inactive one is meant only when no active
 * one is: whoever connects an account again has both.
 */
function meant(name: string, accounts: readonly IDataObject[]): IDataObject[] {
  const fitting = accounts.filter((account) => fits(name, account));
  const platforms = new Set(
    fitting.filter(isActive).map(({ platform }) => platformKey(textOf(platform))),
  );
  return fitting.filter(
    (account) => isActive(account) || !platforms.has(platformKey(textOf(account.platform))),
  );
}

const LISTED = 20;

/** What to write for an account: the shortest name that no other account has, and its ID. */
function namesFor(account: IDataObject, accounts: readonly IDataObject[]): string {
  const id = textOf(account.id);
  const platform = textOf(account.platform);
  const name = [platform, handleOf(account), `${platform}:${handleOf(account).slice(1)}`].find(
    (candidate) => {
      const [found, ...others] = meant(candidate, accounts);
      return found === account && others.length === 0;
    },
  );
  return name === undefined ? id : `${name}, or ${id}`;
}

const listed = (some: readonly IDataObject[], accounts: readonly IDataObject[]): string => {
  const labels = [...some]
    .sort((a, b) => Number(isActive(b)) - Number(isActive(a)))
    .slice(0, LISTED)
    .map(
      (account) =>
        `for ${withActivity(accountLabel(account), account)}, write ${namesFor(account, accounts)}`,
    );
  const more = some.length - labels.length;
  const text = `${labels.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
};

/**
 * Finds the account that is named by its handle, its platform, its name, its label or the address of
 * its profile. A name that fits several is refused with all of them.
 *
 * @param accounts the accounts of the workspace, as the service returned them
 */
export function findAccount(name: string, accounts: readonly IDataObject[]): Reading<number> {
  const found = meant(name, accounts);
  const [first, ...others] = found;
  if (first === undefined) {
    return {
      problem: `is ${quote(name)}, which is not an account of this workspace`,
      hint:
        accounts.length === 0
          ? 'The workspace has no connected account: connect one in the service.'
          : listed(accounts, accounts),
    };
  }
  const id = wholeNumber(first.id);
  return id === undefined || others.length > 0
    ? {
        problem: `is ${quote(name)}, which matches ${found.length} accounts`,
        hint: listed(found, accounts),
      }
    : { value: id };
}

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

/** What parts accounts in a text in any case. */
const STRONG = String.raw`\s*[\r\n;]+\s*`;
/** What parts accounts in a text unless it belongs to the name of one. */
const WEAK = String.raw`\s*[,|/]\s*(?:and\s+)?|\s+(?:and|&)\s+`;

/** A text in pieces, with what stands between them: `['x', ', ', 'instagram']`. */
function pieces(text: string): string[] {
  const found: string[] = [''];
  for (const [part] of text.matchAll(new RegExp(`${PROFILE_URL}|${WEAK}|[^]`, 'gi'))) {
    const parts = new RegExp(`^(?:${WEAK})$`, 'i').test(part);
    if (parts) found.push(part, '');
    else found[found.length - 1] += part;
  }
  return found;
}

/**
 * The accounts that a text names, in their order: with commas, semicolons, bars, slashes, `and` or
 * line breaks between them. A name may have such a sign itself: the longest text that names an account
 * is one.
 *
 * @param accounts the accounts of the workspace; `undefined` while nothing but IDs was seen
 */
export function splitAccounts(
  text: string,
  accounts: readonly IDataObject[] | undefined,
): string[] {
  const known = (name: string): boolean =>
    accounts?.some((account) => fits(name, account)) === true;
  return text.split(new RegExp(STRONG)).flatMap((line) => {
    const parts = pieces(line);
    const names: string[] = [];
    let from = 0;
    while (from < parts.length) {
      let to = parts.length;
      while (to > from + 1 && !known(parts.slice(from, to).join(''))) to -= 2;
      const name = parts.slice(from, to).join('').trim();
      if (name !== '') names.push(name);
      from = to + 1;
    }
    return names;
  });
}

/** The word for all active accounts. */
const ALL = /^all$/i;

/** The accounts that a field names. */
export interface AccountList {
  readonly ids: readonly number[];
  /** Those of them that are known to be inactive, as they are labelled. */
  readonly inactive: readonly string[];
}

/** Where in a list an entry is refused, and why. */
export interface EntryRefusal extends Refusal {
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
): Promise<AccountList | EntryRefusal> {
  const isId = (entry: unknown): boolean => wholeNumber(entry) !== undefined;
  const given = entries.flatMap((entry) =>
    typeof entry === 'string' ? splitAccounts(entry, undefined) : [entry],
  );
  const accounts = given.every((entry) => isId(entry) || namedAccount(entry) === undefined)
    ? undefined
    : await readAll();
  const names = entries.flatMap((entry): unknown[] =>
    typeof entry === 'string' ? splitAccounts(entry, accounts) : [entry],
  );
  const ids: number[] = [];
  for (const [index, name] of names.entries()) {
    const reading = readEntry(name, accounts ?? []);
    if (isRefusal(reading)) return { index, ...reading };
    ids.push(...reading.value);
  }
  const once = [...new Set(ids)];
  return { ids: once, inactive: inactiveOf(once, accounts ?? []) };
}

function readEntry(entry: unknown, accounts: readonly IDataObject[]): Reading<number[]> {
  const named = namedAccount(entry);
  if (named === undefined) {
    return {
      problem: `is ${quote(entry)}, which is not an account`,
      hint: 'Enter an ID above 0, a handle or a platform.',
    };
  }
  if ('id' in named) return { value: [named.id] };
  if (ALL.test(named.name)) return everyAccount(named.name, accounts);
  const found = findAccount(named.name, accounts);
  return isRefusal(found) ? found : { value: [found.value] };
}

function everyAccount(word: string, accounts: readonly IDataObject[]): Reading<number[]> {
  const called = meant(word, accounts);
  if (called.length > 0) {
    return {
      problem: `is ${quote(word)}, which stands for all accounts, but is also the name of one`,
      hint: listed(called, accounts),
    };
  }
  const ids = accounts.filter(isActive).flatMap(({ id }) => wholeNumber(id) ?? []);
  return ids.length > 0
    ? { value: ids }
    : {
        problem: `is ${quote(word)}, and this workspace has no active account`,
        hint: 'Connect an account in the service.',
      };
}

/** The labels of the accounts with these IDs that are inactive, as far as accounts are known. */
export const inactiveOf = (ids: readonly number[], accounts: readonly IDataObject[]): string[] =>
  accounts
    .filter((account) => !isActive(account) && ids.some((id) => id === wholeNumber(account.id)))
    .map(accountLabel);
