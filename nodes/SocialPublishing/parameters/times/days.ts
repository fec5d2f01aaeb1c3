import type { Refusal } from '../reading';
import { quote } from '../values';
import { DAY_MS } from './clock';
import type { Order } from './forms';
import type { Parts } from './parts';

/** What comes first in a date such as 12/05/2026. */
export const DATE_ORDERS = ['ask', 'dayFirst', 'monthFirst'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** A day, whether it exists or not. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly order: Order;
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const inFull = ({ year, month, day }: Day): string => `${day} ${MONTHS[month - 1]} ${year}`;

/** When a day begins in UTC, in Unix milliseconds. */
const startOf = ({ year, month, day }: Day): number =>
  new Date(0).setUTCFullYear(year, month - 1, day);

const weekdayOf = (day: Day): number => new Date(startOf(day)).getUTCDay();

/** A month has no day 0 and no 31 November: both are days of another month. */
const exists = (day: Day): boolean => {
  const start = new Date(startOf(day));
  return start.getUTCMonth() === day.month - 1 && start.getUTCDate() === day.day;
};

/** When a day begins that spreadsheets count by its number, if it is of this century. */
const startOfSerial = (days: number): number | undefined =>
  days >= 36_526 && days < 73_051 ? (days - 25_569) * DAY_MS : undefined;

/** The day that a date is in an order; `undefined` where a part can't be the year. */
function dayIn(date: readonly string[], order: Order): Day | undefined {
  const [first = '', ...others] = date;
  const parts = others.length > 0 ? date : [first.slice(0, 4), first.slice(4, 6), first.slice(6)];
  const [year = '', month, day] = [...'ymd'].map((part) => parts[order.indexOf(part)]);
  // A year of two digits is one of this century.
  return year.length === 2 || year.length === 4
    ? { year: Number(year.padStart(4, '20')), month: Number(month), day: Number(day), order }
    : undefined;
}

/** The order that decides where a date can be read in two. */
const DECIDES: Readonly<Record<DateOrder, Order | undefined>> = {
  ask: undefined,
  dayFirst: 'dmy',
  monthFirst: 'mdy',
};

/**
 * The day that the parts of a date mean: the only one of which it can be, else as the order says.
 *
 * @param whole the text as the user gave it, for what is said of it
 * @returns when the day begins in UTC, in Unix milliseconds, or why the date is refused
 */
export function startOfDay(
  { date, orders, weekdays }: Parts,
  chosen: DateOrder,
  whole: unknown,
): number | Refusal | undefined {
  if (orders.includes('serial')) return startOfSerial(Number(date[0]));
  const days = orders.flatMap((order) => dayIn(date, order) ?? []);
  const existing = days.filter(exists);
  const [only] = existing;
  if (only === undefined) return noSuchDay(days, whole);
  const fitting = existing.filter((day) =>
    weekdays.every((weekday) => weekdayOf(day) === weekday % 7),
  );
  if (fitting.length === 0) return wrongWeekday(only, whole);
  const decided = fitting.filter(({ order }) => order === DECIDES[chosen]);
  const possible = new Map(
    (decided.length > 0 ? decided : fitting).map((day) => [startOf(day), day]),
  );
  const [start] = possible.keys();
  return possible.size > 1 ? ambiguous([...possible.values()], whole) : start;
}

const ambiguous = (days: readonly Day[], whole: unknown): Refusal => ({
  code: 'ambiguousDate',
  problem: `is ${quote(whole)}, which may be ${days.map(inFull).join(' or ')}`,
  hint: `Write the month in letters, such as ${inFull(days[0]!)}.`,
  forBuilder: 'To read all such dates in one way, add the option Date Order.',
});

const wrongWeekday = (day: Day, whole: unknown): Refusal => ({
  code: 'wrongWeekday',
  problem: `is ${quote(whole)}, but ${inFull(day)} is a ${WEEKDAYS[weekdayOf(day)]}`,
  hint: 'Correct the date, or leave the day of the week out.',
});

function noSuchDay(days: readonly Day[], whole: unknown): Refusal {
  const swapped = days.map((one) => ({ ...one, month: one.day, day: one.month })).find(exists);
  return {
    code: 'noSuchDay',
    problem: `is ${quote(whole)}, and there is no such day`,
    hint: swapped
      ? `For ${inFull(swapped)}, write day and month the other way round.`
      : 'Correct the date.',
  };
}
