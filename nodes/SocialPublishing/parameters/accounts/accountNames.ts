import type { IDataObject } from 'n8n-workflow';

import { parseUrl } from '../../../shared/url';
import { textOf } from '../values';
import { accountLabel, isActive } from './accountLabels';
import { HOSTS, platformKey, platformOfHost } from './platforms';

/** What people call accounts. */

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

/** The address of a profile, also without its scheme. */
export const PROFILE_URL = String.raw`(?<![\w.-])(?:https?:\/\/|(?:[\w-]+\.)*(?:${HOSTS})\/|(?:[\w-]+\.)+[a-z]{2,}\/(?=@))[^\s,;|]+`;

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

/** How people write a platform and a name together. With a blank between them is read, too. */
const TOGETHER = [
  /^(?<platform>[^:]+):(?<name>.+)$/,
  /^(?<name>.+) on (?<platform>.+)$/,
  /^(?<name>.+) \((?<platform>.+)\)$/,
];

/** What an account is called, in the form of {@link plain}. */
export interface Called {
  readonly account: IDataObject;
  readonly platform: string;
  readonly handle: string;
  readonly label: string;
  /** Its handle and its name, as far as it has them. */
  readonly names: readonly string[];
}

export function calledOf(account: IDataObject): Called {
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
  /** A platform and a name on it, in each way that the text can be split. */
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

/** Whether a name means one of the accounts. */
export function isAccount(written: string, accounts: readonly Called[]): boolean {
  const name = nameOf(written);
  return accounts.some((called) => fits(name, called));
}

/**
 * The accounts that a name may mean. On one platform, an inactive account counts only where no active one
 * fits: whoever connects an account again has both.
 */
export function meant(written: string, accounts: readonly Called[]): Called[] {
  const name = nameOf(written);
  const fitting = accounts.filter((called) => fits(name, called));
  const platforms = new Set(
    fitting.filter(({ account }) => isActive(account)).map(({ platform }) => platform),
  );
  return fitting.filter(({ account, platform }) => isActive(account) || !platforms.has(platform));
}
