import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';

import {
  FreeSlots,
  slotsOf,
  type Week,
} from '../../../nodes/SocialPublishing/operations/freeSlots';

const WEEKDAYS = [1, 2, 3, 4, 5];
const EVERY_DAY = [...WEEKDAYS, 6, 7];

const at = (hour: number, minute = 0): number => hour * 60 + minute;

/** The first free slots, one after the other. */
function freeSlots(week: Week, now: number, taken: Iterable<number>, count: number): number[] {
  const free = new FreeSlots(now, taken);
  const slots: number[] = [];
  while (slots.length < count) {
    const slot = free.take(week);
    if (slot === undefined) break;
    slots.push(slot);
  }
  return slots;
}

interface Search {
  readonly zone: string;
  readonly now: string;
  readonly weekly?: Week['weekly'];
  readonly taken?: Iterable<number>;
  readonly count?: number;
}

const search = ({
  zone,
  now,
  weekly = [{ days: WEEKDAYS, times: [at(9), at(17, 30)] }],
  taken = [],
  count = 1,
}: Search) =>
  freeSlots({ weekly, zone: IANAZone.create(zone) }, Date.parse(now), taken, count).map((slot) =>
    new Date(slot).toISOString().replace(':00.000Z', 'Z'),
  );

const BERLIN = 'Europe/Berlin';

test('a full week from now on, in the zone of the node', () => {
  // A Wednesday at noon in Berlin.
  expect(search({ zone: BERLIN, now: '2035-01-10T11:00:00Z', count: 10 })).toEqual([
    '2035-01-10T16:30Z',
    '2035-01-11T08:00Z',
    '2035-01-11T16:30Z',
    '2035-01-12T08:00Z',
    '2035-01-12T16:30Z',
    '2035-01-15T08:00Z',
    '2035-01-15T16:30Z',
    '2035-01-16T08:00Z',
    '2035-01-16T16:30Z',
    '2035-01-17T08:00Z',
  ]);
});

test('a slot may be now, and not a millisecond before', () => {
  expect(search({ zone: 'UTC', now: '2035-01-10T09:00:00.000Z' })).toEqual(['2035-01-10T09:00Z']);
  expect(search({ zone: 'UTC', now: '2035-01-10T09:00:00.001Z' })).toEqual(['2035-01-10T17:30Z']);
});

test('the day is that of the zone', () => {
  // Sunday in UTC, Monday in Auckland.
  const weekly = [{ days: [1], times: [at(8)] }];
  expect(search({ weekly, zone: 'Pacific/Auckland', now: '2035-01-07T12:00:00Z' })).toEqual([
    '2035-01-07T19:00Z',
  ]);
});

describe('when clocks change', () => {
  const weekly = [{ days: EVERY_DAY, times: [at(1, 30), at(2, 30), at(3, 30)] }];

  test('in Berlin forward, the hour that is skipped has no slot', () => {
    expect(search({ weekly, zone: BERLIN, now: '2035-03-24T12:00:00Z', count: 5 })).toEqual([
      '2035-03-25T00:30Z',
      '2035-03-25T01:30Z',
      '2035-03-25T23:30Z',
      '2035-03-26T00:30Z',
      '2035-03-26T01:30Z',
    ]);
  });

  test('in Berlin back, the hour that comes twice has a slot the first time', () => {
    expect(search({ weekly, zone: BERLIN, now: '2035-10-27T12:00:00Z', count: 4 })).toEqual([
      '2035-10-27T23:30Z',
      '2035-10-28T00:30Z',
      '2035-10-28T02:30Z',
      '2035-10-29T00:30Z',
    ]);
  });

  test('in Berlin back, it has none once the first time is over', () => {
    expect(search({ weekly, zone: BERLIN, now: '2035-10-28T00:31:00Z', count: 1 })).toEqual([
      '2035-10-28T02:30Z',
    ]);
  });

  test.each([
    ['2035-03-11', '2035-03-10T17:00:00Z', ['2035-03-11T06:30Z', '2035-03-11T07:30Z']],
    ['2035-11-04', '2035-11-03T17:00:00Z', ['2035-11-04T05:30Z', '2035-11-04T07:30Z']],
  ])('in New York on %s', (_, now, expected) => {
    expect(search({ weekly, zone: 'America/New_York', now, count: 2 })).toEqual(expected);
  });

  test('on Lord Howe Island, where they change by half an hour', () => {
    const half = [{ days: EVERY_DAY, times: [at(2), at(2, 15), at(2, 30)] }];
    // On 7 October 2035 clocks go from 2:00 to 2:30.
    expect(
      search({ weekly: half, zone: 'Australia/Lord_Howe', now: '2035-10-06T12:00:00Z', count: 2 }),
    ).toEqual(['2035-10-06T15:30Z', '2035-10-07T15:00Z']);
  });

  test('at midnight, as in Beirut, each day comes once', () => {
    const midday = [{ days: EVERY_DAY, times: [0, at(12)] }];
    const found = search({
      weekly: midday,
      zone: 'Asia/Beirut',
      now: '2035-03-24T00:00:00Z',
      count: 5,
    });
    // The midnight that begins 25 March is skipped.
    expect(found).toEqual([
      '2035-03-24T10:00Z',
      '2035-03-25T09:00Z',
      '2035-03-25T21:00Z',
      '2035-03-26T09:00Z',
      '2035-03-26T21:00Z',
    ]);
  });
});

