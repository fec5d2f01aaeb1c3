import { DateTime } from 'luxon';

import type { Refusal } from './reading';
import { quote } from './values';

/** What comes first in a date such as 12/05/2026. */
export const DATE_ORDERS = ['ask', 'dayFirst', 'monthFirst'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** A date as clocks on a wall show it: the fields of `wall` count, its zone is UTC and means nothing. */
export interface WallTime {
  readonly wall: DateTime;
  /** Whether the text has no time of day, so that it is midnight. */
  readonly dateOnly: boolean;
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 };

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const WEEKDAY =
  /\(?\b(?<name>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b\.?\)?,?/i;

/** A time of day: `9:00`, `09:00:30.5`, `9.30`, `9h30`, `9am`, `9:00 a.m.`, `noon`. */
export const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?\s?m\b\.?)?|\d{1,2}\s*(?:[ap]\.?\s?m\b\.?|h(?:\d{2})?\b)|(?:12\s)?noon`;

const TIME_PARTS =
  /^(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?\s*h?\s*(?:(?<half>[ap])\.?\s?m\.?)?$/i;

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

/** @returns the time of day, or `undefined` when it is none; hour 24 is the end of the day */
function timeOfDay(text: string): TimeOfDay | undefined {
  if (/^(?:12\s)?noon$/i.test(text)) return { ...MIDNIGHT, hour: 12 };
  const {
    hour = '',
    minute = '0',
    second = '0',
    fraction = '0',
    half,
  } = TIME_PARTS.exec(text)?.groups ?? {};
  const given = Number(hour);
  const afternoon = half?.toLowerCase() === 'p';
  const hours =
    half === undefined || given > 12 || (given === 0 && !afternoon)
      ? given
      : (given % 12) + (afternoon ? 12 : 0);
  const time = {
    hour: hours,
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  const isEnd = hours === 24 && time.minute === 0 && time.second === 0 && time.millisecond === 0;
  const contradicts = half !== undefined && (afternoon ? given === 0 || given > 23 : given > 12);
  return hour === '' ||
    contradicts ||
    (hours > 23 && !isEnd) ||
    time.minute > 59 ||
    time.second > 59
    ? undefined
    : time;
}

const ORDINAL = '(?:st|nd|rd|th)?';
const YEAR = String.raw`['’]?(?<year>\d{4}|\d{2})`;
const GAP = String.raw`[\s.,/-]`;

const YEAR_FIRST =
  /^(?<year>\d{4})(?<between>[-/.])\s?(?<month>\d{1,2})\k<between>\s?(?<day>\d{1,2})\.?$/;
const IN_DIGITS =
  /^(?<first>\d{1,2})(?<between>[-/.])\s?(?<second>\d{1,2})\k<between>\s?(?<last>\d{4}|\d{2})$/;
const IN_WORDS = [
  String.raw`(?<day>\d{1,2})${ORDINAL}(?:\s+of\s)?${GAP}*(?<month>${MONTH})\b\.?${GAP}+${YEAR}`,
  String.raw`(?<day>\d{1,2})${GAP}*(?<month>${MONTH})(?<year>\d{4})`,
  String.raw`(?<month>${MONTH})\b\.?${GAP}*(?:the\s+)?(?<day>\d{1,2})${ORDINAL}${GAP}+${YEAR}`,
  String.raw`(?<year>\d{4})${GAP}*(?<month>${MONTH})\b\.?${GAP}*(?<day>\d{1,2})${ORDINAL}`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

/** A date whose year is missing: `5 Dec`, `12/25`. */
const WITHOUT_YEAR = new RegExp(
  String.raw`^(?:\d{1,2}[/.]\d{1,2}\.?|\d{1,2}${ORDINAL}(?:\s+of)?[\s.-]*(?:${MONTH})\.?|(?:${MONTH})\.?[\s-]*\d{1,2}${ORDINAL})$`,
  'i',
);

/** A year of two digits is one of this century. */
const fullYear = (year: string): number => Number(year) + (year.length === 2 ? 2000 : 0);

const exists = ({ year, month, day }: Day): boolean => DateTime.utc(year, month, day).isValid;

/** The days that a date in digits may be, whether they exist or not. */
function inDigits(text: string, order: DateOrder): { chosen: Day[]; others: Day[] } | undefined {
  const { first = '', second = '', last = '', between } = IN_DIGITS.exec(text)?.groups ?? {};
  if (first === '') return undefined;
  const year = fullYear(last);
  const dayFirst = { year, month: Number(second), day: Number(first) };
  const monthFirst = { year, month: Number(first), day: Number(second) };
  if (order === 'dayFirst' || (order === 'ask' && between === '.')) {
    return { chosen: [dayFirst], others: [monthFirst] };
  }
  if (order === 'monthFirst') return { chosen: [monthFirst], others: [dayFirst] };
  const mayBeginWithYear = between === '-' && last.length === 2 && first.length === 2;
  const yearFirst = { year: fullYear(first), month: Number(second), day: Number(last) };
  return { chosen: [dayFirst, monthFirst, ...(mayBeginWithYear ? [yearFirst] : [])], others: [] };
}

/** The day of a date that begins with its year or names its month. */
function inWords(text: string): Day | undefined {
  const groups = [YEAR_FIRST, ...IN_WORDS]
    .map((pattern) => pattern.exec(text)?.groups)
    .find(Boolean);
  if (groups === undefined) return undefined;
  const { year = '', month = '', day = '' } = groups;
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return { year: fullYear(year), month: number || Number(month), day: Number(day) };
}

const inFull = ({ year, month, day }: Day): string =>
  DateTime.utc(year, month, day, { locale: 'en' }).toFormat('d MMMM yyyy');

const weekdayOf = ({ year, month, day }: Day): string =>
  DateTime.utc(year, month, day, { locale: 'en' }).toFormat('cccc');

const sameDays = (days: readonly Day[]): Day[] => [
  ...new Map(days.filter(exists).map((day) => [inFull(day), day])).values(),
];

/** @returns the day, why it is refused, or `undefined` when the text is no date */
function dayOf(
  text: string,
  weekday: string | undefined,
  order: DateOrder,
  whole: string,
): Day | Refusal | undefined {
  const single = inWords(text);
  const { chosen, others } =
    single === undefined
      ? (inDigits(text, order) ?? { chosen: [], others: [] })
      : { chosen: [single], others: [] };
  const possible = sameDays(chosen);
  const [first] = possible;
  if (first === undefined)
    return sameDays(others).length === 0
      ? undefined
      : wrongOrder(whole, chosen[0]?.month ?? 0, order);
  const fitting = possible.filter(
    (day) => weekday === undefined || weekdayOf(day).toLowerCase().startsWith(weekday),
  );
  const [found, other] = fitting;
  if (found === undefined) {
    return {
      code: 'wrongWeekday',
      problem: `is ${quote(whole)}, but ${inFull(first)} is a ${weekdayOf(first)}`,
      hint: 'Correct the date, or leave the day of the week out.',
    };
  }
  return other === undefined ? found : ambiguous(whole, fitting);
}

const wrongOrder = (whole: string, month: number, order: DateOrder): Refusal => ({
  code: 'noSuchMonth',
  problem: `is ${quote(whole)}, and there is no month ${month}`,
  hint:
    order === 'ask'
      ? 'In a date with dots, the day comes first. If the month does, add the option Date Order.'
      : `The option Date Order says that the ${order === 'dayFirst' ? 'day' : 'month'} comes first. Correct the date or the option.`,
});

const ambiguous = (whole: string, days: readonly Day[]): Refusal => ({
  code: 'ambiguousDate',
  problem: `is ${quote(whole)}, which may be ${days.map(inFull).join(' or ')}`,
  hint: `Add the option Date Order, or write the month as a word, such as ${inFull(days[0]!)}.`,
});

/** A calendar date first: luxon would also read a bare time or year, which no one means here. */
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

/** A text without the day of the week. */
export const withoutWeekday = (text: string): string => tidy(text.replace(WEEKDAY, ' '));

const tidy = (text: string): string => text.replace(/\s+/g, ' ').replace(/^[\s,]+|[\s,]+$/g, '');

/** The parts of a text; without `time` where it has none. */
function parts(text: string): { date: string; time?: string } {
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
 * @param text without white space of other kinds than blanks
 * @returns the time, why it is refused, or `undefined` for a text that is no date
 */
export function readWallTime(text: string, order: DateOrder): WallTime | Refusal | undefined {
  const found = standard(text);
  if (found !== undefined) return found;
  if (/\bmidnight\b/i.test(text)) return beginsOrEnds(text);
  const weekday = WEEKDAY.exec(text)?.groups?.name?.slice(0, 3).toLowerCase();
  const { date, time } = parts(withoutWeekday(text));
  const clock = time === undefined ? MIDNIGHT : timeOfDay(time);
  if (clock === undefined) return undefined;
  const day = dayOf(date, weekday, order, text);
  if (day === undefined) return WITHOUT_YEAR.test(date) ? withoutYear(text) : undefined;
  if ('problem' in day) return day;
  const wall = DateTime.fromObject({ ...day, ...clock }, { zone: 'utc' });
  return { wall, dateOnly: time === undefined };
}

const beginsOrEnds = (text: string): Refusal => ({
  code: 'ambiguousMidnight',
  problem: `is ${quote(text)}, and midnight may be the start or the end of that day`,
  hint: 'Write 00:00 or 24:00 instead.',
});

const withoutYear = (text: string): Refusal => ({
  code: 'noYear',
  problem: `is ${quote(text)}, which has no year`,
  hint: 'Add the year, such as 5 Dec 2026 09:00.',
});

const FIRST_SERIAL = 36_526;
const LAST_SERIAL = 73_050;

/**
 * Reads the number that spreadsheets keep a date as: the days since 30 December 1899. Read are those
 * of this century, 36526 to 73050.
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

/** The number of a weekday, 1 for Monday; `undefined` for another word. */
export const weekdayNumber = (word: string): number | undefined => {
  const number = WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
  return number === 0 || WEEKDAY.exec(word)?.groups?.name !== word ? undefined : number;
};

/** A time of day in a text, in 24 hours: `09:00`; `undefined` when it is none. */
export function clockOf(text: string): string | undefined {
  const time = timeOfDay(/^\d{1,2}$/.test(text) ? `${text}:00` : text);
  return time && DateTime.utc(2000, 1, 1).set(time).toFormat('HH:mm');
}
