import { parseUrl } from '../../../../shared/url';
import { limitsOf, type PlatformLimits, platforms, type TextLimit } from './limits';
import { shareLinkAt } from './shareLinks';

/** One picture or video of a post. */
export interface Media {
  /** Its address; `undefined` for a file that is still to get one. */
  readonly address?: string;
  readonly type?: string;
}

/** What one account is to publish. */
export interface PostContent {
  readonly text: string;
  readonly media: readonly Media[];
}

/** Why a platform is known to refuse what it is to publish. */
export interface Objection {
  /** What it is about: the part of the variant (docs/service.md, "Post variant"). */
  readonly about: 'content' | 'mediaUrls';
  /** In words that follow the name of the field: `is longer than …`. One cause always has the same words. */
  readonly problem: string;
  readonly hint: string;
}

/** What is known of a post on a platform. */
interface Judgement {
  /** How long the text is, as the platform counts it; in code points where that is not known. */
  readonly length: number;
  /** How long it may be; `undefined` where that is not known. */
  readonly limit: number | undefined;
  readonly objections: readonly Objection[];
}

const number = new Intl.NumberFormat('en');

const VIDEO_ENDING = /\.(?:mp4|mov|m4v|webm|avi|mkv|mpe?g|wmv|3gp)$/i;
const PICTURE_ENDING = /\.(?:jpe?g|png|gif|webp|heic|heif|avif|bmp|tiff?|svg)$/i;

/** What a medium is; `undefined` where neither its type nor its address tells. */
function kindOf({ address, type }: Media): 'picture' | 'video' | undefined {
  if (type?.startsWith('video/') === true) return 'video';
  if (type?.startsWith('image/') === true) return 'picture';
  const path = parseUrl(address ?? '')?.pathname ?? '';
  if (VIDEO_ENDING.test(path)) return 'video';
  return PICTURE_ENDING.test(path) ? 'picture' : undefined;
}

const limitsFor = (limits: PlatformLimits, media: readonly Media[]): readonly TextLimit[] =>
  limits.textWithVideo !== undefined && media.some((one) => kindOf(one) === 'video')
    ? limits.textWithVideo
    : limits.text;

/** The first limit that a text exceeds, else the first of all. */
function decisive(text: string, limits: readonly TextLimit[]): TextLimit | undefined {
  return limits.find(({ max, count }) => count(text) > max) ?? limits[0];
}

function aboutText({ name, longerIf }: PlatformLimits, { max, unit }: TextLimit): Objection {
  return {
    about: 'content',
    problem: `is longer than the ${number.format(max)} ${unit} that ${name} takes${longerIf === undefined ? '' : `, unless ${longerIf}`}`,
    hint: `Shorten it, or give the ${name} account a text of its own.`,
  };
}

function aboutMedia(limits: PlatformLimits, media: readonly Media[]): Objection[] {
  const { name } = limits;
  const videos = media.filter((one) => kindOf(one) === 'video').length;
  const mayBeVideo = media.some((one) => kindOf(one) !== 'picture');
  const about = 'mediaUrls';
  if (limits.needs === 'video' && !mayBeVideo) {
    return [{ about, problem: `has no video, which ${name} needs`, hint: 'Add a video.' }];
  }
  if (limits.needs === 'media' && media.length === 0) {
    return [
      {
        about,
        problem: `is empty, and ${name} needs a picture or a video`,
        hint: 'Add at least one.',
      },
    ];
  }
  if (limits.videos !== undefined && videos > limits.videos) {
    return [
      {
        about,
        problem: `has more videos than ${name} takes (${limits.videos})`,
        hint: `Leave some out, or give the ${name} account media of its own.`,
      },
    ];
  }
  return limits.media !== undefined && media.length > limits.media
    ? [
        {
          about,
          problem: `has more pictures and videos than ${name} takes (${limits.media})`,
          hint: `Leave some out, or give the ${name} account media of its own.`,
        },
      ]
    : [];
}

/** What every platform refuses, judged by the addresses of the media alone: a page instead of a file. */
export function judgeAddresses(media: readonly Media[]): Objection[] {
  return media.flatMap(({ address = '' }) => {
    const link = shareLinkAt(address);
    if (link === undefined || link.opens === 'file') return [];
    return [
      {
        about: 'mediaUrls',
        problem: `has ${address}, which opens a ${link.opens} of ${link.of} instead of a file`,
        hint:
          link.opens === 'folder'
            ? 'Enter the link of each file.'
            : 'Put the picture or video into Google Drive or Dropbox, share it with anyone who has the link, and enter that link.',
      },
    ];
  });
}

/** Judges a post by what its platform is known to take, but for the addresses of its media. */
export function judge(platform: string, { text, media }: PostContent): Judgement {
  const limits = limitsOf(platform);
  const limit = limits && decisive(text, limitsFor(limits, media));
  if (limits === undefined || limit === undefined) {
    return { length: [...text].length, limit: undefined, objections: [] };
  }
  const length = limit.count(text);
  return {
    length,
    limit: limit.max,
    objections: [
      ...(length > limit.max ? [aboutText(limits, limit)] : []),
      ...aboutMedia(limits, media),
    ],
  };
}

/** Whether a post has a longer text than some platform takes. */
export const isLongForSome = ({ text, media }: PostContent): boolean =>
  platforms.some((limits) => limitsFor(limits, media).some(({ max, count }) => count(text) > max));
