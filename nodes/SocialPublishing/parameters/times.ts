import { DateTime, FixedOffsetZone, Info, type Zone } from 'luxon';

import { quote } from './values';

/** A time as the service takes it, or why it is refused. */
export type TimeReading =
  | {
      /** ISO 8601 in UTC with milliseconds and a trailing Z (docs/service.md, "Times"). */
      readonly utc: string;
      /** Whether clocks show this time twice, and the first of the two was taken. */
      readonly comesTwice: boolean;
    }
  | { readonly problem: string; readonly hint: string };

const UNREADABLE_HINT =
  'Give a date such as 2026-11-21T10:00 (in the time zone of the node) or 2026-11-21T10:00:00+01:00.';

/** What ends a text that has a time of day: the offset or the zone that it is in. */
const TIME_OF_DAY = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]m\b)?(?:\s+\d{4})?|T\d{2}(?:\d{2}(?:\d{2}(?:[.,]\d+)?)?)?`;
const OFFSET = String.raw`(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?|(?<utc>Z|UTC|GMT)`;
const ZONE_NAME = String.raw`\[(?<bracketed>[^\]]+)\]|(?<named>[A-Za-z_]+(?:\/[\w+-]+)+)|\([^)]*\)`;
const ENDING = new RegExp(
  String.raw`^(?<local>.*?(?:${TIME_OF_DAY}))\s*(?:${OFFSET})?\s*(?:${ZONE_NAME})?$`,
  'i',
);
const ABBREVIATION = new RegExp(
  String.raw`(?:${TIME_OF_DAY})\s*\(?(?<letters>[A-Za-z]{1,5})\)?$`,
  'i',
);

/** A calendar date first: luxon would also read a bare time or year, which no one means here. */
const BEGINS_WITH_DATE = /^(\d{4}-\d{2}-\d{2}|\d{8}(?!\d)|\d{4}-W\d{2}-\d|\d{4}-\d{3}(?!\d))/;

/** The hour as people type it into tables: `2026-11-21 9:00`. */
const ONE_DIGIT_HOUR = /^(?<date>\d{4}-\d{2}-\d{2}[T ])(?<hour>\d:)/i;

const withTimes = (dates: readonly string[], times: readonly string[]): string[] =>
  dates.flatMap((date) => times.map((time) => `${date}${time}`));

/** Dates that begin with a year or name their month, so that nobody can take one for another. */
const FORMATS: readonly string[] = [
  ...withTimes(
    [
      'yyyy/M/d',
      'd LLL yyyy',
      'd LLLL yyyy',
      'd-LLL-yy',
      'LLL d, yyyy',
      'LLLL d, yyyy',
      'LLL d yyyy',
    ],
    [
      '',
      ' H:mm',
      ' H:mm:ss',
      ', H:mm',
      ', H:mm:ss',
      ' h:mm a',
      ' h:mm:ss a',
      ', h:mm a',
      ', h:mm:ss a',
    ],
  ),
  ...withTimes(['yyyy-MM-dd'], [' h:mm a', ' h:mm:ss a']),
  'LLL d H:mm:ss yyyy',
];

const WEEKDAY = /^(?<day>mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +/i;

/** Reads a date without an offset; its fields are those of the text, as if it were in UTC. */
function readLocal(text: string): DateTime | undefined {
  const options = { zone: 'utc' };
  if (BEGINS_WITH_DATE.test(text)) {
    const padded = text.replace(ONE_DIGIT_HOUR, '$<date>0$<hour>');
    const readings = [DateTime.fromISO(padded, options), DateTime.fromSQL(padded, options)];
    const found = readings.find(({ isValid }) => isValid);
    if (found !== undefined) return found;
  }
  const day = WEEKDAY.exec(text)?.groups?.day;
  const date = text.replace(WEEKDAY, '').replace(/\s+/g, ' ');
  for (const format of FORMATS) {
    const read = DateTime.fromFormat(date, format, { ...options, locale: 'en' });
    if (!read.isValid) continue;
    const isThatDay = day === undefined || read.weekdayShort?.toLowerCase() === day.toLowerCase();
    return isThatDay ? read : undefined;
  }
  return undefined;
}

/** Letters that name a zone in one country and another zone in the next; UTC and GMT do not. */
const isAbbreviation = (name: string): boolean =>
  /^[A-Z]{1,5}$/i.test(name) && !/^(UTC|GMT|Z)$/i.test(name);

/**
 * A time zone by its name.
 *
 * @returns the zone, or `undefined` for an abbreviation other than UTC and GMT and for what is none
 */
export function zoneOf(name: string): Zone | undefined {
  const isPlace = /^[A-Z][a-z]+$/.test(name);
  if ((isAbbreviation(name) && !isPlace) || /^\d/.test(name)) return undefined;
  const zone = Info.normalizeZone(name);
  return zone.isValid && zone.type !== 'system' ? zone : undefined;
}

/** The problem with a time zone that {@link zoneOf} does not know. */
export const zoneProblem = (name: string): { problem: string; hint: string } => ({
  problem: isAbbreviation(name)
    ? `is ${quote(name)}, which is the name of several time zones`
    : `is ${quote(name)}, which is not a time zone`,
  hint: 'Choose one from the list, such as Europe/Berlin.',
});

const unreadable = (value: unknown): TimeReading => ({
  problem: `is ${quote(value)}, which cannot be read as a date and time`,
  hint: UNREADABLE_HINT,
});

function exactly(time: DateTime, value: unknown, comesTwice = false): TimeReading {
  const utc = time.toUTC().toISO() ?? '';
  return /^\d{4}-/.test(utc) ? { utc, comesTwice } : unreadable(value);
}

function inZone(local: DateTime, zone: Zone, value: unknown): TimeReading {
  const read = local.setZone(zone, { keepLocalTime: true });
  if (!read.isValid) return unreadable(value);
  if (read.hour !== local.hour || read.minute !== local.minute) {
    return {
      problem: `is ${quote(value)}, an hour that clocks in ${zone.name} skip that day`,
      hint: 'Clocks are put forward then. Choose a time before or after that hour.',
    };
  }
  const possible = read.getPossibleOffsets();
  return exactly(DateTime.min(...possible) ?? read, value, possible.length > 1);
}

/**
 * Reads a time and writes it as the service takes it.
 *
 * Read are ISO 8601, SQL, RFC 2822 and HTTP dates, dates with the month in English, Unix seconds
 * (10 digits) and milliseconds (13 digits), and date objects. An offset in the text wins over every
 * zone name; a zone name in the text wins over `zone`; a text with neither is in `zone`. A time that
 * clocks skip is refused; of one that comes twice, the first is taken.
 *
 * @param value what the user gave
 * @param zone the zone that holds for a text without an offset: see {@link zoneOf}
 */
export function readTime(value: unknown, zone: Zone): TimeReading {
  if (DateTime.isDateTime(value)) return value.isValid ? exactly(value, value) : unreadable(value);
  if (value instanceof Date) {
    const time = DateTime.fromJSDate(value);
    return time.isValid ? exactly(time, value) : unreadable(value);
  }
  if (typeof value !== 'string' && typeof value !== 'number') return unreadable(value);
  // The editor writes a DateTime so when an expression is switched to Fixed.
  const text = String(value)
    .trim()
    .replace(/^\[DateTime: (.*)\]$/, '$1');
  if (/^\d{10}$/.test(text)) return exactly(DateTime.fromSeconds(Number(text)), value);
  if (/^\d{13}$/.test(text)) return exactly(DateTime.fromMillis(Number(text)), value);
  return readText(text, zone, value);
}

function readText(text: string, zone: Zone, value: unknown): TimeReading {
  const letters = ABBREVIATION.exec(text)?.groups?.letters ?? 'UTC';
  if (isAbbreviation(letters) && !/^[ap]m$/i.test(letters)) {
    return readLocal(text.replace(/\s*\(?[A-Za-z]{1,5}\)?$/, '')) === undefined
      ? unreadable(value)
      : {
          problem: `is ${quote(value)}, and ${letters} stands for several time zones`,
          hint: 'Write the offset instead, such as +01:00, or leave it out and choose the time zone.',
        };
  }
  const { local, sign, hours, minutes, utc, bracketed, named } = ENDING.exec(text)?.groups ?? {};
  const wall = readLocal(local ?? text);
  if (wall === undefined) return unreadable(value);
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes ?? 0);
    return Number(hours) > 14 || Number(minutes ?? 0) > 59
      ? unreadable(value)
      : inZone(wall, FixedOffsetZone.instance(sign === '-' ? -offset : offset), value);
  }
  if (utc !== undefined) return inZone(wall, FixedOffsetZone.utcInstance, value);
  const name = bracketed ?? named;
  if (name === undefined) return inZone(wall, zone, value);
  const own = zoneOf(name);
  return own === undefined ? unreadable(value) : inZone(wall, own, value);
}

const UNITS = ['minutes', 'hours', 'days'] as const;

/** What a delay is counted in. */
export type DelayUnit = (typeof UNITS)[number];

export const isDelayUnit = (value: unknown): value is DelayUnit =>
  UNITS.some((unit) => unit === value);

const LONGEST_DELAY_DAYS = 3650;

/**
 * The time after a delay, as the service takes it.
 *
 * @param amount a number, or a text that is one; fractions count
 * @param now Unix milliseconds
 */
export function timeAfter(amount: unknown, unit: DelayUnit, now: number): TimeReading {
  const number = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    return {
      problem: `is ${quote(amount)}, which is not a number`,
      hint: 'Give a number such as 10.',
    };
  }
  if (number < 0) {
    return { problem: `is ${number}, which is in the past`, hint: 'Give 0 or a larger number.' };
  }
  const minutes = number * { minutes: 1, hours: 60, days: 24 * 60 }[unit];
  return minutes > LONGEST_DELAY_DAYS * 24 * 60
    ? {
        problem: `is ${number} ${unit}, which is more than ten years`,
        hint: 'Give a smaller number.',
      }
    : exactly(DateTime.fromMillis(now + Math.round(minutes * 60_000)), amount);
}

const counted = (number: number, unit: string): string =>
  `${number} ${unit}${number === 1 ? '' : 's'}`;

/** How far a time is from now: `in 10 minutes`, `2 days ago`, `now`. */
function distance(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  if (minutes === 0) return 'now';
  const hours = Math.floor(minutes / 60);
  const days = Math.round(minutes / (24 * 60));
  const rest = minutes % 60;
  const words =
    hours === 0
      ? counted(minutes, 'minute')
      : hours < 48
        ? `${counted(hours, 'hour')}${rest === 0 ? '' : ` ${counted(rest, 'minute')}`}`
        : counted(days, 'day');
  return milliseconds < 0 ? `${words} ago` : `in ${words}`;
}

/**
 * A time as people read it: `21 Nov 2026, 20:40 (Europe/Berlin), in 10 minutes`.
 *
 * @param time Unix milliseconds
 * @param zoneName the zone to give it in; UTC when it is none
 * @param now Unix milliseconds
 */
export function timeInWords(time: number, zoneName: string, now: number): string {
  const zone = zoneOf(zoneName) ?? FixedOffsetZone.utcInstance;
  const date = DateTime.fromMillis(time, { zone, locale: 'en' }).toFormat('d LLL yyyy, HH:mm');
  return `${date} (${zone.name}), ${distance(time - now)}`;
}
