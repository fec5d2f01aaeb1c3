import type { IDataObject } from 'n8n-workflow';

import { parseJson } from '../../shared/json';

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

/**
 * Reads a whole number that is not negative, as the specification has them for IDs and counts.
 *
 * @returns the number, or `undefined` when it is not one
 */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
    ? number
    : undefined;
}

/**
 * Reads a number that names a record or counts from 1: the ID of a workspace, an account or an agent.
 *
 * @returns the number, or `undefined` when it is not one; no record has the ID 0
 */
export function idNumber(value: unknown): number | undefined {
  const number = wholeNumber(value);
  return number === 0 ? undefined : number;
}

/** What separates the entries of a list written as text: lines and commas. */
export const COMMAS = /[\r\n,]+/;

/**
 * Reads a list of texts: an array, a JSON array, or text with something between the entries.
 *
 * @returns the entries without blanks around them, or `undefined` when an entry is not text
 */
export function textList(value: unknown, separator: RegExp): string[] | undefined {
  if (isEmpty(value)) return [];
  if (typeof value === 'string') {
    const parsed = value.trim().startsWith('[') ? parseJson(value) : undefined;
    return textList(Array.isArray(parsed) ? parsed : value.split(separator), separator);
  }
  if (!Array.isArray(value)) return undefined;
  const entries: unknown[] = value;
  return entries.every((entry) => typeof entry === 'string')
    ? entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
    : undefined;
}

/** The entries that carry a value, so that what is empty is not sent. */
export const withoutEmpty = (values: Record<string, IDataObject[string]>): IDataObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
