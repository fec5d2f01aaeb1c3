/** A platform: what its owner calls it, what else people call it, and where profiles are. */
interface Platform {
  readonly name: string;
  /** Without blanks and signs: see {@link squash}. */
  readonly words?: readonly string[];
  readonly hosts?: readonly string[];
}

/** By their identifiers, without blanks and signs. */
const PLATFORMS: Readonly<Record<string, Platform>> = {
  bluesky: { name: 'Bluesky', words: ['bsky'], hosts: ['bsky.app'] },
  discord: { name: 'Discord' },
  facebook: {
    name: 'Facebook',
    words: ['fb', 'facebookpage', 'facebookbusiness'],
    hosts: ['facebook.com', 'fb.com'],
  },
  googlebusiness: {
    name: 'Google Business Profile',
    words: ['googlebusinessprofile', 'googlemybusiness', 'gbp', 'gmb'],
  },
  instagram: {
    name: 'Instagram',
    words: ['ig', 'insta', 'instagrambusiness'],
    hosts: ['instagram.com'],
  },
  linkedin: {
    name: 'LinkedIn',
    words: ['li', 'linkedinpage', 'linkedincompany', 'linkedincompanypage'],
    hosts: ['linkedin.com'],
  },
  mastodon: { name: 'Mastodon' },
  medium: { name: 'Medium', hosts: ['medium.com'] },
  pinterest: { name: 'Pinterest', hosts: ['pinterest.com'] },
  reddit: { name: 'Reddit', hosts: ['reddit.com'] },
  snapchat: { name: 'Snapchat', words: ['snap'], hosts: ['snapchat.com'] },
  telegram: { name: 'Telegram', words: ['tg'], hosts: ['t.me'] },
  threads: { name: 'Threads', hosts: ['threads.net', 'threads.com'] },
  tiktok: { name: 'TikTok', words: ['tt'], hosts: ['tiktok.com'] },
  tumblr: { name: 'Tumblr', hosts: ['tumblr.com'] },
  twitch: { name: 'Twitch', hosts: ['twitch.tv'] },
  vimeo: { name: 'Vimeo', hosts: ['vimeo.com'] },
  whatsapp: { name: 'WhatsApp' },
  wordpress: { name: 'WordPress' },
  x: {
    name: 'X',
    words: ['twitter', 'tw', 'xtwitter', 'twitterx'],
    hosts: ['x.com', 'twitter.com'],
  },
  youtube: { name: 'YouTube', words: ['yt'], hosts: ['youtube.com'] },
};

/** A word without blanks, signs and capitals: `google_business` and `Google Business` are the same. */
export const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const KEYS = new Map(
  Object.entries(PLATFORMS).flatMap(([key, { words = [] }]) =>
    [key, ...words].map((word): [string, string] => [word, key]),
  ),
);

/** The key of a platform, such as `x` for Twitter; an unknown word is its own key. */
export function platformKey(word: string): string {
  const squashed = squash(word);
  return KEYS.get(squashed) ?? squashed;
}

/** What people call a platform beside its key. */
export const wordsFor = (key: string): readonly string[] => PLATFORMS[key]?.words ?? [];

/** The hosts of profiles, as alternatives of a pattern. */
export const HOSTS = Object.values(PLATFORMS)
  .flatMap(({ hosts = [] }) => hosts)
  .map((host) => host.replace('.', String.raw`\.`))
  .join('|');

/** The platform whose profiles a host has, as {@link platformKey} gives it. */
export function platformOfHost(host: string): string | undefined {
  const isHost = (known: string): boolean => host === known || host.endsWith(`.${known}`);
  return Object.entries(PLATFORMS).find(([, { hosts = [] }]) => hosts.some(isHost))?.[0];
}

/** The name of a platform as its owner writes it, else as the service does. */
export const platformName = (identifier: string): string => {
  if (squash(identifier) === 'twitter') return 'Twitter';
  return PLATFORMS[squash(identifier)]?.name ?? identifier;
};
