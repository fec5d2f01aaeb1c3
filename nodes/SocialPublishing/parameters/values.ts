import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../shared/json';

/** Whether a value counts as left empty by the user. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A text or a number as text; empty for everything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A text with one blank between its words, and nothing but words at its ends. */
export const tidy = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/^[\s,]+|[\s,]+$/g, '');

/** A text as it is compared: without accents, capitals and blanks around it. */
export const folded = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** A value as the user wrote it, short enough for an error message. */
export function quote(value: unknown): string {
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : (JSON.stringify(value) ?? 'undefined');
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}

/** A whole number that is not negative, as the specification has them; `undefined` for all else. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}

/** The ID of a record, or a number that counts from 1; no record has the ID 0. */
export function idNumber(value: unknown): number | undefined {
  const number = wholeNumber(value);
  return number === 0 ? undefined : number;
}

/** What a resource locator holds; another value as it is. */
export const located = (value: unknown): unknown =>
  // An expression that gives nothing leaves the locator without a value.
  isObject(value) && '__rl' in value ? (value.value ?? '') : value;

/** What separates the entries of a list written as text: lines and commas. */
export const COMMAS = /[\r\n,]+/;

/** The array that a text holds as JSON; another value as it is. */
export function listIn(value: unknown): unknown {
  const parsed =
    typeof value === 'string' && value.trim().startsWith('[') ? parseJson(value) : undefined;
  return Array.isArray(parsed) ? parsed : value;
}

/** A list of texts from an array, a JSON array, or text; `undefined` when an entry is not text. */
export function textList(value: unknown, separator: RegExp): string[] | undefined {
  if (isEmpty(value)) return [];
  const list = listIn(value);
  const entries: unknown = typeof list === 'string' ? list.split(separator) : list;
  return Array.isArray(entries) && entries.every((entry) => typeof entry === 'string')
    ? entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
    : undefined;
}

/** The entries that carry a value, so that what is empty is not sent. */
export const withoutEmpty = (values: Record<string, IDataObject[string]>): IDataObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
