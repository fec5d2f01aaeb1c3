import {
  codePoints,
  type Count,
  emojisInBytes,
  graphemes,
  mastodonLength,
  utf8Bytes,
  utf16Units,
  xLength,
} from './counting';

/** How long a text may be. */
export interface TextLimit {
  readonly max: number;
  readonly count: Count;
  /** What is counted, in words. */
  readonly unit: 'bytes' | 'characters';
}

/** A platform: what its owner calls it, what else people call it, and where profiles are. */
interface Platform {
  readonly name: string;
  /** Without blanks and signs: see {@link squash}. */
  readonly words?: readonly string[];
  readonly hosts?: readonly string[];
}

/** A platform with what it is known to take. What its owner doesn't state is absent. */
export interface LimitedPlatform extends Platform {
  /** Each must hold. The first is the one that people know. */
  readonly text: readonly TextLimit[];
  /** How long a text may be beside a video, where that is another limit. */
  readonly textWithVideo?: readonly TextLimit[];
  readonly media?: number;
  /** The most videos in one post, where that is less. */
  readonly videos?: number;
  readonly needs?: 'media' | 'video';
  /** When a longer text is taken nevertheless, in words to be read after "unless". */
  readonly longerIf?: string;
  /** Where it is said: by the platform's owner, unless a comment says otherwise. */
  readonly sources: readonly string[];
  /** When the sources were read, if not on the day {@link LIMITS_READ}. */
  readonly read?: string;
}

export const LIMITS_READ = '2026-11-22';

const characters = (max: number, count: Count): TextLimit => ({ max, count, unit: 'characters' });

const bytes = (max: number): TextLimit => ({ max, count: utf8Bytes, unit: 'bytes' });

/** By their identifiers, without blanks and signs; those whose limits are known come first. */
const ROWS: Readonly<Record<string, Platform | LimitedPlatform>> = {
  instagram: {
    name: 'Instagram',
    words: ['ig', 'insta', 'instagrambusiness'],
    hosts: ['instagram.com'],
    text: [characters(2200, codePoints)],
    media: 10,
    needs: 'media',
    sources: [
      'https://developers.facebook.com/docs/instagram-platform/content-publishing/',
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
    ],
  },
  facebook: {
    name: 'Facebook',
    words: ['fb', 'facebookpage', 'facebookbusiness'],
    hosts: ['facebook.com', 'fb.com'],
    text: [characters(63_206, codePoints)],
    // As Facebook announced it in November 2011. The documentation of its API names no limit.
    sources: ['https://www.facebook.com/schrep/posts/203969696349811'],
  },
  linkedin: {
    name: 'LinkedIn',
    words: ['li', 'linkedinpage', 'linkedincompany', 'linkedincompanypage'],
    hosts: ['linkedin.com'],
    text: [characters(3000, codePoints)],
    media: 20,
    videos: 1,
    // LinkedIn documents the pictures. The length of the text is as publishing tools document it.
    sources: [
      'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/multiimage-post-api',
      'https://www.ayrshare.com/docs/apis/post/social-networks/linkedin',
    ],
  },
  x: {
    name: 'X',
    words: ['twitter', 'tw', 'xtwitter', 'twitterx'],
    hosts: ['x.com', 'twitter.com'],
    text: [characters(280, xLength)],
    media: 4,
    longerIf: 'the account has X Premium',
    sources: ['https://docs.x.com/fundamentals/counting-characters'],
  },
  tiktok: {
    name: 'TikTok',
    words: ['tt'],
    hosts: ['tiktok.com'],
    text: [characters(4000, utf16Units)],
    textWithVideo: [characters(2200, utf16Units)],
    media: 35,
    videos: 1,
    needs: 'media',
    sources: ['https://developers.tiktok.com/doc/content-posting-api-reference-photo-post'],
  },
  youtube: {
    name: 'YouTube',
    words: ['yt'],
    hosts: ['youtube.com'],
    text: [bytes(5000)],
    media: 1,
    needs: 'video',
    sources: ['https://developers.google.com/youtube/v3/docs/videos'],
  },
  threads: {
    name: 'Threads',
    hosts: ['threads.net', 'threads.com'],
    text: [characters(500, emojisInBytes)],
    media: 20,
    sources: ['https://developers.facebook.com/documentation/threads/posts'],
  },
  bluesky: {
    name: 'Bluesky',
    words: ['bsky'],
    hosts: ['bsky.app'],
    text: [characters(300, graphemes), bytes(3000)],
    media: 4,
    videos: 1,
    sources: [
      'https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json',
      'https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/images.json',
    ],
  },
  mastodon: {
    name: 'Mastodon',
    text: [characters(500, mastodonLength)],
    media: 4,
    longerIf: 'its server allows more',
    sources: [
      'https://github.com/mastodon/mastodon/blob/main/app/validators/status_length_validator.rb',
      'https://docs.joinmastodon.org/user/posting/',
    ],
  },
  pinterest: {
    name: 'Pinterest',
    hosts: ['pinterest.com'],
    text: [characters(800, codePoints)],
    media: 5,
    videos: 1,
    needs: 'media',
    sources: ['https://github.com/pinterest/api-description/blob/main/v5/openapi.yaml'],
  },
  googlebusiness: {
    name: 'Google Business Profile',
    words: ['googlebusinessprofile', 'googlemybusiness', 'gbp', 'gmb'],
    text: [characters(1500, codePoints)],
    // As publishing tools document it. The reference of Google's API names no limit.
    sources: ['https://docs.zernio.com/platforms/google-business'],
  },
  discord: { name: 'Discord' },
  medium: { name: 'Medium', hosts: ['medium.com'] },
  reddit: { name: 'Reddit', hosts: ['reddit.com'] },
  snapchat: { name: 'Snapchat', words: ['snap'], hosts: ['snapchat.com'] },
  telegram: { name: 'Telegram', words: ['tg'], hosts: ['t.me'] },
  tumblr: { name: 'Tumblr', hosts: ['tumblr.com'] },
  twitch: { name: 'Twitch', hosts: ['twitch.tv'] },
  vimeo: { name: 'Vimeo', hosts: ['vimeo.com'] },
  whatsapp: { name: 'WhatsApp' },
  wordpress: { name: 'WordPress' },
};

