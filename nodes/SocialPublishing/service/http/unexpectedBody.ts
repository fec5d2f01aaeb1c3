import { isObject, parseJson } from '../../../shared/json';
import type { HttpResponse } from './response';
import { type BodyProblem, MAX_BYTES, MAX_LEVELS } from './stream';

const MAX_QUOTED = 300;

/** A text of the service on one line, cut to fit into a message. */
export const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
};

/** Hides secrets in a text. It gets the whole text: half a secret would go unnoticed. */
export type Redact = (text: string) => string;

/** Why a body was not read; completes a sentence that ends in "sent". */
const PROBLEMS: Readonly<Record<BodyProblem, string>> = {
  tooLarge: `more than ${MAX_BYTES / 1024 / 1024} MB`,
  tooSlow: 'a response that did not end in time',
  undecodable: 'a response that is not in UTF-8',
  tooDeep: `JSON that is nested more than ${MAX_LEVELS} levels deep`,
};

/** Whether a body is a web page or other markup, as proxies and wrong addresses send it. */
export const isWebPage = (text: string): boolean =>
  /^\s*(<!doctype|<html|<\?xml|<head|<body)/i.test(text);

/** What came instead of the documented body; completes a sentence that ends in "sent". */
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
 * What the service says about an error, from the usual places, as the specification shows none;
 * else the status text.
 */
export function errorText(response: HttpResponse, redact: Redact): string {
  const found = textIn(parseJson(response.text));
  return shorten(redact(found === '' ? response.statusText : found));
}
