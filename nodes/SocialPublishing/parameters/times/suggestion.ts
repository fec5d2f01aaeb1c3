import type { Refusal } from '../reading';
import { quote } from '../values';

/** An expression to start from: tomorrow at 9:00. */
const example = (zone: string): string =>
  `Or paste an expression. For tomorrow at 9:00, paste this one: {{ $now.setZone(${JSON.stringify(zone)}).plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00") }}`;

const fromColumns = (): string =>
  'If date and time are in two columns, give both with a blank between them, and nothing else.';

/** What is said of a text that is no time, by its code; with `forBuilder` last. */
const REASONS = {
  unreadableTime: [
    'which cannot be read as a date and time',
    'Give a date such as 2026-11-21 10:00.',
    example,
  ],
  ambiguousMidnight: [
    'and midnight may be the start or the end of that day',
    'Write 00:00 or 24:00 instead.',
  ],
  noonOrMidnight: ['which may be noon or midnight', 'Write 12:00 or 00:00 instead.'],
  noDate: ['which has no date', 'Add the date, such as 2026-11-21 10:00.', fromColumns],
  noYear: ['which has no year', 'Add the year, such as 5 Dec 2026 09:00.'],
  timeRange: [
    'which may be a time from … to …',
    'Write only when it begins. An offset needs seconds before it: 10:00:00-05:00.',
  ],
  otherMonth: [
    'whose month cannot be read',
    'Write the month as a number or in English, such as 2026-12-05 or 5 Dec 2026.',
  ],
  otherTime: [
    'where more than one time, or none, follows the date',
    'Write a date and one time, such as 2026-11-21 10:00.',
    fromColumns,
  ],
  noSuchTime: ['and no clock shows that time', 'Correct the time.'],
  noSuchOffset: ['and there is no such offset from UTC', 'Write an offset such as +01:00.'],
} as const satisfies Record<
  string,
  readonly [problem: string, hint: string, forBuilder?: (zone: string) => string]
>;

/** @param zone the name of the zone that the expression to paste is for */
export function refusedTime(code: keyof typeof REASONS, value: unknown, zone: string): Refusal {
  const [problem, hint, forBuilder] = REASONS[code];
  return {
    code,
    problem: `is ${quote(value)}, ${problem}`,
    hint,
    ...(forBuilder && { forBuilder: forBuilder(zone) }),
  };
}

export const ambiguousZone = (value: unknown, letters: string): Refusal => ({
  code: 'ambiguousZone',
  problem: `is ${quote(value)}, and ${letters} stands for several time zones`,
  hint: 'Write the offset instead, such as +01:00, or leave the letters out.',
  forBuilder: 'Without them, the time is in the time zone of the node.',
});

export const skippedHour = (value: unknown, zone: string): Refusal => ({
  code: 'skippedHour',
  problem: `is ${quote(value)}, an hour that clocks in ${zone} skip that day`,
  hint: 'Clocks are put forward then. Choose a time before or after that hour.',
});
