import { Settings } from 'luxon';

import {
  availableFrom,
  quotaOf,
  remainingRequests,
} from '../../../nodes/SocialPublishing/service/quota';
import { response } from './responses';

const now = Date.UTC(2026, 10, 21, 10, 0, 0);

describe('quotaOf', () => {
  test('passes the three values on as they came', () => {
    expect(
      quotaOf(
        response(200, '', {
          'x-ratelimit-limit': '1,000 per month',
          'x-ratelimit-remaining': ' 7 ',
          'x-ratelimit-reset': '2026-12-01',
          'x-other': 'x',
        }),
      ),
    ).toEqual({ limit: '1,000 per month', remaining: ' 7 ', reset: '2026-12-01' });
  });

  test('leaves out headers that are absent', () => {
    expect(quotaOf(response(200, '', { 'x-ratelimit-remaining': '0' }))).toStrictEqual({
      remaining: '0',
    });
    expect(
      quotaOf(response(200, '', { 'x-ratelimit-limit': '9', 'x-ratelimit-reset': '5' })),
    ).toStrictEqual({
      limit: '9',
      reset: '5',
    });
  });
});

describe('remainingRequests', () => {
  test.each([
    ['0', 0],
    ['12', 12],
    [' 12 ', 12],
    ['500000', 500_000],
    ['-1', undefined],
    ['1e3', undefined],
    ['12.5', undefined],
    ['unlimited', undefined],
    ['12, 12', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %p', (remaining, expected) => {
    expect(remainingRequests(remaining === undefined ? {} : { remaining })).toBe(expected);
  });
});

describe('availableFrom', () => {
  const formats: Array<[string, string, number]> = [
    ['seconds', '90', now + 90_000],
    ['no seconds', '0', now],
    ['fractions of a second', '0.5', now + 500],
    ['a month in seconds', '2592000', now + 2_592_000_000],
    ['Unix seconds', '1795255200', Date.UTC(2026, 10, 21, 10, 0)],
    ['fractions of Unix seconds', '1795255200.25', Date.UTC(2026, 10, 21, 10, 0, 0, 250)],
    ['the least that is no number of seconds from now', '1000000000', 1_000_000_000_000],
    ['the least that is milliseconds', '1000000000000', 1_000_000_000_000],
    ['the last millisecond of the year 9999', '253402300799999', 253_402_300_799_999],
    ['Unix milliseconds', '1795255200123', Date.UTC(2026, 10, 21, 10, 0, 0, 123)],
    ['an HTTP date', 'Sat, 21 Nov 2026 10:05:00 GMT', Date.UTC(2026, 10, 21, 10, 5)],
    ['an ISO 8601 date in UTC', '2026-12-01T00:00:00.000Z', Date.UTC(2026, 11, 1)],
    ['an ISO 8601 date with an offset', '2026-12-01T00:00:00+01:00', Date.UTC(2026, 10, 30, 23)],
    ['an ISO 8601 date without one', '2026-12-01T00:00:00', Date.UTC(2026, 11, 1)],
    ['a day', '2026-12-01', Date.UTC(2026, 11, 1)],
    ['blanks around it', ' 90 ', now + 90_000],
  ];

  test.each(formats)('reads %s in Retry-After', (_, value, expected) => {
    expect(availableFrom(response(429, '', { 'retry-after': value }), now)).toBe(expected);
  });

  test.each(formats)('reads %s in X-RateLimit-Reset', (_, value, expected) => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': value };

    expect(availableFrom(response(429, '', headers), now)).toBe(expected);
  });

  test('reads an ISO 8601 date without an offset in UTC, wherever n8n runs', () => {
    const { defaultZone } = Settings;
    Settings.defaultZone = 'Asia/Tokyo';
    try {
      const inFiveMinutes = response(429, '', { 'retry-after': '2026-11-21T10:05:00' });

      expect(availableFrom(inFiveMinutes, now)).toBe(now + 300_000);
    } finally {
      Settings.defaultZone = defaultZone;
    }
  });

  test.each([
    '',
    'soon',
    '-5',
    '1e3',
    '0x10',
    '5, 5',
    'NaN',
    'Infinity',
    '2026-13-45',
    '99999999999999999999',
    '253402300800000',
    '1795255200000000',
    '9'.repeat(400),
  ])('does not know what %j means', (value) => {
    expect(availableFrom(response(429, '', { 'retry-after': value }), now)).toBeUndefined();
  });

  test.each<[string, Record<string, string>, number | undefined]>([
    [
      'Retry-After comes before X-RateLimit-Reset',
      { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
      now + 5000,
    ],
    [
      'X-RateLimit-Reset counts when Retry-After means nothing',
      { 'retry-after': 'soon', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '60' },
      now + 60_000,
    ],
    [
      'X-RateLimit-Reset does not count while requests are left',
      { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '60' },
      undefined,
    ],
    [
      'X-RateLimit-Reset does not count without X-RateLimit-Remaining',
      { 'x-ratelimit-reset': '60' },
      undefined,
    ],
    ['without headers, there is no such time', {}, undefined],
  ])('%s', (_, headers, expected) => {
    expect(availableFrom(response(429, '', headers), now)).toBe(expected);
  });
});
