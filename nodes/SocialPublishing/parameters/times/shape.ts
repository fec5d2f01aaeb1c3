import { wordOf } from './words';

/** A part of a text: its sign, and what stands there in digits, or as it was written. */
export interface Token {
  readonly sign: string;
  readonly text: string;
}

/**
 * A text as its shape. One sign stands for each part: for a number how many digits it has
 * (in base 36; `0` for a zero alone), for a word what {@link wordOf} says, `P` for am and pm, `T`
 * between a date and a time, and most punctuation as it is. Days of the week, and words and signs that
 * mean nothing, are blanks. `Sat, 5. Dezember 2026 um 9 Uhr` is `1. M 4 1 H`.
 */
export interface Shape {
  readonly tokens: readonly Token[];
  /** The days of the week, from 1 for Monday. */
  readonly weekdays: readonly number[];
}

const PARTS =
  /\d+|a las?(?!\p{L})|o'clock|[ap](?:\. ?m\.?|m\.?| m)?(?!\p{L})|\p{L}+(?:-feira)?|[^]/giu;

/** @param marIsTuesday what the first `mar` is: `martes`, or March */
export function shapeOf(text: string, marIsTuesday = false): Shape {
  const tokens: Token[] = [];
  const weekdays: number[] = [];
  const add = (sign: string, written: string): void => {
    const isFirst = tokens.length === 0 || tokens.at(-1)?.sign === ' ';
    // The dot after a day of the week goes with it.
    if (!isFirst || !' .'.includes(sign)) tokens.push({ sign, text: written });
  };
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    const isGlued = /\d/.test(text[index - 1] ?? '');
    const isBetween = isGlued && /\d/.test(text[index + part.length] ?? '');
    const isAfterHour = /^[012]$/.test(tokens.findLast(({ sign }) => sign !== ' ')?.sign ?? '');
    const { sign, number } = wordOf(part);
    if (/\d/.test(part)) add(part === '0' ? part : Math.min(part.length, 35).toString(36), part);
    else if (sign === 'D' || (marIsTuesday && weekdays.length === 0 && /^mar$/i.test(part))) {
      weekdays.push(sign === 'D' ? number : 2);
      add(' ', part);
    } else if (sign === 'M') add(sign, String(number));
    else if (sign === ',') add(isBetween ? sign : ' ', part);
    else if (sign === 'T') add(isBetween ? sign : 'A', part);
    else if (sign === 'H') add(isAfterHour ? sign : ' ', part);
    else if (sign === 'P') add(isAfterHour ? sign : /^am/i.test(part) ? ' ' : 'X', part);
    else if (sign !== 'O') add(sign, part);
    else if (!isGlued) add('X', part);
  }
  if (tokens.at(-1)?.sign === ' ') tokens.pop();
  return { tokens, weekdays };
}

export const signsOf = (tokens: readonly Token[]): string =>
  tokens.map(({ sign }) => sign).join('');
