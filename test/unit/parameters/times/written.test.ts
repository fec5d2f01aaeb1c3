import fc from 'fast-check';

import { readTime } from '../../../../nodes/SocialPublishing/parameters/times/times';
import { zoneOf } from '../../../../nodes/SocialPublishing/parameters/times/zones';
import { pair, range, ZONES } from './written';

/** `DATE_PAIRS=200000 npx jest test/unit/parameters/times/written` reads as many. */
const numRuns = Number(process.env.DATE_PAIRS ?? 1500);

const zones = new Map(ZONES.map((name) => [name, zoneOf(name)!]));

test('a date and a time, however written, are read as what they mean, or refused where that is two things', () => {
  fc.assert(
    fc.property(pair, ({ text, zone, order, means }) => {
      const reading = readTime(text, { zone: zones.get(zone)!, order });
      expect('utc' in reading ? { ...reading } : reading.code).toEqual(
        typeof means === 'string' ? means : { ...means, dateOnly: false },
      );
    }),
    { numRuns },
  );
});

test('a time from and to is never one moment', () => {
  fc.assert(
    fc.property(range, (text) => {
      expect(readTime(text, { zone: zones.get('UTC')!, order: 'dayFirst' })).toHaveProperty(
        'problem',
      );
    }),
    { numRuns: numRuns / 5 },
  );
});
