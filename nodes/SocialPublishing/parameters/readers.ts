import { parseUrl } from '../../shared/url';
import { type Reading, wrong } from './refusal';
import { quote } from './values';

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
