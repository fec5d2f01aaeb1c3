import { DateTime, FixedOffsetZone, type Zone } from 'luxon';

import type { Refusal } from '../reading';
import { quote } from '../values';
import type { DateOrder } from './calendarDays';
import { readSerial, readWallTime, type WallTime } from './dates';
import { expressionFor } from './dateWords';
import { clockOf, TIME } from './timeOfDay';
import { withoutWeekday } from './weekdays';
import { isAbbreviation, zoneOf } from './zones';

/** A time as the service takes it, or why it is refused. */
export type TimeReading =
  | {
      /** ISO 8601 in UTC with milliseconds and a trailing Z (docs/service.md, "Times"). */
      readonly utc: string;
      /** Whether clocks show this time twice, and the first of the two was taken. */
      readonly comesTwice: boolean;
      /** Whether a date came without a time of day, and midnight was taken. */
      readonly dateOnly: boolean;
    }
  | Refusal;

/** What a text means that can be read in several ways. */
export interface TimeOptions {
  /** The zone that holds for a text without an offset: see {@link zoneOf}. */
  readonly zone: Zone;
  readonly order: DateOrder;
  /** The expression that gave the value, such as `$json.date`, if it was one. */
  readonly source?: string | undefined;
}

/** What ends a text that has a time of day: the offset or the zone that it is in. */
const AFTER_DATE = String.raw`(?:${TIME})(?:\s+\d{4})?|T\d{2}(?:\d{2}(?:\d{2}(?:[.,]\d+)?)?)?`;
const OFFSET = String.raw`(?:UTC|GMT)?(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>\d{2}))?|(?<utc>Z|UTC|GMT)`;
const ZONE_NAME = String.raw`\[(?<bracketed>[^\]]+)\]|(?<named>[A-Za-z_]+(?:\/[\w+-]+)+)|\([^)]*\)`;
const ENDING = new RegExp(
  String.raw`^(?<local>.*?(?:${AFTER_DATE}))\s*(?:${OFFSET})?\s*(?:${ZONE_NAME})?$`,
  'i',
);
const ABBREVIATION = new RegExp(
  String.raw`^(?<local>.*(?:${AFTER_DATE}))\s*\(?(?<letters>[A-Z]{1,5})\)?$`,
  'i',
);

/** Whether letters after a time are those of a zone: `EST`, `est`, but not `AM` or `Uhr`. */
const isZoneLetters = (letters: string): boolean =>
  isAbbreviation(letters) &&
  !/^[ap]m?$/i.test(letters) &&
  (letters === letters.toUpperCase() || /^[a-z]{2,3}t$/.test(letters));

/** An example to start from: tomorrow at 9:00. */
const exampleOf = (zone: Zone): string =>
  `{{ $now.setZone(${JSON.stringify(zone.name)}).plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00") }}`;

/** The refusal of a value that is no date, with an expression to paste instead. */
function unreadable(value: unknown, { zone, source }: TimeOptions): Refusal {
  const text = typeof value === 'string' ? value.trim() : '';
  const pasted = expressionFor(text, zone.name, source);
  const hasNoClock = clockOf(text) === undefined || /^\d+$/.test(text);
  return {
    code: hasNoClock ? 'unreadableTime' : 'noDate',
    problem: hasNoClock
      ? `is ${quote(value)}, which cannot be read as a date and time`
      : `is ${quote(value)}, which has no date`,
    hint:
      pasted === undefined
        ? `Give a date such as 2026-11-21 10:00, or paste an expression. For tomorrow at 9:00, paste this one: ${exampleOf(zone)}`
        : `Paste this expression instead: ${pasted}`,
  };
}

function exactly(
  time: DateTime,
  value: unknown,
  options: TimeOptions,
  more: { comesTwice?: boolean; dateOnly?: boolean } = {},
): TimeReading {
  const utc = time.toUTC().toISO() ?? '';
  return /^\d{4}-/.test(utc)
    ? { utc, comesTwice: false, dateOnly: false, ...more }
    : unreadable(value, options);
}

