import type { IDataObject } from 'n8n-workflow';

import type { Item, Time } from '../../../parameters/item';
import { DELAY_UNITS, timeAfter } from '../../../parameters/readers';
import type { FieldError } from '../../../parameters/refusal';
import { timeInWords } from '../../../parameters/times/timeWords';
import { isEmpty } from '../../../parameters/values';

/** How far past a time may be: n8n may take that long to get here. */
const TOLERATED_MS = 5 * 60 * 1000;

/** The choice In the Next Free Slot of Publish. */
export const NEXT_SLOT = 'slot';

/** The choice At a Date and Time, or in the Next Free Slot: the slot is for items without a date. */
const AT_OR_SLOT = 'atOrSlot';

/** When to publish. */
export interface DueTime extends Omit<Time, 'utc'> {
  /** `undefined` while the slot is still to be found. */
  readonly utc: string | undefined;
  /** What the user asked for: the same on each try. */
  readonly asked: unknown;
  /** Why it can't be published at that time. */
  readonly refusal?: FieldError;
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
  const relative = { comesTwice: false, dateOnly: false, zone, utc: undefined, asked: publish };
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
  const asked = Date.parse(time.utc);
  const ifPast = item.oneOf('options.ifPast', ['fail', 'publish']) ?? 'fail';
  return asked >= item.now - TOLERATED_MS || ifPast === 'publish'
    ? { ...time, asked }
    : { ...time, asked, refusal: hasPassed(item, time) };
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

/** What is known to be wrong with the time of a post: it is a date without a time of day. */
export const wrongWithTime = (item: Item, { dateOnly }: DueTime): FieldError[] =>
  dateOnly
    ? [
        item.fieldError('scheduledAt', {
          problem: 'has no time of day, which means midnight',
          hint: 'Add the time, such as 09:00 or 00:00.',
          code: 'noTimeOfDay',
        }),
      ]
    : [];

/** What the user should know of the time at which a post is due as it is sent, in Unix milliseconds. */
export function timeWarnings(
  { comesTwice, utc, zone }: DueTime,
  { status, scheduledAt }: IDataObject,
  due: number | undefined,
  now: number,
): string[] {
  return [
    ...(status === 'scheduled' && due !== undefined && due < now - TOLERATED_MS
      ? ['The time has passed, so the service publishes at once']
      : []),
    ...(comesTwice && scheduledAt === utc
      ? [
          `Clocks in ${zone} show this time twice that day. The first of the two counts. For the second, add its offset after the time`,
        ]
      : []),
  ];
}
