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
  expect(readCron(text)).toEqual({ value: cron });
});

test.each([
  ['0 9 * *', 'numberOfFields', /4 fields/],
  ['daily', 'numberOfFields', /1 field\b/],
  ['0 0 9 * * 1', 'numberOfFields', /6 fields/],
  ['0 9 * * Mon&Tue', 'notACronField', /"Mon&Tue"/],
])('%j is refused', (text, code, problem) => {
  expect(readCron(text)).toMatchObject({
    code,
    problem: expect.stringMatching(problem) as string,
  });
});
