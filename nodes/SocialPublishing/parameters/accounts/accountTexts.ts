import { HOSTS } from '../../platforms/platforms';

/** What always separates two accounts in a text. */
const STRONG = /[\r\n;]/;
/** What separates two accounts in a text unless it belongs to a name. */
const WEAK = ' ?[,|/+&] ?(?:and )?| and ';

/** The address of a profile, also without its scheme. */
export const PROFILE_URL = String.raw`(?<![\w.-])(?:https?:\/\/|(?:[\w-]+\.)*(?:${HOSTS})\/|(?:[\w-]+\.)+[a-z]{2,}\/(?=@))[^\s,;|]+`;

const PARTS = new RegExp(`(?<url>${PROFILE_URL})|${WEAK}`, 'gi');

type Span = readonly [from: number, to: number];

/** What may be an account, or a part of its name. */
export function piecesOf(text: string): Span[] {
  const pieces: Span[] = [];
  let from = 0;
  for (const { 0: part, index, groups } of text.matchAll(PARTS)) {
    if (groups?.url !== undefined) continue;
    pieces.push([from, index]);
    from = index + part.length;
  }
  return [...pieces, [from, text.length]];
}

/** What tells the names of accounts. */
interface Names {
  readonly mostPieces: number;
  has(name: string): boolean;
}

/**
 * The accounts that a text names, in order. A name may hold a separator itself: the longest text
 * that names an account is one.
 * @param known absent until the accounts are read: then no name holds one
 */
export function* namesIn(text: string, known?: Names): Generator<string> {
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
