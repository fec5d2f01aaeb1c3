import { timeInWords } from '../../../../nodes/SocialPublishing/parameters/times/timeWords';

const berlin = 'Europe/Berlin';
const now = Date.UTC(2026, 10, 21, 10);
const minutes = 60_000;
const hours = 60 * minutes;

test.each([
  [0, 'now'],
  [0.4 * minutes, 'now'],
  [0.6 * minutes, 'in 1 minute'],
  [10 * minutes, 'in 10 minutes'],
  [59 * minutes, 'in 59 minutes'],
  [hours, 'in 1 hour'],
  [61 * minutes, 'in 1 hour 1 minute'],
  [-90 * minutes, '1 hour 30 minutes ago'],
  [-2 * hours, '2 hours ago'],
  [48 * hours - minutes, 'in 47 hours 59 minutes'],
  [48 * hours, 'in 2 days'],
  [59 * hours, 'in 2 days'],
  [61 * hours, 'in 3 days'],
  [-10 * minutes, '10 minutes ago'],
])('a time that is %i ms away in words', (distance, words) => {
  expect(timeInWords(now + distance, berlin, now).split('), ')[1]).toBe(words);
});

test.each([
  [berlin, '21 Nov 2026, 11:10 (Europe/Berlin), in 10 minutes'],
  ['America/New_York', '21 Nov 2026, 05:10 (America/New_York), in 10 minutes'],
  ['nowhere', '21 Nov 2026, 10:10 (UTC), in 10 minutes'],
])('a time in %s in words', (zone, words) => {
  expect(timeInWords(now + 10 * minutes, zone, now)).toBe(words);
});
