import { timeInWords } from '../../../../nodes/SocialPublishing/parameters/times/timeWords';

const berlin = 'Europe/Berlin';
const now = Date.UTC(2026, 10, 21, 10);
const minutes = 60_000;

test.each([
  [berlin, /^Sat 21 Nov 2026, 11:10 \(Europe\/Berlin\), .*\b10 minutes/],
  ['America/New_York', /^Sat 21 Nov 2026, 05:10 \(America\/New_York\), .*\b10 minutes/],
  ['nowhere', /^Sat 21 Nov 2026, 10:10 \(UTC\), .*\b10 minutes/],
])('a time in %s in words', (zone, words) => {
  expect(timeInWords(now + 10 * minutes, zone, now)).toMatch(words);
});
