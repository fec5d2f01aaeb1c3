import { cronOf, readCron } from '../../../nodes/SocialPublishing/parameters/schedule';

test.each([
  [{ mode: 'everyHour', minute: 5 }, '5 * * * *'],
  [{ mode: 'everyDay', hour: 9, minute: 0 }, '0 9 * * *'],
  [{ mode: 'everyWeekday', hour: 17, minute: 30 }, '30 17 * * 1-5'],
  [{ mode: 'everyWeek', weekday: 0, hour: 0, minute: 0 }, '0 0 * * 0'],
  [{ mode: 'everyWeek', weekday: 6, hour: 23, minute: 59 }, '59 23 * * 6'],
] as const)('%j is %s', (schedule, cron) => {
  expect(cronOf(schedule)).toBe(cron);
});

test.each([
  ['0 9 * * 1-5', '0 9 * * 1-5'],
  ['  */5\t* * *   MON,FRI ', '*/5 * * * MON,FRI'],
])('%j is read', (text, cron) => {
  expect(readCron(text)).toEqual({ cron });
});

test.each([
  ['0 9 * *', 'has 4 fields instead of five'],
  ['daily', 'has 1 field instead of five'],
  ['0 0 9 * * 1', 'has 6 fields instead of five'],
  ['0 9 * * Mon&Tue', 'holds "Mon&Tue", which is not a field of a cron expression'],
])('%j is refused', (text, problem) => {
  expect(readCron(text)).toMatchObject({ problem });
});