function inZone(
  { wall, dateOnly }: WallTime,
  zone: Zone,
  value: unknown,
  options: TimeOptions,
): TimeReading {
  const read = wall.setZone(zone, { keepLocalTime: true });
  if (!read.isValid) return unreadable(value, options);
  if (read.hour !== wall.hour || read.minute !== wall.minute) {
    return {
      code: 'skippedHour',
      problem: `is ${quote(value)}, an hour that clocks in ${zone.name} skip that day`,
      hint: 'Clocks are put forward then. Choose a time before or after that hour.',
    };
  }
  const possible = read.getPossibleOffsets();
  return exactly(DateTime.min(...possible) ?? read, value, options, {
    comesTwice: possible.length > 1,
    dateOnly,
  });
}

/** A text with plain blanks and dashes, and without invisible characters. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Pd}|\u2212/gu, '-')
    .trim();

/** Removes the word after a time of day: `9 Uhr` and `9 o'clock` are `9:00`. */
const clockWords = (text: string): string =>
  text
    .replace(/(?<![\d:.])(\d{1,2})\s*(?:uhr|o['’]clock)\b/gi, '$1:00')
    .replace(/(?<=[:.]\d{2})\s*(?:uhr|hrs?|o['’]clock)\b\.?/gi, '');

/**
 * Reads a time and writes it as the service takes it.
 *
 * Read are ISO 8601, SQL, RFC 2822 and HTTP dates, dates as people write them in digits or with the
 * month in English, the numbers that spreadsheets keep dates as, Unix seconds (10 digits) and
 * milliseconds (13 digits), and date objects. An offset in the text wins over every zone name; a zone
 * name in the text wins over the zone given; a text with neither is in that zone. A date that may mean
 * two days is refused, and so is a time that clocks skip; of one that comes twice, the first is taken.
 *
 * @param value what the user gave
 */
export function readTime(value: unknown, options: TimeOptions): TimeReading {
  if (DateTime.isDateTime(value))
    return value.isValid ? exactly(value, value, options) : unreadable(value, options);
  if (value instanceof Date) {
    const time = DateTime.fromJSDate(value);
    return time.isValid ? exactly(time, value, options) : unreadable(value, options);
  }
  if (typeof value !== 'string' && typeof value !== 'number') return unreadable(value, options);
  const text = visible(String(value))
    // The editor writes a DateTime so when an expression is switched to Fixed.
    .replace(/^\[DateTime: (.*)\]$/, '$1')
    // A spreadsheet hides the sign that keeps a cell from being read as a number.
    .replace(/^'/, '');
  if (/^\d{10}$/.test(text)) return exactly(DateTime.fromSeconds(Number(text)), value, options);
  if (/^\d{13}$/.test(text)) return exactly(DateTime.fromMillis(Number(text)), value, options);
  const serial = readSerial(text);
  return serial === undefined
    ? fromText(clockWords(text), value, options)
    : inZone(serial, options.zone, value, options);
}

function fromText(text: string, value: unknown, options: TimeOptions): TimeReading {
  const read = (local: string): WallTime | Refusal | undefined =>
    readWallTime(local, options.order);
  const { local: before = '', letters = '' } =
    ABBREVIATION.exec(withoutWeekday(text))?.groups ?? {};
  if (isZoneLetters(letters)) {
    return read(before) === undefined
      ? unreadable(value, options)
      : {
          code: 'ambiguousZone',
          problem: `is ${quote(value)}, and ${letters} stands for several time zones`,
          hint: 'Write the offset instead, such as +01:00, or leave it out and choose the time zone.',
        };
  }
  const { local, sign, hours, minutes, utc, bracketed, named } = ENDING.exec(text)?.groups ?? {};
  const wall = read(local ?? text);
  if (wall === undefined) return unreadable(value, options);
  if ('problem' in wall) return wall;
  if (sign !== undefined) {
    const offset = Number(hours) * 60 + Number(minutes ?? 0);
    return Number(hours) > 14 || Number(minutes ?? 0) > 59
      ? unreadable(value, options)
      : inZone(wall, FixedOffsetZone.instance(sign === '-' ? -offset : offset), value, options);
  }
  if (utc !== undefined) return inZone(wall, FixedOffsetZone.utcInstance, value, options);
  const name = bracketed ?? named;
  if (name === undefined) return inZone(wall, options.zone, value, options);
  const own = zoneOf(name);
  return own === undefined ? unreadable(value, options) : inZone(wall, own, value, options);
}