test('ninety days ahead is the end', () => {
  const weekly = [{ days: EVERY_DAY, times: [at(9)] }];
  const found = search({ weekly, zone: 'UTC', now: '2035-01-01T09:00:00Z', count: 500 });

  expect(found).toHaveLength(91);
  expect(found.at(-1)).toBe('2035-04-01T09:00Z');
  expect(search({ weekly, zone: 'UTC', now: '2035-01-01T09:00:00.001Z', count: 500 })).toHaveLength(
    90,
  );
});

test('without times or days there is none', () => {
  const now = '2035-01-01T00:00:00Z';
  expect(search({ weekly: [], zone: 'UTC', now })).toEqual([]);
  expect(search({ weekly: [{ days: [], times: [0] }], zone: 'UTC', now })).toEqual([]);
  expect(search({ weekly: [{ days: [1], times: [] }], zone: 'UTC', now })).toEqual([]);
});

test('two weeks of one workspace never come to the same slot', () => {
  const zone = IANAZone.create('UTC');
  const now = Date.parse('2035-01-08T08:00:00Z');
  const week = { weekly: [{ days: [1], times: [at(9), at(10)] }], zone };
  const other = { weekly: [{ days: [1, 2], times: [at(9)] }], zone };
  const taken = ['2035-01-08T10:00:00Z', '2035-01-09T09:00:00Z'].map((time) => Date.parse(time));
  const free = new FreeSlots(now, taken);

  expect(
    [other, week, other, week].map((one) => new Date(free.take(one) ?? NaN).toISOString()),
  ).toEqual([
    '2035-01-08T09:00:00.000Z',
    '2035-01-15T09:00:00.000Z',
    '2035-01-16T09:00:00.000Z',
    '2035-01-15T10:00:00.000Z',
  ]);
});

test('the slots of a week are worked out only as far as they are asked for', () => {
  const zone = IANAZone.create('UTC');
  const slots = slotsOf({ weekly: [{ days: EVERY_DAY, times: [at(9)] }], zone }, 0);

  expect([slots.next().value, slots.next().value]).toEqual([
    Date.parse('1970-01-01T09:00:00Z'),
    Date.parse('1970-01-02T09:00:00Z'),
  ]);
});

test('each slot is a time that was asked for, from now on, free, and before all that were left out', () => {
  const zones = [BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];
  const weekly = fc.array(
    fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
      times: fc.uniqueArray(fc.integer({ min: 0, max: 24 * 60 - 1 }), { maxLength: 4 }),
    }),
    { maxLength: 3 },
  );
  const now = fc.date({
    min: new Date('2035-01-01'),
    max: new Date('2036-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(weekly, fc.constantFrom(...zones), now, (given, name, date) => {
      const zone = IANAZone.create(name);
      const week = { weekly: given, zone };
      const from = date.getTime();
      const all = freeSlots(week, from, [], 20);
      for (const slot of all) {
        const { weekday, hour, minute } = DateTime.fromMillis(slot, { zone });
        expect(slot).toBeGreaterThanOrEqual(from);
        expect(
          given.some(
            ({ days, times }) => days.includes(weekday) && times.includes(at(hour, minute)),
          ),
        ).toBe(true);
      }
      expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
      const taken = new Set(all.filter((_, index) => index % 2 === 0));
      const rest = freeSlots(week, from, taken, all.length - taken.size);
      expect(rest).toEqual(all.filter((slot) => !taken.has(slot)));
    }),
    { numRuns: 200, seed: 1 },
  );
});
