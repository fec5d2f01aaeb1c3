import { type Refusal, wrong } from '../refusal';
import { quote } from '../values';

const COLUMNS =
  'Where date and time are in two columns, give one after the other with a blank between them.';

const because = (...said: readonly [problem: string, hint: string, forBuilder?: string]) => said;

/** What is said of a text that is no time. @param about the days, letters or zone that it is about */
const reasons = (text: string, about: string, zone: string) => ({
  unreadableTime: because(
    `is ${text}, which cannot be read as a date and time`,
    'Write it like 2026-11-21 10:00.',
    `Or paste an expression. For tomorrow at 9:00, paste this one: {{ $now.setZone(${JSON.stringify(zone)}).plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00") }}`,
  ),
  noDate: because(`is ${text}, which has no date`, 'Add it, such as 2026-11-21 10:00.', COLUMNS),
  noYear: because(`is ${text}, which has no year`, 'Add it, such as 5 Dec 2026 09:00.'),
  otherMonth: because(
    `is ${text}, whose month cannot be read`,
    'Write the month in digits or in English.',
  ),
  otherTime: because(
    `is ${text}, where the date is not followed by one time`,
    'Write it like 2026-11-21 10:00.',
    COLUMNS,
  ),
  timeRange: because(
    `is ${text}, which may be from one time to another`,
    'Write when it begins. To give an offset, write seconds before it: 10:00:00-05:00.',
  ),
  noSuchDay: because(
    `is ${text}, and there is no such day`,
    'With dots, the day comes first. Correct the date.',
  ),
  wrongWeekday: because(
    `is ${text}, but ${about}`,
    'Correct the date, or leave the day of the week out.',
  ),
  ambiguousDate: because(
    `is ${text}, which may be ${about}`,
    'Write the month in letters.',
    'To read all such dates in one way, add the option Date Order.',
  ),
  noSuchTime: because(`is ${text}, and no clock shows that time`, 'Correct the time.'),
  noSuchOffset: because(`is ${text}, and there is no such offset`, 'Write one such as +01:00.'),
  ambiguousMidnight: because(
    `is ${text}, and midnight may be the start or the end of that day`,
    'Write 00:00 or 24:00 instead.',
  ),
  noonOrMidnight: because(`is ${text}, which may be noon or midnight`, 'Write 12:00 or 00:00.'),
  ambiguousZone: because(
    `is ${text}, and ${about} stands for several time zones`,
    'Write the offset instead, such as +01:00.',
    'Or leave it out, and choose the time zone in the node.',
  ),
  skippedHour: because(
    `is ${text}, an hour that clocks in ${about} skip that day`,
    'Clocks are put forward then. Choose a time before or after that hour.',
  ),
});

export type Unread = keyof ReturnType<typeof reasons>;

/** The refusal of a time. */
export function refusedTime(code: Unread, value: unknown, zone: string, about = ''): Refusal {
  const [problem, hint, forBuilder] = reasons(quote(value), about, zone)[code];
  return wrong(problem, hint, code, forBuilder);
}
