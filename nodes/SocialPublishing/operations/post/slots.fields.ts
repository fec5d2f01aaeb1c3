import type { INodeProperties } from 'n8n-workflow';

import { readClockTimes } from '../../parameters/clockTimes';
import type { Item } from '../../parameters/item';
import { isEmpty, quote, textList, wholeNumber } from '../../parameters/values';
import type { WeeklyTimes } from './freeSlots';

const SLOTS = 'slots.slot';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The times of a week among which the next free one is taken. */
export const slotsField: INodeProperties = {
  displayName: 'Slots',
  name: 'slots',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Times' },
  placeholder: 'Add Times',
  default: { slot: [{ days: [1, 2, 3, 4, 5], times: '09:00, 17:30' }] },
  displayOptions: { show: { publish: ['slot'] } },
  description:
    'The times of a week. Each item gets the first one from now on that no post of the workspace has, up to 90 days ahead. Reads the posts of the workspace.',
  options: [
    {
      displayName: 'Times',
      name: 'slot',
      values: [
        {
          displayName: 'Days',
          name: 'days',
          type: 'multiOptions',
          required: true,
          default: [1, 2, 3, 4, 5],
          options: DAYS.map((name, index) => ({ name, value: index + 1 })),
          description: 'On which days of the week',
        },
        {
          displayName: 'Times',
          name: 'times',
          type: 'string',
          required: true,
          default: '09:00',
          placeholder: 'e.g. 09:00, 17:30',
          description: 'Times of the day with commas between them, in the time zone of the node',
        },
      ],
    },
  ],
};

const BETWEEN_DAYS = /[\s,;]+/;

function daysAt(item: Item, path: string): number[] {
  const value = item.value(path);
  const given: unknown[] = Array.isArray(value)
    ? value
    : (textList(isEmpty(value) ? value : String(value), BETWEEN_DAYS) ?? []);
  if (given.length === 0) return item.refuse(path, 'is empty', 'Select at least one day.');
  return given.map((entry) => {
    const day = wholeNumber(entry);
    return day !== undefined && day >= 1 && day <= DAYS.length
      ? day
      : item.refuse(
          path,
          `holds ${quote(entry)}, which is not a day`,
          'Give numbers from 1 for Monday to 7 for Sunday.',
        );
  });
}

/**
 * Reads the times of a week.
 *
 * @throws FieldError when there are none, or one that cannot be read
 */
export function weeklyTimesOf(item: Item): WeeklyTimes[] {
  const entries = item.entries(SLOTS);
  if (entries.length === 0) {
    item.refuse('slots', 'is empty', 'Add days and times, such as weekdays at 09:00.');
  }
  return entries.map((path) => {
    const times = `${path}.times`;
    const reading = readClockTimes(item.text(times) ?? '');
    return {
      days: daysAt(item, `${path}.days`),
      times:
        'problem' in reading ? item.refuse(times, reading.problem, reading.hint) : reading.times,
    };
  });
}
