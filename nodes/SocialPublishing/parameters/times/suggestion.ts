import type { Refusal } from '../reading';
import { quote } from '../values';

/** What is wrong with a text that is no time, and what its writer can do, by the code of the refusal. */
const REASONS = {
  unreadableTime: ['which cannot be read as a date and time', 'Write it like 2026-11-21 10:00.'],
  noDate: ['which has no date', 'Add the date, such as 2026-11-21 10:00.'],
  noYear: ['which has no year', 'Add the year, such as 5 Dec 2026 09:00.'],
  otherMonth: ['whose month cannot be read', 'Write the month in digits or in English.'],
  otherTime: [
    'with more than one time, or none, after the date',
    'Write it like 2026-11-21 10:00.',
  ],
  timeRange: [
    'which may be from one time to another',
    'Write when it begins. An offset needs seconds before it: 10:00:00-05:00.',
  ],
  noSuchDay: ['and there is no such day', 'Correct the date. With dots, the day comes first.'],
  wrongWeekday: ['but %', 'Correct the date, or leave the day of the week out.'],
  ambiguousDate: ['which may be %', 'Write the month in letters.'],
  noSuchTime: ['and no clock shows that time', 'Correct the time.'],
  noSuchOffset: ['and there is no such offset', 'Write an offset such as +01:00.'],
  ambiguousMidnight: [
    'and midnight may be the start or the end of that day',
    'Write 00:00 or 24:00 instead.',
  ],
  noonOrMidnight: ['which may be noon or midnight', 'Write 12:00 or 00:00 instead.'],
  ambiguousZone: [
    'and % stands for several time zones',
    'Write the offset instead, such as +01:00, or leave it out.',
  ],
  skippedHour: [
    'an hour that clocks in % skip that day',
    'Clocks are put forward then. Choose a time before or after that hour.',
  ],
} as const;

export type Unread = keyof typeof REASONS;

const COLUMNS =
  'Where date and time are in two columns, give one after the other with a blank between them.';

/** What can be set in the workflow instead. */
const forBuilders = (zone: string): Partial<Record<Unread, string>> => ({
  unreadableTime: `Or paste an expression. For tomorrow at 9:00, paste this one: {{ $now.setZone(${JSON.stringify(zone)}).plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00") }}`,
  noDate: COLUMNS,
  otherTime: COLUMNS,
  ambiguousDate: 'To read all such dates in one way, add the option Date Order.',
  ambiguousZone: 'Without it, the time is in the time zone of the node.',
});

/**
 * @param zone the name of the zone of the node
 * @param detail what the reason is about: days, letters or a zone
 */
export function refusedTime(code: Unread, value: unknown, zone: string, detail = ''): Refusal {
  const [problem, hint] = REASONS[code];
  const forBuilder = forBuilders(zone)[code];
  return {
    code,
    problem: `is ${quote(value)}, ${problem.replace('%', detail)}`,
    hint,
    ...(forBuilder !== undefined && { forBuilder }),
  };
}
