import { readPeriod } from '../../../nodes/SocialPublishing/parameters/readers';

test.each([
  ['7', '7d'],
  ['7d', '7d'],
  ['14 D', '14d'],
  ['1 day', '1d'],
  ['7 days', '7d'],
  ['last 7 days', '7d'],
  ['the past 30 days', '30d'],
  [' 90d ', '90d'],
])('%j is a period', (text, value) => {
  expect(readPeriod(text)).toEqual({ value });
});

test.each(['', '0', '07', '-7', '7.5', '7 weeks', 'last week', 'days', '7d 8d', '2026-01-01'])(
  '%j is none',
  (text) => {
    expect(readPeriod(text)).toHaveProperty('problem');
  },
);
