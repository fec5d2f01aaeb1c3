import type { Item } from '../../../parameters/item';
import type { FieldError } from '../../../parameters/refusal';
import { readClockTimes } from '../../../parameters/times/clock';
import { isEmpty, quote, textList, wholeNumber } from '../../../parameters/values';
import { LAST_DAY, type Week } from '../../freeSlots';

const SLOTS = 'slots.slot';

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
  const entries = item.entries(SLOTS);
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
