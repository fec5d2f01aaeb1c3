import type { Reading } from './reading';
import { isEmpty, textList } from './values';

/** Reads a text; `undefined` when it is empty. */
export function readText(value: unknown): Reading<string | undefined> {
  if (isEmpty(value)) return { value: undefined };
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return {
    problem: 'is not text',
    hint: 'Enter text, for example with an expression that ends in .toString().',
  };
}

/**
 * Reads a list of texts: see {@link textList}.
 *
 * @returns the entries, or `undefined` when there are none
 */
export function readTexts(value: unknown, separator: RegExp): Reading<string[] | undefined> {
  const entries = textList(value, separator);
  return entries === undefined
    ? {
        problem: 'is not a list of texts',
        hint: 'Enter one text per line, or give an array of texts.',
      }
    : { value: entries.length === 0 ? undefined : entries };
}
