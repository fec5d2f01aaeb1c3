import { DAY_MS } from './clock';
import type { Order } from './forms';
import type { DateParts } from './parts';
import type { Unread } from './suggestion';

/** What comes first in a date such as 12/05/2026. */
export const DATE_ORDERS = ['ask', 'dayFirst', 'monthFirst'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];

/** A day that exists, from its start in UTC. */
interface Day {
  readonly order: Order;
  readonly at: Date;
}

const inFull = ({ at }: Day): string => at.toUTCString().slice(5, 16).replace(/^0/, '');

/** The days of this century as spreadsheets count them, and 1 January 1970. */
const [FIRST_SERIAL, LAST_SERIAL, UNIX_SERIAL] = [36_526, 73_050, 25_569];

function dayOfSerial(serial: number): Day[] {
  const at = new Date((serial - UNIX_SERIAL) * DAY_MS);
  return serial < FIRST_SERIAL || serial > LAST_SERIAL ? [] : [{ order: 'serial', at }];
}

/** The day that a date is in an order; none where it doesn't exist, or a part can't be the year. */
function dayIn([first = '', ...others]: readonly string[], order: Order): Day[] {
  if (order === 'serial') return dayOfSerial(Number(first));
  const compact = [first.slice(0, 4), first.slice(4, 6), first.slice(6)];
  const parts = others.length > 0 ? [first, ...others] : compact;
  const [year = '', month, day] = [...'ymd'].map((part) => parts[order.indexOf(part)]);
  // A year of two digits is one of this century.
  const fullYear = Number(year.padStart(4, '20'));
  const at = new Date(new Date(0).setUTCFullYear(fullYear, Number(month) - 1, Number(day)));
  const exists = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
  return exists && year.length % 2 === 0 ? [{ order, at }] : [];
}

/** The setting that decides for an order where a date can be read in several. */
const DECIDED_BY: Partial<Record<Order, DateOrder>> = { dmy: 'dayFirst', mdy: 'monthFirst' };

/** Why a date is no day, and what is said of it: which days it may be. */
type NoDay = readonly [code: Unread, detail?: string];

/**
 * When the day begins in UTC, in Unix milliseconds: the only one that it can be, else the one that
 * the order says.
 */
export function startOfDay(
  { date, orders, weekdays }: DateParts,
  chosen: DateOrder,
): number | NoDay {
  const existing = orders.flatMap((order) => dayIn(date, order));
  const [some] = existing;
  if (some === undefined) return [orders[0] === 'serial' ? 'unreadableTime' : 'noSuchDay'];
  const fitting = existing.filter(({ at }) => weekdays.every((day) => at.getUTCDay() === day % 7));
  if (fitting.length === 0) {
    const weekday = some.at.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
    return ['wrongWeekday', `${inFull(some)} is a ${weekday}`];
  }
  const decided = fitting.filter(({ order }) => DECIDED_BY[order] === chosen);
  const possible = new Map(
    (decided.length > 0 ? decided : fitting).map((day) => [day.at.getTime(), inFull(day)]),
  );
  const [[start] = [NaN]] = possible;
  return possible.size > 1 ? ['ambiguousDate', [...possible.values()].join(' or ')] : start;
}
