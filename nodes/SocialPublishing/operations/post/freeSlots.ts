import { DateTime, type Zone } from 'luxon';

import type { ClockTime } from '../../parameters/clockTimes';

/** Times that come back every week. */
export interface WeeklyTimes {
  /** 1 for Monday to 7 for Sunday. */
  readonly days: readonly number[];
  readonly times: readonly ClockTime[];
}

/** How far ahead a slot may be, in days. */
export const LAST_DAY = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Which slots are looked for. */
export interface SlotSearch {
  readonly weekly: readonly WeeklyTimes[];
  /** The zone whose clocks show the times. */
  readonly zone: Zone;
  /** Unix milliseconds. */
  readonly now: number;
  /** The moments that have a post, in Unix milliseconds. */
  readonly taken: ReadonlySet<number>;
  /** How many slots are needed. */
  readonly count: number;
}

/** The times of a day of the week from all entries, in ascending order, each once. */
const timesOn = (day: number, weekly: readonly WeeklyTimes[]): ClockTime[] =>
  [...new Set(weekly.flatMap(({ days, times }) => (days.includes(day) ? times : [])))].sort(
    (a, b) => a - b,
  );

/**
 * When clocks in a zone show a time on a date, in Unix milliseconds: the first moment when they show
 * it twice, `undefined` when they skip it.
 */
function momentOf(date: DateTime, time: ClockTime, zone: Zone): number | undefined {
  const { year, month, day } = date;
  const hour = Math.floor(time / 60);
  const minute = time % 60;
  const local = DateTime.fromObject({ year, month, day, hour, minute }, { zone });
  if (local.hour !== hour || local.minute !== minute || local.day !== day) return undefined;
  return Math.min(...local.getPossibleOffsets().map((one) => one.toMillis()));
}

/**
 * Finds the first slots from now on that no post has, in their order.
 *
 * @returns the slots in Unix milliseconds: fewer than needed when the next {@link LAST_DAY} days have
 * no more
 */
export function freeSlots({ weekly, zone, now, taken, count }: SlotSearch): number[] {
  const slots: number[] = [];
  const { year, month, day } = DateTime.fromMillis(now, { zone });
  // Calendar days are counted in UTC, where none is skipped and each has a midnight.
  const today = DateTime.utc(year, month, day);
  for (let ahead = 0; ahead <= LAST_DAY && slots.length < count; ahead++) {
    const date = today.plus({ days: ahead });
    for (const time of timesOn(date.weekday, weekly)) {
      const moment = momentOf(date, time, zone);
      const isWanted = moment !== undefined && moment >= now && moment <= now + LAST_DAY * DAY_MS;
      if (isWanted && !taken.has(moment) && slots.length < count) slots.push(moment);
    }
  }
  return slots;
}
