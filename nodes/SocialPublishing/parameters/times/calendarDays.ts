import { DateTime } from 'luxon';

import type { Refusal } from '../reading';
import { quote } from '../values';

/** What comes first in a date such as 12/05/2026. */
export const DATE_ORDERS = ['ask', 'dayFirst', 'monthFirst'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** A day, whether it exists or not. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

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

/** The days that exist, each once. */
const existing = (days: readonly Day[]): Day[] => [
  ...new Map(days.filter(exists).map((day) => [inFull(day), day])).values(),
];

/** What a date is read with. */
interface DayOptions {
  readonly order: DateOrder;
  /** The day of the week that was beside it, in three letters. */
  readonly weekday: string | undefined;
  /** The text as the user gave it, for what is said of it. */
  readonly whole: string;
}

/**
 * Reads a date without a time of day and a day of the week.
 *
 * @returns the day, why it is refused, or `undefined` when the text is no date
 */
export function dayIn(
  text: string,
  { order, weekday, whole }: DayOptions,
): Day | Refusal | undefined {
  const single = inWords(text);
  const { chosen, others } =
    single === undefined
      ? (inDigits(text, order) ?? { chosen: [], others: [] })
      : { chosen: [single], others: [] };
  const possible = existing(chosen);
  const [first] = possible;
  if (first === undefined) {
    if (existing(others).length > 0) return wrongOrder(whole, chosen[0]?.month ?? 0, order);
    return WITHOUT_YEAR.test(text) ? withoutYear(whole) : undefined;
  }
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

const withoutYear = (text: string): Refusal => ({
  code: 'noYear',
  problem: `is ${quote(text)}, which has no year`,
  hint: 'Add the year, such as 5 Dec 2026 09:00.',
});
