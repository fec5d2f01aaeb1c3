import type { Item, Time } from '../../../parameters/item';
import { DELAY_UNITS, timeAfter } from '../../../parameters/readers';
import type { FieldError } from '../../../parameters/refusal';
import { readClockTimes } from '../../../parameters/times/clock';
import { timeInWords } from '../../../parameters/times/timeWords';
import { isEmpty, quote, textList, wholeNumber } from '../../../parameters/values';
import { LAST_DAY, type Week } from '../../freeSlots';

/** How far past a time may be: n8n may take that long to get here. */
const TOLERATED_MS = 5 * 60 * 1000;

/** The choice In the Next Free Slot of Publish. */
export const NEXT_SLOT = 'slot';

/** The choice At a Date and Time, or in the Next Free Slot: the slot is for items without a date. */
const AT_OR_SLOT = 'atOrSlot';

/** When to publish. */
export interface DueTime {
  /** `undefined` while the slot is still to be found. */
  readonly utc: string | undefined;
  readonly zone: string;
  /** What the user asked for: the same on each try. */
  readonly asked: unknown;
  /** Why it can't be published at that time. */
  readonly refusal?: FieldError;
  /** What is known to be wrong with it. */
  readonly wrong: readonly FieldError[];
  /** What the user should know of it. */
  readonly warnings: readonly string[];
}

/**
 * When the fields of an item say that a post is published.
 * @throws FieldError for a time that cannot be sent
 */
export function dueTimeOf(item: Item): DueTime {
  const chosen = item.oneOf('publish', ['at', 'after', 'now', NEXT_SLOT, AT_OR_SLOT]) ?? 'at';
  const dated = isEmpty(item.value('scheduledAt')) ? NEXT_SLOT : 'at';
  const publish = chosen === AT_OR_SLOT ? dated : chosen;
  if (publish === 'at') return atDate(item);
  const zone = item.zone().name;
  const relative = { zone, utc: undefined, asked: publish, wrong: [], warnings: [] };
  if (publish === NEXT_SLOT) return relative;
  if (publish === 'now') return { ...relative, utc: new Date(item.now).toISOString() };
  const unit = item.oneOf('delayUnit', DELAY_UNITS) ?? 'minutes';
  const amount = item.value('delayAmount');
  return {
    ...relative,
    utc: item.accept('delayAmount', timeAfter(amount, unit, item.now)),
    asked: [Number(amount), unit],
  };
}

function atDate(item: Item): DueTime {
  const time =
    item.time('scheduledAt') ??
    item.refuse('scheduledAt', 'is empty', 'Enter when to publish, such as 2026-11-21 10:00:00.');
  const { utc, zone } = time;
  const asked = Date.parse(utc);
  const ifPast = item.oneOf('options.ifPast', ['fail', 'publish']) ?? 'fail';
  const isPast = asked < item.now - TOLERATED_MS && ifPast === 'fail';
  return {
    utc,
    zone,
    asked,
    ...(isPast && { refusal: hasPassed(item, time) }),
    wrong: time.dateOnly ? [isDateOnly(item)] : [],
    warnings: timeWarnings(time),
  };
}

function hasPassed(item: Item, { utc, zone }: Time): FieldError {
  const refusal = item.timeRefusal({
    code: 'timePassed',
    problem: `is ${timeInWords(Date.parse(utc), zone, item.now)}: this time has passed`,
    hint: 'Choose a later time.',
    forBuilder: 'To publish at once instead, add the option If the Time Has Passed.',
  });
  return item.fieldError('scheduledAt', refusal);
}

const isDateOnly = (item: Item): FieldError =>
  item.fieldError('scheduledAt', {
    problem: 'has no time of day, which means midnight',
    hint: 'Add the time, such as 09:00 or 00:00.',
    code: 'noTimeOfDay',
  });

const timeWarnings = ({ comesTwice, zone }: Time): string[] =>
  comesTwice
    ? [
        `Clocks in ${zone} show this time twice that day. The first of the two counts. For the second, add its offset after the time`,
      ]
    : [];

/** What the user should know of a moment that has passed, in Unix milliseconds as `now`. */
export const passedWarnings = (due: number, now: number): string[] =>
  due < now - TOLERATED_MS ? ['The time has passed, so the service publishes at once'] : [];

const BETWEEN_DAYS = /[\s,;]+/;

function daysAt(item: Item, path: string): number[] {
  const value = item.value(path);
  const given: unknown[] = Array.isArray(value)
    ? value
    : (textList(isEmpty(value) ? value : String(value), BETWEEN_DAYS) ?? []);
  if (given.length === 0) return item.refuse(path, 'is empty', 'Select at least one day.');
  return given.map((entry) => {
    const day = wholeNumber(entry);
    return day !== undefined && day >= 1 && day <= 7
      ? day
      : item.refuse(
          path,
          `holds ${quote(entry)}, which is not a day`,
          'Give numbers from 1 for Monday to 7 for Sunday.',
        );
  });
}

/**
 * Reads the times of a week, and the zone that they are in.
 * @throws FieldError when there are none, or one that cannot be read
 */
export function weekOf(item: Item): Week {
  const entries = item.entries('slots.slot');
  if (entries.length === 0) {
    item.refuse('slots', 'is empty', 'Add days and times, such as weekdays at 09:00.');
  }
  const weekly = entries.map((path) => {
    const times = `${path}.times`;
    return {
      days: daysAt(item, `${path}.days`),
      times: item.accept(times, readClockTimes(item.text(times) ?? '')),
    };
  });
  return { weekly, zone: item.zone() };
}

/** What is said of an item for which no slot is free. */
export const noneFree = (item: Item): FieldError =>
  item.fieldError('slots', {
    problem: `have no free time in the next ${LAST_DAY} days`,
    hint: item.isTool
      ? 'Tell the user to add days or times to the slots of this tool.'
      : 'Add days or times, or run this again when some of the posts have gone out.',
    code: 'noFreeSlot',
  });
