import { cronAt } from '../../../nodes/SocialPublishing/operations/agent/body';
import type { Item } from '../../../nodes/SocialPublishing/parameters/item';
import { readCron } from '../../../nodes/SocialPublishing/parameters/readers';

test.each([
  [{ scheduleMode: 'everyHour', minute: 5 }, '5 * * * *'],
  [{ scheduleMode: 'everyDay', hour: 9, minute: 0 }, '0 9 * * *'],
  [{ scheduleMode: 'everyWeekday', hour: 17, minute: 30 }, '30 17 * * 1-5'],
  [{ scheduleMode: 'everyWeek', weekday: 0, hour: 0, minute: 0 }, '0 0 * * 0'],
  [{ scheduleMode: 'everyWeek', weekday: 6, hour: 23, minute: 59 }, '59 23 * * 6'],
])('%j is %s', (fields: Readonly<Record<string, unknown>>, cron) => {
  const read = (path: string): unknown => fields[path];
  expect(cronAt({ text: read, integer: read } as unknown as Item, '')).toBe(cron);
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
