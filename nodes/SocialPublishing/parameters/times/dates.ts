import { DateTime } from 'luxon';

import type { Refusal } from '../reading';
import { quote, tidy } from '../values';
import { type DateOrder, dayIn } from './calendarDays';
import { MIDNIGHT, TIME, timeOfDay } from './timeOfDay';
import { weekdayIn, withoutWeekday } from './weekdays';

/** A date as clocks on a wall show it. `wall` is in UTC, but stands for the same digits in any zone. */
export interface WallTime {
  readonly wall: DateTime;
  /** Whether the text has no time of day, so that it is midnight. */
  readonly dateOnly: boolean;
}

/** Only texts that begin with a date: luxon would also read a bare time or year, which no one means. */
const BEGINS_WITH_DATE = /^(\d{4}-\d{2}-\d{2}|\d{8}(?!\d)|\d{4}-W\d{2}-\d|\d{4}-\d{3}(?!\d))/;

/** Reads ISO 8601 and SQL. */
function standard(text: string): WallTime | undefined {
  if (!BEGINS_WITH_DATE.test(text)) return undefined;
  const readings = [
    DateTime.fromISO(text, { zone: 'utc' }),
    DateTime.fromSQL(text, { zone: 'utc' }),
  ];
  const wall = readings.find(({ isValid }) => isValid);
  return wall && { wall, dateOnly: !/[T ]\d/i.test(text) };
}

const AT_THE_END = new RegExp(
  String.raw`^(?<date>.+?)(?:\s*,\s*|\s+)(?:at\s+|@\s*|-\s+)?(?<time>${TIME})$`,
  'i',
);
const AT_THE_BEGINNING = new RegExp(
  String.raw`^(?<time>${TIME})(?:\s*,\s*|\s+)(?:(?:on|-)\s+)?(?<date>.+)$`,
  'i',
);
const BEFORE_THE_YEAR = new RegExp(
  String.raw`^(?<date>.+?)\s+(?<time>${TIME})\s+(?<year>\d{4})$`,
  'i',
);
const AFTER_T = new RegExp(String.raw`^(?<date>.*\d)T(?<time>${TIME})$`, 'i');

/** The date in a text, and its time of day; without `time` where it has none. */
function partsOf(text: string): { date: string; time?: string } {
  for (const pattern of [AFTER_T, AT_THE_END, AT_THE_BEGINNING, BEFORE_THE_YEAR]) {
    const { date, time, year } = pattern.exec(text)?.groups ?? {};
    if (date !== undefined && time !== undefined) {
      return { date: tidy(year === undefined ? date : `${date} ${year}`), time };
    }
  }
  return { date: text };
}

/**
 * Reads a date without an offset: as ISO 8601 or SQL has it, or as people write it, with the time of
 * day after it or before it.
 *
 * @param text with plain blanks and no other white space
 * @returns the time, why it is refused, or `undefined` for a text that is no date
 */
export function readWallTime(text: string, order: DateOrder): WallTime | Refusal | undefined {
  const found = standard(text);
  if (found !== undefined) return found;
  if (/\bmidnight\b/i.test(text)) return beginsOrEnds(text);
  const { date, time } = partsOf(withoutWeekday(text));
  const clock = time === undefined ? MIDNIGHT : timeOfDay(time);
  if (clock === undefined) return undefined;
  const day = dayIn(date, { order, weekday: weekdayIn(text), whole: text });
  if (day === undefined || 'problem' in day) return day;
  const wall = DateTime.fromObject({ ...day, ...clock }, { zone: 'utc' });
  return { wall, dateOnly: time === undefined };
}

const beginsOrEnds = (text: string): Refusal => ({
  code: 'ambiguousMidnight',
  problem: `is ${quote(text)}, and midnight may be the start or the end of that day`,
  hint: 'Write 00:00 or 24:00 instead.',
});

const FIRST_SERIAL = 36_526;
const LAST_SERIAL = 73_050;

/**
 * Reads the number that spreadsheets keep a date as: the days since 30 December 1899. Only those of
 * this century are read, 36526 to 73050.
 *
 * @param text such as `46361` or `46361.375`, also with a decimal comma
 */
export function readSerial(text: string): WallTime | undefined {
  if (!/^\d{5}(?:[.,]\d+)?$/.test(text)) return undefined;
  const days = Number(text.replace(',', '.'));
  if (days < FIRST_SERIAL || days >= LAST_SERIAL + 1) return undefined;
  const seconds = Math.round(days * 24 * 60 * 60);
  return { wall: DateTime.utc(1899, 12, 30).plus({ seconds }), dateOnly: Number.isInteger(days) };
}
