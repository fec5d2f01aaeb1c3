import { parseUrl } from '../../shared/url';
import { codePoints } from './counting';
import { type LimitedPlatform, limitedPlatforms, limitsOf, type TextLimit } from './platforms';
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

const limitsFor = (
  { text, textWithVideo = text }: LimitedPlatform,
  media: readonly Media[],
): readonly TextLimit[] => (media.some((one) => kindOf(one) === 'video') ? textWithVideo : text);

const aboutText = ({ name, longerIf }: LimitedPlatform, { max, unit }: TextLimit): Objection => ({
  about: 'content',
  problem: `is longer than the ${number.format(max)} ${unit} that ${name} takes${longerIf === undefined ? '' : `, unless ${longerIf}`}`,
  hint: `Shorten it, or give the ${name} account a text of its own.`,
});

function aboutMedia(platform: LimitedPlatform, media: readonly Media[]): Objection[] {
  const { name, needs, videos = Infinity, media: most = Infinity } = platform;
  const objection = (problem: string, hint: string): Objection[] => [
    { about: 'mediaUrls', problem, hint },
  ];
  const lessMedia = `Leave some out, or give the ${name} account media of its own.`;
  if (needs === 'video' && media.every((one) => kindOf(one) === 'picture')) {
    return objection(`has no video, which ${name} needs`, 'Add a video.');
  }
  if (needs === 'media' && media.length === 0) {
    return objection(`is empty, and ${name} needs a picture or a video`, 'Add at least one.');
  }
  if (media.filter((one) => kindOf(one) === 'video').length > videos) {
    return objection(`has more videos than ${name} takes (${videos})`, lessMedia);
  }
  return media.length > most
    ? objection(`has more pictures and videos than ${name} takes (${most})`, lessMedia)
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

/**
 * Judges a post by what its platform is known to take, but for the addresses of its media. The `length`
 * of the text is as the platform counts it, in code points where that is not known.
 */
export function judge(key: string, { text, media }: PostContent) {
  const platform = limitsOf(key);
  const limits = platform === undefined ? [] : limitsFor(platform, media);
  const limit = limits.find(({ max, count }) => count(text) > max) ?? limits[0];
  const length = (limit?.count ?? codePoints)(text);
  const objections = platform === undefined ? [] : aboutMedia(platform, media);
  if (platform !== undefined && limit !== undefined && length > limit.max) {
    objections.unshift(aboutText(platform, limit));
  }
  return { length, limit: limit?.max, objections };
}

/** Whether a post has a longer text than some platform takes. */
export const isLongForSome = ({ text, media }: PostContent): boolean =>
  limitedPlatforms.some((limits) =>
    limitsFor(limits, media).some(({ max, count }) => count(text) > max),
  );
