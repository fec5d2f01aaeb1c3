import type { IDataObject } from 'n8n-workflow';

import type { HttpAnswer } from './http';
import { isObject, parseJson } from '../../shared/json';

const MAX_QUOTED = 300;

/** A text from the service on one line, short enough for a message. */
export const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

/** Takes out of a text what must not be shown, before the text is cut. */
export type Hide = (text: string) => string;

/** What came in place of the documented body, in words: to be read after "sent". */
export function whatCame({ text }: HttpAnswer, field: string, hide: Hide): string {
  const parsed = parseJson(text);
  if (text.trim() === '') return 'an empty answer';
  if (/^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text)) return 'a web page';
  if (parsed === undefined)
    return `an answer that is not valid JSON (it begins "${shorten(hide(text).slice(0, 60))}")`;
  if (isObject(parsed)) {
    const names = Object.keys(parsed);
    return names.length === 0
      ? `an object without "${field}"`
      : `an object without a usable "${field}" (it has ${shorten(hide(names.slice(0, 8).join(', ')))})`;
  }
  const kind = Array.isArray(parsed) ? 'list' : typeof parsed;
  return `${parsed === null ? 'null' : `a ${kind}`} instead of an object`;
}

function bodyOf(
  answer: HttpAnswer,
  field: string,
  fits: (value: unknown) => boolean,
): IDataObject | undefined {
  const parsed = parseJson(answer.text);
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

/** Whether the service says that it did what it was asked for: any 2xx (DESIGN: "Success"). */
export const succeeded = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** How deep an error body is searched. */
const MAX_DEPTH = 8;

function textIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim();
  if (depth === MAX_DEPTH) return '';
  const texts = (values: unknown[]) =>
    values.map((one) => textIn(one, depth + 1)).filter((text) => text !== '');
  if (Array.isArray(value)) return texts(value).join('; ');
  if (!isObject(value)) return '';
  const { message, error, errors, detail, title, field } = value;
  const [summary = ''] = texts([message, error, detail, title]);
  const details = texts([errors]).filter((text) => !summary.includes(text));
  const text = [...(summary === '' ? [] : [summary]), ...details].join(': ');
  const names = texts([field]).filter((name) => !text.includes(name));
  return text === '' ? '' : [...names, text].join(': ');
}

/**
 * What the service says about an error. The specification shows no error body, so the text is
 * taken from the usual places: `message`, `error`, `error.message`, `detail`, `title`, and the
 * details from `errors[]`; failing those, it is the status text.
 */
export function errorText(answer: HttpAnswer, hide: Hide): string {
  const found = textIn(parseJson(answer.text));
  return shorten(hide(found === '' ? answer.statusText : found));
}
