import type { IDataObject } from 'n8n-workflow';

import { parseUrl } from '../../../shared/url';
import { HOSTS, platformKey, platformOfHost } from '../../platforms/platforms';
import { textOf } from '../values';
import { accountLabel, isActive } from './accountLabels';

/** What always separates two accounts in a text. */
const STRONG = /[\r\n;]/;
/** What separates two accounts in a text unless it belongs to a name. */
const WEAK = ' ?[,|/+&] ?(?:and )?| and ';

/** The address of a profile, also without its scheme. */
const PROFILE_URL = String.raw`(?<![\w.-])(?:https?:\/\/|(?:[\w-]+\.)*(?:${HOSTS})\/|(?:[\w-]+\.)+[a-z]{2,}\/(?=@))[^\s,;|]+`;

const PARTS = new RegExp(`(?<url>${PROFILE_URL})|${WEAK}`, 'gi');

type Span = readonly [from: number, to: number];

/** What may be an account, or a part of its name. */
function piecesOf(text: string): Span[] {
  const pieces: Span[] = [];
  let from = 0;
  for (const { 0: part, index, groups } of text.matchAll(PARTS)) {
    if (groups?.url !== undefined) continue;
    pieces.push([from, index]);
    from = index + part.length;
  }
  return [...pieces, [from, text.length]];
}

/** A name in one spelling: without capitals, needless blanks and the @ of a handle. */
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

const IS_PROFILE_URL = new RegExp(`^${PROFILE_URL}$`, 'i');

/** Names are looked up by their plain text, all else by a key with a line break, which no name has. */
const onPlatform = (platform: string, name: string): string => `${platform}\n${name}`;

const profileKey = (platform: string, handle: string): string => `${platform}\n\n${handle}`;

/** The key of the profile at an address; of Mastodon the handle has the host. */
function profileAt(address: string): string | undefined {
  const url = parseUrl(/^https?:/i.test(address) ? address : `https://${address}`);
  const host = url?.hostname.replace(/^(www|m|mobile)\./, '') ?? '';
  const [segment] = (url?.pathname ?? '')
    .split('/')
    .filter((part) => part !== '' && !BEFORE_HANDLE.test(part));
  if (segment === undefined) return undefined;
  const handle = plain(segment);
  const platform = platformOfHost(host);
  return platform === undefined
    ? profileKey('mastodon', `${handle}@${host}`)
    : profileKey(platform, handle);
}

/** How people write a platform and a name together. With a blank between them is read, too. */
const TOGETHER = [
  /^(?<platform>[^:]+):(?<name>.+)$/,
  /^(?<name>.+) on (?<platform>.+)$/,
  /^(?<name>.+) \((?<platform>.+)\)$/,
  /^(?<platform>\S+) (?<name>.+)$/,
  /^(?<platform>\S+ \S+) (?<name>.+)$/,
  /^(?<platform>\S+ \S+ \S+) (?<name>.+)$/,
];

const ENDS_IN_SEPARATOR = /[,|/+&]$/;

/** Longer texts name no account: the patterns are not tried on them. */
const LONGEST_NAME = 500;

/** The keys by which an account is found that a text may mean. */
function keysFor(written: string): string[] {
  const address = written.trim();
  if (IS_PROFILE_URL.test(address)) return [profileAt(address) ?? []].flat();
  if (address.length > LONGEST_NAME) return [];
  const text = plain(written);
  const pairs = TOGETHER.flatMap((pattern) => {
    const { platform = '', name = '' } = pattern.exec(text)?.groups ?? {};
    return name === '' || ENDS_IN_SEPARATOR.test(platform)
      ? []
      : [onPlatform(platformKey(platform), plain(name))];
  });
  return text === '' ? [] : [text, onPlatform(platformKey(text), ''), ...pairs];
}

function keysOf(account: IDataObject): string[] {
  const handle = plain(textOf(account.platformUsername));
  const names = [handle, plain(textOf(account.displayName))].filter((name) => name !== '');
  const platform = platformKey(textOf(account.platform));
  const ofPlatform =
    platform === ''
      ? []
      : [
          onPlatform(platform, ''),
          ...names.map((name) => onPlatform(platform, name)),
          ...(handle === '' ? [] : [profileKey(platform, handle)]),
        ];
  return [plain(accountLabel(account)), ...names, ...ofPlatform];
}

/** The accounts of a workspace by what people call them. */
export class AccountIndex {
  private static readonly made = new WeakMap<readonly IDataObject[], AccountIndex>();

  private readonly byKey = new Map<string, Set<IDataObject>>();

  /** The most pieces of a text that the name of an account has: see piecesOf. */
  readonly mostPieces: number;

  private constructor(readonly accounts: readonly IDataObject[]) {
    let most = 0;
    for (const account of accounts) {
      for (const key of keysOf(account)) {
        this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(account));
      }
      most = Math.max(most, piecesOf(accountLabel(account)).length);
    }
    // Beside what the label has: people write `X/Twitter`.
    this.mostPieces = most + 1;
  }

  /** The index of a list, made once for each list. */
  static of(accounts: readonly IDataObject[]): AccountIndex {
    const index = this.made.get(accounts) ?? new AccountIndex(accounts);
    this.made.set(accounts, index);
    return index;
  }

  has(written: string): boolean {
    return keysFor(written).some((key) => this.byKey.has(key));
  }

  /**
   * The accounts that a name may mean, in order. Of one platform, an inactive one counts only
   * without an active one: whoever connects an account again has both.
   */
  meant(written: string): IDataObject[] {
    const found = new Set(keysFor(written).flatMap((key) => [...(this.byKey.get(key) ?? [])]));
    if (found.size < 2) return [...found];
    const fitting = this.accounts.filter((account) => found.has(account));
    const platformOf = ({ platform }: IDataObject): string => platformKey(textOf(platform));
    const platforms = new Set(fitting.filter(isActive).map(platformOf));
    return fitting.filter((account) => isActive(account) || !platforms.has(platformOf(account)));
  }

  isOnly(account: IDataObject, name: string): boolean {
    const [found, ...more] = this.meant(name);
    return found === account && more.length === 0;
  }
}

/**
 * The accounts that a text names, in order. A name may hold a separator itself: the longest text
 * that names an account is one.
 * @param known absent until the accounts are read: then no name holds one
 */
export function* namesIn(
  text: string,
  known?: Pick<AccountIndex, 'mostPieces' | 'has'>,
): Generator<string> {
  for (const line of text.split(STRONG)) {
    // Without long blanks, which the pattern would try from each of them.
    const words = line.replace(/\s+/g, ' ');
    const pieces = piecesOf(words);
    for (let from = 0, to: number; from < pieces.length; from = to) {
      const name = (): string => words.slice(pieces[from]?.[0], pieces[to - 1]?.[1]).trim();
      to = Math.min(pieces.length, from + (known?.mostPieces ?? 1));
      while (to > from + 1 && known?.has(name()) === false) to -= 1;
      if (name() !== '') yield name();
    }
  }
}