const PLATFORMS = new Map(Object.entries(ROWS));

/** A word without blanks, signs and capitals: `google_business` and `Google Business` are the same. */
export const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map(
  [...PLATFORMS].flatMap(([key, { words = [] }]) =>
    [key, ...words].map((word): [string, string] => [word, key]),
  ),
);

/** The key of a platform, such as `x` for Twitter; an unknown word is its own key. */
export function platformKey(word: string): string {
  const squashed = squash(word);
  return KEYS.get(squashed) ?? squashed;
}

const isLimited = (platform: Platform): platform is LimitedPlatform => 'text' in platform;

/** The platforms whose limits are known. */
export const limitedPlatforms: readonly LimitedPlatform[] = Object.values(ROWS).filter(isLimited);

/** A platform by its key, with its limits; `undefined` when they are not known. */
export const limitsOf = (key: string): LimitedPlatform | undefined =>
  limitedPlatforms.find((one) => one === PLATFORMS.get(key));

/** What people call a platform beside its key. */
export const wordsFor = (key: string): readonly string[] => PLATFORMS.get(key)?.words ?? [];

/** The hosts of profiles, as alternatives of a pattern. */
export const HOSTS = Object.values(ROWS)
  .flatMap(({ hosts = [] }) => hosts)
  .map((host) => host.replace('.', String.raw`\.`))
  .join('|');

/** The platform whose profiles a host has, as {@link platformKey} gives it. */
export function platformOfHost(host: string): string | undefined {
  const isHost = (known: string): boolean => host === known || host.endsWith(`.${known}`);
  return [...PLATFORMS].find(([, { hosts = [] }]) => hosts.some(isHost))?.[0];
}

/** The name of a platform as its owner writes it, else as the service does. */
export const platformName = (identifier: string): string =>
  squash(identifier) === 'twitter'
    ? 'Twitter'
    : (PLATFORMS.get(squash(identifier))?.name ?? identifier);
