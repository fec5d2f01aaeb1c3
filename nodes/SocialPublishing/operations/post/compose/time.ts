import type { Item, Time } from '../../../parameters/item';
import { DELAY_UNITS, timeAfter } from '../../../parameters/readers';
import { FieldError } from '../../../parameters/refusal';
import { timeInWords } from '../../../parameters/times/timeWords';
import { isEmpty } from '../../../parameters/values';

/** How far past a time may be: n8n may take that long to get here. */
export const TOLERATED_MS = 5 * 60 * 1000;

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
 *
 * @throws FieldError for a time that cannot be sent
 */
export function dueTimeOf(item: Item): DueTime {
  const chosen = item.oneOf('publish', ['at', 'after', 'now', NEXT_SLOT, AT_OR_SLOT]) ?? 'at';
  const dated = isEmpty(item.value('scheduledAt')) ? NEXT_SLOT : 'at';
  const publish = chosen === AT_OR_SLOT ? dated : chosen;
  if (publish === 'at') return atDate(item);
  if (publish === 'after') return afterDelay(item);
  return {
    utc: publish === 'now' ? new Date(item.now).toISOString() : undefined,
    comesTwice: false,
    dateOnly: false,
    zone: item.zone().name,
    asked: publish,
  };
}

function afterDelay(item: Item): DueTime {
  const unit = item.oneOf('delayUnit', DELAY_UNITS) ?? 'minutes';
  const amount = item.value('delayAmount');
  return {
    utc: item.accept('delayAmount', timeAfter(amount, unit, item.now)),
    comesTwice: false,
    dateOnly: false,
    zone: item.zone().name,
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
  const { problem, hint, code, forBuilder } = item.timeRefusal({
    code: 'timePassed',
    problem: `is ${timeInWords(Date.parse(utc), zone, item.now)}: this time has passed`,
    hint: 'Choose a later time.',
    forBuilder: 'To publish at once instead, add the option If the Time Has Passed.',
  });
  return new FieldError('scheduledAt', item.label('scheduledAt'), problem, hint, code, forBuilder);
}
