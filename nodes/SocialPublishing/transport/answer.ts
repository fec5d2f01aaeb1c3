import type { IDataObject } from 'n8n-workflow';

import type { HttpAnswer } from './http';

const MAX_QUOTED = 300;

const isObject = (value: unknown): value is IDataObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

/** What came in place of the documented body, in words: to be read after "sent". */
export function whatCame({ text }: HttpAnswer, field: string): string {
  const parsed = parse(text);
  if (text.trim() === '') return 'an empty answer';
  if (/^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text)) return 'a web page';
  if (parsed === undefined)
    return `an answer that is not valid JSON (it begins "${shorten(text.slice(0, 60))}")`;
  if (isObject(parsed)) {
    const names = Object.keys(parsed);
    return names.length === 0
      ? `an object without "${field}"`
      : `an object without a usable "${field}" (it has ${names.slice(0, 8).join(', ')})`;
  }
  return `${Array.isArray(parsed) ? 'a list' : `a ${typeof parsed}`} instead of an object`;
}

function bodyOf(
  answer: HttpAnswer,
  field: string,
  fits: (value: unknown) => boolean,
): IDataObject | undefined {
  const parsed = parse(answer.text);
  return isObject(parsed) && fits(parsed[field]) ? parsed : undefined;
}

/**
 * Reads a body that holds one record (specification, the response bodies of "Endpoints").
 *
 * @param field the name that holds the record: `post`, `analytics`, `agent`
 * @returns the body, or `undefined` when it is not the documented one
 */
export const recordBody = (answer: HttpAnswer, field: string): IDataObject | undefined =>
  bodyOf(answer, field, isObject);

/**
 * Reads a body that holds a list of records (specification, the response bodies of "Endpoints").
 *
 * @param field the name that holds the list: `posts`, `accounts`, `agents`
 * @returns the body, or `undefined` when it is not the documented one
 */
export const listBody = (answer: HttpAnswer, field: string): IDataObject | undefined =>
  bodyOf(answer, field, (value) => Array.isArray(value) && value.every(isObject));

export const succeeded = (answer: HttpAnswer): boolean => isSuccess(answer.status);

function textIn(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join('; ');
  if (!isObject(value)) return '';
  const text = ['message', 'error', 'errors', 'detail', 'title']
    .map((name) => textIn(value[name]))
    .find((found) => found !== '');
  const field = typeof value.field === 'string' ? value.field.trim() : '';
  if (text === undefined) return '';
  return field === '' || text.includes(field) ? text : `${field}: ${text}`;
}

/**
 * What the service says about an error. The specification shows no error body, so the text is
 * taken from the usual places: `message`, `error`, `error.message`, `errors[]`, `detail`, `title`;
 * failing those, the status text.
 */
export function errorText(answer: HttpAnswer): string {
  const found = textIn(parse(answer.text));
  return shorten(found === '' ? answer.statusText : found);
}
