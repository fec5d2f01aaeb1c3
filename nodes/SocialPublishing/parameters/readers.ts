import type { IDataObject } from 'n8n-workflow';

import { isObject, parseJson } from '../../shared/json';
import { parseUrl } from '../../shared/url';
import { isRefusal, type Reading, wrong } from './refusal';
import { idNumber, isEmpty, quote, textList, wholeNumber } from './values';

/** Reads a text; `undefined` when it is empty. */
export function readText(value: unknown): Reading<string | undefined> {
  if (isEmpty(value)) return { value: undefined };
  if (typeof value === 'string') return { value };
  if (typeof value === 'number' || typeof value === 'boolean') return { value: String(value) };
  return wrong(
    'is not text',
    'Enter text.',
    undefined,
    'To make text of something else, end the expression in .toString().',
  );
}

/** Reads a list of texts: see {@link textList}. */
export function readTexts(value: unknown, separator: RegExp): Reading<string[] | undefined> {
  const entries = textList(value, separator);
  return entries === undefined
    ? wrong(
        'is not a list of texts',
        'Enter one text per line.',
        undefined,
        'Or give an array of texts.',
      )
    : { value: entries.length === 0 ? undefined : entries };
}

/** Reads a whole number that is not negative; `undefined` when it is empty. */
export function readInteger(value: unknown): Reading<number | undefined> {
  if (isEmpty(value)) return { value: undefined };
  const number = wholeNumber(value);
  return number === undefined
    ? wrong(`is ${quote(value)}, which is not a whole number`, 'Enter a number such as 12.')
    : { value: number };
}

/** Reads a whole number above 0; `undefined` when it is empty. */
export function readPositiveInteger(value: unknown): Reading<number | undefined> {
  const reading = readInteger(value);
  return isRefusal(reading) || reading.value === undefined || idNumber(reading.value) !== undefined
    ? reading
    : wrong(`is ${reading.value}, which is too small`, 'Enter a number of at least 1.');
}

/** What a resource locator holds; another value as it is. */
export const located = (value: unknown): unknown =>
  // An expression that gives nothing leaves the locator without a value.
  isObject(value) && '__rl' in value ? (value.value ?? '') : value;

/** The choice that lets the user enter a value that the specification doesn't list. */
export const CUSTOM = 'custom';

/** Reads which of the values a text is. */
export function readOneOf<T extends string>(text: string, values: readonly T[]): Reading<T> {
  const value = values.find((one) => one === text);
  return value === undefined
    ? wrong(`is ${quote(text)}`, `Enter one of ${values.join(', ')}.`)
    : { value };
}

/** Reads whether a switch is on. */
export function readSwitch(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return { value };
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return wrong(`is ${quote(value)}, which is neither true nor false`, 'Enter true or false.');
}

/** Reads JSON, or what an expression gives directly; `undefined` when it is empty. */
export function readJson(value: unknown): Reading<unknown> {
  if (typeof value !== 'string') return { value };
  if (isEmpty(value)) return { value: undefined };
  const parsed = parseJson(value);
  return parsed === undefined
    ? wrong(
        'is not valid JSON',
        'Check quotes, commas and brackets, or give an object with an expression.',
      )
    : { value: parsed };
}

/** Reads a JSON object; an empty one when the field is empty. */
export function readJsonObject(value: unknown): Reading<IDataObject> {
  const reading = readJson(value);
  if (isRefusal(reading)) return reading;
  if (reading.value === undefined) return { value: {} };
  return isObject(reading.value)
    ? { value: reading.value }
    : wrong('is not a JSON object', 'Enter an object such as { "name": "value" }.');
}

/**
 * White space, or a comma, semicolon or bar before another URL or at the end: inside a URL, these
 * three belong to it.
 */
export const BETWEEN_URLS = /\s*[,;|]?\s+|[,;|](?=https?:\/\/|$)/i;

const NOT_ALLOWED = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu;

