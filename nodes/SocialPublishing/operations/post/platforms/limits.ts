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

/** What a platform is known to take. What its owner doesn't state is absent. */
export interface PlatformLimits {
  /** The name of the platform in a sentence. */
  readonly name: string;
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
  /** When the sources were read: a year, a month and a day. */
  readonly read: string;
}

const characters = (max: number, count: Count): TextLimit => ({ max, count, unit: 'characters' });

const bytes = (max: number): TextLimit => ({ max, count: utf8Bytes, unit: 'bytes' });

const instagram: PlatformLimits = {
  name: 'Instagram',
  text: [characters(2200, codePoints)],
  media: 10,
  needs: 'media',
  sources: [
    'https://developers.facebook.com/docs/instagram-platform/content-publishing/',
    'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
  ],
  read: '2026-11-22',
};

const facebook: PlatformLimits = {
  name: 'Facebook',
  text: [characters(63_206, codePoints)],
  // As Facebook announced it in November 2011. The documentation of its API names no limit.
  sources: ['https://www.facebook.com/schrep/posts/203969696349811'],
  read: '2026-11-22',
};

const linkedin: PlatformLimits = {
  name: 'LinkedIn',
  text: [characters(3000, codePoints)],
  media: 20,
  videos: 1,
  // LinkedIn documents the pictures. The length of the text is as publishing tools document it.
  sources: [
    'https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/multiimage-post-api',
    'https://www.ayrshare.com/docs/apis/post/social-networks/linkedin',
  ],
  read: '2026-11-22',
};

const x: PlatformLimits = {
  name: 'X',
  text: [characters(280, xLength)],
  media: 4,
  longerIf: 'the account has X Premium',
  sources: ['https://docs.x.com/fundamentals/counting-characters'],
  read: '2026-11-22',
};

const tiktok: PlatformLimits = {
  name: 'TikTok',
  text: [characters(4000, utf16Units)],
  textWithVideo: [characters(2200, utf16Units)],
  media: 35,
  videos: 1,
  needs: 'media',
  sources: ['https://developers.tiktok.com/doc/content-posting-api-reference-photo-post'],
  read: '2026-11-22',
};

const youtube: PlatformLimits = {
  name: 'YouTube',
  text: [bytes(5000)],
  media: 1,
  needs: 'video',
  sources: ['https://developers.google.com/youtube/v3/docs/videos'],
  read: '2026-11-22',
};

const threads: PlatformLimits = {
  name: 'Threads',
  text: [characters(500, emojisInBytes)],
  media: 20,
  sources: ['https://developers.facebook.com/documentation/threads/posts'],
  read: '2026-11-22',
};

const bluesky: PlatformLimits = {
  name: 'Bluesky',
  text: [characters(300, graphemes), bytes(3000)],
  media: 4,
  videos: 1,
  sources: [
    'https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/post.json',
    'https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/embed/images.json',
  ],
  read: '2026-11-22',
};

const mastodon: PlatformLimits = {
  name: 'Mastodon',
  text: [characters(500, mastodonLength)],
  media: 4,
  longerIf: 'its server allows more',
  sources: [
    'https://github.com/mastodon/mastodon/blob/main/app/validators/status_length_validator.rb',
    'https://docs.joinmastodon.org/user/posting/',
  ],
  read: '2026-11-22',
};

const pinterest: PlatformLimits = {
  name: 'Pinterest',
  text: [characters(800, codePoints)],
  media: 5,
  videos: 1,
  needs: 'media',
  sources: ['https://github.com/pinterest/api-description/blob/main/v5/openapi.yaml'],
  read: '2026-11-22',
};

const googleBusiness: PlatformLimits = {
  name: 'Google Business Profile',
  text: [characters(1500, codePoints)],
  // As publishing tools document it. The reference of Google's API names no limit.
  sources: ['https://docs.zernio.com/platforms/google-business'],
  read: '2026-11-22',
};

const BY_KEY: Readonly<Record<string, PlatformLimits>> = {
  instagram,
  facebook,
  linkedin,
  x,
  tiktok,
  youtube,
  threads,
  bluesky,
  mastodon,
  pinterest,
  googlebusiness: googleBusiness,
};

/** The platforms whose limits are known. */
export const platforms: readonly PlatformLimits[] = Object.values(BY_KEY);

/** The limits of a platform by its key; `undefined` when they are not known. */
export const limitsOf = (key: string): PlatformLimits | undefined =>
  Object.hasOwn(BY_KEY, key) ? BY_KEY[key] : undefined;
