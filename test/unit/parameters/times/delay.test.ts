import { timeAfter } from '../../../../nodes/SocialPublishing/parameters/readers';

const now = Date.UTC(2026, 10, 21, 10);

test.each([
  [10, 'minutes', '2026-11-21T10:10:00.000Z'],
  ['90', 'minutes', '2026-11-21T11:30:00.000Z'],
  [1.5, 'hours', '2026-11-21T11:30:00.000Z'],
  [2, 'days', '2026-11-23T10:00:00.000Z'],
  [0, 'hours', '2026-11-21T10:00:00.000Z'],
  // Ten years have 3,653 days here, three of them in leap years.
  [3650, 'days', '2036-11-18T10:00:00.000Z'],
] as const)('a delay of %p %s', (amount, unit, utc) => {
  expect(timeAfter(amount, unit, now)).toEqual({ value: utc });
});

test.each([
  [-1, 'tooSmall'],
  ['soon', 'notANumber'],
  ['', 'notANumber'],
  [' ', 'notANumber'],
  [Infinity, 'notANumber'],
  [true, 'notANumber'],
  [3651, 'tooLarge'],
])('a delay of %p is refused', (amount, code) => {
  expect(timeAfter(amount, 'days', now)).toMatchObject({ code });
});