/** Brackets are allowed in the host alone, where they hold an IPv6 address. */
const encodeBrackets = (text: string): string => text.replaceAll('[', '%5B').replaceAll(']', '%5D');

/** A URL as a strict reader takes it (RFC 3986): what it doesn't allow is percent-encoded. */
export function mediaUrl(text: string): string | undefined {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return undefined;
  const [, start = '', tail = ''] =
    /^(https?:\/\/[^/?#]*)(.*)$/i.exec(parseUrl(trimmed)?.href ?? '') ?? [];
  const [before, ...fragments] = encodeBrackets(tail)
    .replace(NOT_ALLOWED, (character) => encodeURIComponent(character))
    .replace(/%(?![0-9A-Fa-f]{2})/g, '%25')
    .split('#');
  const fragment = fragments.length === 0 ? '' : `#${fragments.join('%23')}`;
  return start === '' ? undefined : `${start}${before}${fragment}`;
}

/** Reads the absolute URLs that a field lists, as a strict reader takes them: see {@link mediaUrl}. */
export function readMediaUrls(value: unknown): Reading<string[]> {
  const texts = readTexts(value, BETWEEN_URLS);
  if (isRefusal(texts)) return texts;
  const urls: string[] = [];
  for (const text of texts.value ?? []) {
    const url = mediaUrl(text);
    if (url === undefined) {
      return wrong(
        `contains ${quote(text)}, which is not an absolute URL`,
        'Enter the full address, beginning with https:// or http://. Write a space in it as %20.',
      );
    }
    urls.push(url);
  }
  return { value: urls };
}

/** A number of days, as people and models write it: `7`, `7d`, `7 days`, `last 7 days`. */
const DAYS = /^(?:the )?(?:last |past )?(?<days>[1-9]\d*) ?(?:d|days?)?$/i;

/** Reads a period of analytics (docs/service.md, "GET /analytics") as `30d`. */
export function readPeriod(text: string): Reading<string> {
  const days = DAYS.exec(text.trim())?.groups?.days;
  return days === undefined
    ? wrong(`is ${quote(text)}, which is not a number of days`, 'Enter a period such as 30d.')
    : { value: `${days}d` };
}

/** What a delay is counted in. */
export const DELAY_UNITS = ['minutes', 'hours', 'days'] as const;

type DelayUnit = (typeof DELAY_UNITS)[number];

const LONGEST_DAYS = 3650;

/** The ISO time at the end of a delay, which may be a fraction. @param now Unix milliseconds */
export function timeAfter(amount: unknown, unit: DelayUnit, now: number): Reading<string> {
  const number = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    return wrong(
      `is ${quote(amount)}, which is not a number`,
      'Give a number such as 10.',
      'notANumber',
    );
  }
  if (number < 0) {
    return wrong(`is ${number}, which is in the past`, 'Give 0 or a larger number.', 'tooSmall');
  }
  const minutes = number * { minutes: 1, hours: 60, days: 24 * 60 }[unit];
  return minutes > LONGEST_DAYS * 24 * 60
    ? wrong(
        `is ${number} ${unit}, which is more than ten years`,
        'Give a smaller number.',
        'tooLarge',
      )
    : { value: new Date(now + Math.round(minutes * 60_000)).toISOString() };
}

const CRON_FIELDS = 5;

const CRON_HINT = 'Give five: minute, hour, day of month, month, day of week, such as 0 9 * * 1-5.';

/** Reads a cron expression, with one blank between its fields. The service checks their values. */
export function readCron(text: string): Reading<string> {
  const cron = text.trim().replace(/\s+/g, ' ');
  const fields = cron.split(' ');
  if (fields.length !== CRON_FIELDS) {
    const count = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    return wrong(`has ${count} instead of five`, CRON_HINT, 'numberOfFields');
  }
  const other = fields.find((field) => !/^[\dA-Za-z*/,\-?#]+$/.test(field));
  return other === undefined
    ? { value: cron }
    : wrong(
        `holds ${quote(other)}, which is not a field of a cron expression`,
        CRON_HINT,
        'notACronField',
      );
}
