import { readClockTimes } from '../../../../nodes/SocialPublishing/parameters/times/clock';

const at = (hour: number, minute = 0): number => hour * 60 + minute;

test.each([
  ['09:00, 17:30', [at(9), at(17, 30)]],
  ['9:00', [at(9)]],
  ['17:30,9:00', [at(9), at(17, 30)]],
  ['9am', [at(9)]],
  ['9 AM', [at(9)]],
  ['9:00 AM; 5:30 pm', [at(9), at(17, 30)]],
  ['9 a.m.\n5 p.m.', [at(9), at(17)]],
  ['12am, 12pm', [0, at(12)]],
  ['12:15 AM', [at(0, 15)]],
  ['0:00, 23:59', [0, at(23, 59)]],
  ['9.30, 17h45', [at(9, 30), at(17, 45)]],
  ['09:00, 9am,', [at(9)]],
  ['09:00, noon', [at(9), at(12)]],
])('reads %j', (text, times) => {
  expect(readClockTimes(text)).toEqual({ value: times });
});

test.each([
  ['', 'is empty'],
  [' , ', 'is empty'],
  ['9', 'holds "9"'],
  ['24:00', 'holds "24:00"'],
  ['9:60', 'holds "9:60"'],
  ['13am', 'holds "13am"'],
  ['0pm', 'holds "0pm"'],
  ['09:00, midnight', 'holds "midnight"'],
  ['9:00:30', 'holds "9:00:30"'],
  ['-9:00', 'holds "-9:00"'],
])('refuses %j', (text, problem) => {
  expect(readClockTimes(text)).toEqual({
    problem: expect.stringContaining(problem) as string,
    hint: expect.stringContaining('09:00') as string,
  });
});
