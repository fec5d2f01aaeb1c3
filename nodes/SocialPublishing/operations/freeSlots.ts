import { DateTime, type Zone } from 'luxon';

import type { ClockTime } from '../parameters/times/clock';
import { momentsOf } from '../parameters/times/zones';

/** The times of a week, on days from 1 for Monday, and the zone whose clocks show them. */
export interface Week {
  readonly weekly: ReadonlyArray<{ days: readonly number[]; times: readonly ClockTime[] }>;
  readonly zone: Zone;
}

/** How far ahead a slot may be, in days. */
export const LAST_DAY = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The times of a day of the week from all entries, in ascending order, each once. */
const timesOn = (day: number, weekly: Week['weekly']): ClockTime[] =>
  [...new Set(weekly.flatMap(({ days, times }) => (days.includes(day) ? times : [])))].sort(
    (a, b) => a - b,
  );

/** The slots of the next {@link LAST_DAY} days in order, in Unix milliseconds like `now`. */
export function* slotsOf({ weekly, zone }: Week, now: number): Generator<number, undefined> {
  const { year, month, day } = DateTime.fromMillis(now, { zone });
  // Calendar days are counted in UTC, where none is skipped and each has a midnight.
  const today = DateTime.utc(year, month, day);
  for (let ahead = 0; ahead <= LAST_DAY; ahead++) {
    const date = today.plus({ days: ahead });
    for (const time of timesOn(date.weekday, weekly)) {
      const [moment] = momentsOf(date.toMillis() + time * 60_000, zone);
      if (moment !== undefined && moment >= now && moment <= now + LAST_DAY * DAY_MS) yield moment;
    }
  }
  return undefined;
}

/** Gives out the free slots of one workspace, each once. */
export class FreeSlots {
  private readonly taken: Set<number>;

  private readonly ahead = new Map<string, Generator<number, undefined>>();

  /** @param now Unix milliseconds, as are the moments that are `taken` */
  constructor(
    private readonly now: number,
    taken: Iterable<number>,
  ) {
    this.taken = new Set(taken);
  }

  /** Takes the first free slot of a week, in Unix milliseconds; `undefined` when there is none. */
  take(week: Week): number | undefined {
    const key = JSON.stringify([week.weekly, week.zone.name]);
    const ahead = this.ahead.get(key) ?? slotsOf(week, this.now);
    this.ahead.set(key, ahead);
    // Slots that were passed over are taken for good.
    for (let next = ahead.next(); next.done !== true; next = ahead.next()) {
      if (this.taken.has(next.value)) continue;
      this.taken.add(next.value);
      return next.value;
    }
    return undefined;
  }
}
