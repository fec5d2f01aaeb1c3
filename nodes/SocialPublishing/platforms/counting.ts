import { piecesOf } from './links';

/** How a platform counts a text: what is compared with its limit. */
export type Count = (text: string) => number;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

const segments = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/** One emoji, of any number of parts. A keycap is one with and without its variation selector. */
const EMOJI = new RegExp(String.raw`^(?:\p{RGI_Emoji}|[0-9#*]\u20E3)$`, 'v');

/** Unicode code points: an emoji of several parts counts several times. */
export const codePoints: Count = (text) => [...text].length;

/** UTF-16 code units, as JavaScript has them: most emojis count twice. */
export const utf16Units: Count = (text) => text.length;

export const utf8Bytes: Count = (text) => new TextEncoder().encode(text).length;

/** What people see as one character each: an emoji of several parts counts once. */
export const graphemes: Count = (text) => segments(text).length;

const sumOf = <T>(all: readonly T[], weight: (one: T) => number): number =>
  all.reduce((sum, one) => sum + weight(one), 0);

/** Code points, but an emoji counts as many times as it has bytes in UTF-8. */
export const emojisInBytes: Count = (text) =>
  sumOf(segments(text), (segment) => (EMOJI.test(segment) ? utf8Bytes : codePoints)(segment));

const LENGTH_OF_LINK = 23;

/** Graphemes, but a link counts 23, and of `@name@server` only `@name`. */
export const mastodonLength: Count = (text) =>
  sumOf(piecesOf(text), (piece) =>
    piece.link === 'withProtocol'
      ? LENGTH_OF_LINK
      : graphemes(piece.text.replace(/(?<=^|[^\w/])(@\w+)@[\w.-]+\w/g, '$1')),
  );

/** The code points that count once on X; all others count twice. */
const SINGLE: ReadonlyArray<readonly [from: number, to: number]> = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
];

const weightOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return SINGLE.some(([from, to]) => code >= from && code <= to) ? 1 : 2;
};

const weightOfSegment = (segment: string): number =>
  EMOJI.test(segment) ? 2 : sumOf([...segment], weightOf);

/** X's length of the composed form (NFC): a link counts 23, an emoji 2, other characters 1 or 2. */
export const xLength: Count = (text) =>
  sumOf(piecesOf(text.normalize('NFC')), (piece) =>
    piece.link === undefined ? sumOf(segments(piece.text), weightOfSegment) : LENGTH_OF_LINK,
  );
