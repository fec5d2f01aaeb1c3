import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../../shared/json';
import type { HttpResponse } from './response';
import { type BodyProblem, MAX_BYTES, MAX_LEVELS } from './stream';

/** Reads the body of a successful response as the specification documents it. */
export interface BodyReader<T> {
  /** The field of the body that holds what is read. */
  readonly field: string;
  /** @returns what was found, or `undefined` when the body is not the documented one */
  read(response: HttpResponse): T | undefined;
}

/** One page of a list as the service returned it (docs/service.md, "GET /posts"). */
export interface Page {
  readonly records: IDataObject[];
  /** The page size that holds; `undefined` when the response does not name a usable one. */
  readonly limit: number | undefined;
  /** How many records there are in all; `undefined` when the response does not name a usable number. */
  readonly total: number | undefined;
}

function bodyOf(response: HttpResponse): IDataObject {
  const body = parseJson(response.text);
  return isObject(body) ? body : {};
}

const recordsIn = (value: unknown): IDataObject[] | undefined => {
  const values: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  return values?.every(isObject) ? values : undefined;
};

const isId = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** One record under `field`: `post`, `analytics` or `agent` (docs/service.md, "Endpoints"). */
export const record = (field: string): BodyReader<IDataObject> => ({
  field,
  read(response) {
    const found = bodyOf(response)[field];
    return isObject(found) ? found : undefined;
  },
});

/** A record under `field` that was written: one without an `id` is none (docs/service.md, "Records"). */
export const writtenRecord = (field: string): BodyReader<IDataObject> => ({
  field,
  read(response) {
    const found = bodyOf(response)[field];
    return isObject(found) && isId(found.id) ? found : undefined;
  },
});

/** A list of records under `field`: `accounts` or `agents` (docs/service.md, "Endpoints"). */
export const list = (field: string): BodyReader<IDataObject[]> => ({
  field,
  read: (response) => recordsIn(bodyOf(response)[field]),
});

/** One page of the records under `field`: `posts` (docs/service.md, "GET /posts"). */
export const page = (field: string): BodyReader<Page> => ({
  field,
  read(response) {
    const { [field]: found, limit, total } = bodyOf(response);
    const records = recordsIn(found);
    return records === undefined
      ? undefined
      : {
          records,
          limit: isCount(limit) && limit > 0 ? limit : undefined,
          total: isCount(total) ? total : undefined,
        };
  },
});

const MAX_QUOTED = 300;

/** A text from the service on one line, short enough for a message. */
export const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

/** Takes out of a text what must not be shown, before the text is cut. */
export type Redact = (text: string) => string;

/** What is wrong with a body that was not read, in words to be read after "sent". */
const PROBLEMS: Readonly<Record<BodyProblem, string>> = {
  tooLarge: `more than ${MAX_BYTES / 1024 / 1024} MB`,
  tooSlow: 'a response that did not end in time',
  undecodable: 'a response that is neither UTF-8 nor in the charset that it names',
  tooDeep: `JSON that is nested more than ${MAX_LEVELS} levels deep`,
};

/** Whether a body is a web page, or other markup that no API sends. */
export const isWebPage = (text: string): boolean =>
  /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text);

/** What came in place of the documented body, in words to be read after "sent". */
export function describeBody(
  { text, problem }: HttpResponse,
  field: string,
  redact: Redact,
): string {
  if (problem !== undefined) return PROBLEMS[problem];
  const parsed = parseJson(text);
  if (text.trim() === '') return 'an empty response';
  if (isWebPage(text)) return 'a web page';
  if (parsed === undefined)
    return `a response that is not valid JSON (it begins with “${shorten(redact(text).slice(0, 60))}”)`;
  if (isObject(parsed)) {
    const names = Object.keys(parsed);
    return names.length === 0
      ? `an object without "${field}"`
      : `an object without a usable "${field}" (it has ${shorten(redact(names.slice(0, 8).join(', ')))})`;
  }
  const kind = Array.isArray(parsed) ? 'list' : typeof parsed;
  return `${parsed === null ? 'null' : `a ${kind}`} instead of an object`;
}

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
 * What the service says about an error. The specification shows no error body, so the text comes
 * from the usual places: `message`, `error`, `error.message`, `detail`, `title`, and the details
 * from `errors[]`. Failing those, it is the status text.
 */
export function errorText(response: HttpResponse, redact: Redact): string {
  const found = textIn(parseJson(response.text));
  return shorten(redact(found === '' ? response.statusText : found));
}
