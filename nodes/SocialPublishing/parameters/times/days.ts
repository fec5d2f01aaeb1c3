import { DAY_MS } from './clock';
import type { Order } from './forms';
import type { DateParts } from './parts';
import type { Unread } from './suggestion';

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

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

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

/** The setting that decides for an order where a date can be read in several. */
const DECIDED_BY: Partial<Record<Order, DateOrder>> = { dmy: 'dayFirst', mdy: 'monthFirst' };

/** The days of this century as spreadsheets count them, and 1 January 1970. */
const [FIRST_SERIAL, LAST_SERIAL, UNIX_SERIAL] = [36_526, 73_050, 25_569];

/** Why a date is no day, and what is said of it: which days it may be. */
type NoDay = readonly [code: Unread, detail?: string];

/**
 * The day that the parts of a date mean: the only one that it can be, else the one that the order says.
 *
 * @returns when it begins in UTC, in Unix milliseconds
 */
export function startOfDay(
  { date, orders, weekdays }: DateParts,
  chosen: DateOrder,
): number | NoDay {
  if (orders[0] === 'serial') {
    const days = Number(date[0]);
    return days < FIRST_SERIAL || days > LAST_SERIAL
      ? ['unreadableTime']
      : (days - UNIX_SERIAL) * DAY_MS;
  }
  const existing = orders.flatMap((order) => dayIn(date, order) ?? []).filter(exists);
  const [some] = existing;
  if (some === undefined) return ['noSuchDay'];
  const fitting = existing.filter((day) =>
    weekdays.every((weekday) => weekdayOf(day) === weekday % 7),
  );
  if (fitting.length === 0) {
    return ['wrongWeekday', `${inFull(some)} is a ${WEEKDAYS[weekdayOf(some)]}`];
  }
  const decided = fitting.filter(({ order }) => DECIDED_BY[order] === chosen);
  const possible = new Map(
    (decided.length > 0 ? decided : fitting).map((day) => [startOf(day), inFull(day)]),
  );
  const [[start] = [NaN]] = possible;
  return possible.size > 1 ? ['ambiguousDate', [...possible.values()].join(' or ')] : start;
}
