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

/** The parts of a profile's address that stand before its name, such as `/company/`. */
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

/** What an account is called, in the form of {@link plain}. */
interface Called {
  readonly account: IDataObject;
  readonly platform: string;
  readonly handle: string;
  readonly label: string;
  /** Its handle and its name, as far as it has them. */
  readonly names: readonly string[];
}

function calledOf(account: IDataObject): Called {
  const handle = plain(textOf(account.platformUsername));
  return {
    account,
    platform: platformKey(textOf(account.platform)),
    handle,
    label: plain(accountLabel(account)),
    names: [handle, plain(textOf(account.displayName))].filter((text) => text !== ''),
  };
}

/** What a text may mean as the name of an account. */
interface Name {
  readonly text: string;
  readonly platform: string;
  readonly profile: ReturnType<typeof profileOf>;
  /** A platform and a name on it, in each way that the text can be parted. */
  readonly pairs: ReadonlyArray<{ readonly platform: string; readonly name: string }>;
}

function nameOf(written: string): Name {
  const text = plain(written);
  const parted = [
    ...TOGETHER.map((pattern) => pattern.exec(text)?.groups ?? {}),
    ...[...text.matchAll(/ /g)].map(({ index }) => ({
      platform: text.slice(0, index),
      name: text.slice(index + 1),
    })),
  ];
  return {
    text,
    platform: platformKey(text),
    profile: profileOf(written.trim()),
    pairs: parted.map(({ platform = '', name = '' }) => ({
      platform: platformKey(platform),
      name: plain(name),
    })),
  };
}

/** Whether a name means an account. */
function fits(name: Name, { platform, handle, label, names }: Called): boolean {
  const { text, profile } = name;
  if (profile !== undefined) return profile.platform === platform && profile.handle === handle;
  if (text === '') return false;
  if (text === label || names.includes(text)) return true;
  if (platform === '') return false;
  return (
    name.platform === platform ||
    name.pairs.some((pair) => pair.platform === platform && names.includes(pair.name))
  );
}

/**
 * The accounts that a name may mean. On the same platform, an inactive one is meant only when no active
 * one is: whoever connects an account again has both.
 */
function meant(written: string, accounts: readonly Called[]): Called[] {
  const name = nameOf(written);
  const fitting = accounts.filter((called) => fits(name, called));
  const platforms = new Set(
    fitting.filter(({ account }) => isActive(account)).map(({ platform }) => platform),
  );
  return fitting.filter(({ account, platform }) => isActive(account) || !platforms.has(platform));
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
function findAccount(name: string, accounts: readonly Called[]): Reading<number> {
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

/** What always separates two accounts in a text. */
const STRONG = /\s*[\r\n;]+\s*/;
/** What separates two accounts in a text unless it belongs to a name. */
const WEAK = String.raw`\s*[,|/]\s*(?:and\s+)?|\s+(?:and|&)\s+`;

const IS_WEAK = new RegExp(`^(?:${WEAK})$`, 'i');

const PIECES = new RegExp(`${PROFILE_URL}|${WEAK}|[^]`, 'gi');

/** A text in pieces, with what stands between them: `['x', ', ', 'instagram']`. */
function pieces(text: string): string[] {
  const found: string[] = [''];
  for (const [part] of text.matchAll(PIECES)) {
    if (IS_WEAK.test(part)) found.push(part, '');
    else found[found.length - 1] += part;
  }
  return found;
}

/**
 * The accounts that a text names, in their order: with commas, semicolons, bars, slashes, `and` or
 * line breaks between them. A name may have such a sign itself: the longest text that names an account
 * is one.
 *
 * @param accounts the accounts of the workspace, as far as they are known
 */
function split(text: string, accounts: readonly Called[]): string[] {
  const isKnown = (written: string): boolean => {
    const name = nameOf(written);
    return accounts.some((called) => fits(name, called));
  };
  return text.split(STRONG).flatMap((line) => {
    const parts = pieces(line);
    const names: string[] = [];
    let from = 0;
    while (from < parts.length) {
      let to = accounts.length === 0 ? from + 1 : parts.length;
      while (to > from + 1 && !isKnown(parts.slice(from, to).join(''))) to -= 2;
      const name = parts.slice(from, to).join('').trim();
      if (name !== '') names.push(name);
      from = to + 1;
    }
    return names;
  });
}

/** The word for all active accounts. */
const ALL = /^all$/i;

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
): Promise<readonly number[] | EntryRefusal> {
  const splitAll = (known: readonly Called[]): unknown[] =>
    entries.flatMap((entry) => (typeof entry === 'string' ? split(entry, known) : [entry]));
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
  if (ALL.test(named.name)) return everyAccount(named.name, accounts);
  const found = findAccount(named.name, accounts);
  return isRefusal(found) ? found : { value: [found.value] };
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
