import { DateTime, Settings } from 'luxon';

import {
  readTime,
  type TimeReading,
} from '../../../../nodes/SocialPublishing/parameters/times/times';
import { zoneOf } from '../../../../nodes/SocialPublishing/parameters/times/zones';

function read(value: unknown, zoneName: string): TimeReading {
  const zone = zoneOf(zoneName);
  if (zone === undefined) throw new Error(`${zoneName} is no zone`);
  return readTime(value, { zone, order: 'ask' });
}

/** The time that is sent; `undefined` when it is refused. */
function utcTime(value: unknown, zoneName: string): string | undefined {
  const reading = read(value, zoneName);
  return 'utc' in reading ? reading.utc : undefined;
}

/** Why a time is refused; the time itself when it is not. */
function refusal(value: unknown, zoneName: string): string | undefined {
  const reading = read(value, zoneName);
  return 'problem' in reading ? reading.code : reading.utc;
}

const berlin = 'Europe/Berlin';

describe('reads', () => {
  test.each([
    // ISO 8601
    ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21t10:00z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T10:00:00-05:30', '2026-11-21T15:30:00.000Z'],
    ['2026-11-21T10:00:00+01:59', '2026-11-21T08:01:00.000Z'],
    ['2026-11-21T10:00:00+0100', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T00:30:00+14:00', '2026-11-20T10:30:00.000Z'],
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T10:00:00.123456Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21 10:00:00.1234Z', '2026-11-21T10:00:00.123Z'],
    ['20261121T100000.123456Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T10:00:00,5Z', '2026-11-21T10:00:00.500Z'],
    ['20261121T100000Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T24:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
    [' 2026-11-21T10:00Z\n', '2026-11-21T10:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    // SQL
    ['2026-11-21 10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21 10:00:00.5 +0100', '2026-11-21T09:00:00.500Z'],
    ['2026-11-21 10:00:00 America/New_York', '2026-11-21T15:00:00.000Z'],
    // RFC 2822 and HTTP
    ['Sat, 21 Nov 2026 10:00:00 +0100', '2026-11-21T09:00:00.000Z'],
    ['21 Nov 2026 10:00 -0500', '2026-11-21T15:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
    ['Saturday, 21-Nov-26 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
    [
      'Sat Nov 21 2026 10:00:00 GMT+0100 (Central European Standard Time)',
      '2026-11-21T09:00:00.000Z',
    ],
    ['Nov 21, 2026 9:05 PM UTC', '2026-11-21T21:05:00.000Z'],
    // What names its zone
    ['2026-11-21T10:00:00[America/New_York]', '2026-11-21T15:00:00.000Z'],
    ['2026-11-21T10:00 Asia/Tokyo', '2026-11-21T01:00:00.000Z'],
    // An offset wins over a zone name beside it, also a wrong one
    ['2026-11-21T10:00:00+01:00[America/New_York]', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T10:00:00Z[Europe/Berlin]', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21 10:00:00 +05:30 America/New_York', '2026-11-21T04:30:00.000Z'],
    ['21 Nov 2026 10:00 -0500 (CET)', '2026-11-21T15:00:00.000Z'],
    ['2026-11-21 10:00 GMT-5', '2026-11-21T15:00:00.000Z'],
    // As the editor stores a DateTime that was switched to Fixed
    ['[DateTime: 2026-11-21T10:00:00.000+01:00]', '2026-11-21T09:00:00.000Z'],
    // Unix time
    ['1795255200', '2026-11-21T10:00:00.000Z'],
    [' 1795255200\n', '2026-11-21T10:00:00.000Z'],
    [1795255200, '2026-11-21T10:00:00.000Z'],
    ['1795255200123', '2026-11-21T10:00:00.123Z'],
    [1795255200123, '2026-11-21T10:00:00.123Z'],
    // Date objects
    [new Date(Date.UTC(2026, 10, 21, 10, 0, 0, 7)), '2026-11-21T10:00:00.007Z'],
    [DateTime.fromISO('2026-11-21T10:00:00+01:00'), '2026-11-21T09:00:00.000Z'],
    [DateTime.fromISO('2026-11-21T10:00', { zone: 'Asia/Kolkata' }), '2026-11-21T04:30:00.000Z'],
  ])('%p in whatever zone as %s', (value, expected) => {
    expect(utcTime(value, 'UTC')).toBe(expected);
    expect(utcTime(value, berlin)).toBe(expected);
    expect(utcTime(value, 'Pacific/Auckland')).toBe(expected);
  });

  test.each([
    ['2026-11-21', berlin, '2026-11-20T23:00:00.000Z'],
    [20261121, berlin, '2026-11-20T23:00:00.000Z'],
    // Whatever the format, a text without an offset is in the zone.
    ['21  Nov  2026 10:00', 'America/New_York', '2026-11-21T15:00:00.000Z'],
    ['Sat, 21 Nov 2026 10:00:00', 'America/New_York', '2026-11-21T15:00:00.000Z'],
    ['Sat Nov 21 10:00:00 2026', 'America/New_York', '2026-11-21T15:00:00.000Z'],
    ['2026-11-21 09:05 pm', 'Asia/Tokyo', '2026-11-21T12:05:00.000Z'],
    ['2026-11-21T10:00', 'UTC+2', '2026-11-21T08:00:00.000Z'],
  ])('%p, which has no offset, in %s as %s', (value, zone, expected) => {
    expect(utcTime(value, zone)).toBe(expected);
  });

  describe('wherever n8n runs', () => {
    const { defaultZone, defaultLocale } = Settings;

    beforeEach(() => {
      Settings.defaultZone = 'America/New_York';
      Settings.defaultLocale = 'ja';
    });

    afterEach(() => {
      Settings.defaultZone = defaultZone;
      Settings.defaultLocale = defaultLocale;
    });

    // Clocks in New York skip this hour.
    test.each(['2026-03-08T02:30', '2026-03-08 02:30', '8 Mar 2026 02:30', '2026/3/8 2:30'])(
      '%s',
      (value) => {
        expect(utcTime(value, berlin)).toBe('2026-03-08T01:30:00.000Z');
      },
    );
  });

  test('the digits of a date object in another language as those of the service', () => {
    const value = DateTime.fromISO('2026-11-21T10:00:00Z', { locale: 'ar-EG' });

    expect(value.toFormat('yyyy')).toBe('٢٠٢٦');
    expect(utcTime(value, berlin)).toBe('2026-11-21T10:00:00.000Z');
  });
});

describe.each([
  ['in winter', Date.UTC(2026, 0, 15)],
  ['in summer', Date.UTC(2026, 6, 15)],
])('where clocks are changed, seen %s', (_, now) => {
  const realNow = Settings.now;

  beforeEach(() => {
    Settings.now = () => now;
  });

  afterEach(() => {
    Settings.now = realNow;
  });

  test.each([
    ['the last minute before the gap', '2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
    ['the first minute after the gap', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['before the overlap', '2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
    ['in the overlap, the first of the two', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    [
      'in the overlap, in SQL, with a zone',
      '2026-10-25 02:30:00 Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
    ],
    ['in the overlap with its offset', '2026-10-25T02:30+01:00', '2026-10-25T01:30:00.000Z'],
    ['after the overlap', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
  ])('%s', (__, value, expected) => {
    expect(utcTime(value, berlin)).toBe(expected);
  });
});

describe('refuses', () => {
  test.each([
    'soon',
    'tomorrow 7',
    'now',
    '2026-13-45',
    '2026-02-29T10:00',
    '2026-11-31',
    '2026-11-21T25:00',
    '2026-11-21T10:60',
    '2026-11-21T10:00:60Z',
    '2026-11-21T10:00 tomorrow',
    '2026-11-21T',
    '2026',
    '2026-11',
    '10:30',
    '12',
    '',
    '   ',
    'T10:00',
    'Mon, 21 Nov 2026 10:00:00 GMT',
    'Mon, 21 Nov 2026 10:00',
    '21 Nov 2026 25:00',
    '2026-11-21T10:00+15:00',
    '2026-11-21T10:00+01:60',
    '2026-11-21T10:00[Mars/Olympus]',
    '2026-11-21T10:00 soon',
    '+012026-11-21T10:00:00Z',
    '-000001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    '={{ $now }}',
    'null',
    // Digits that are no Unix time, among them a date without separators.
    '202611211000',
    '20261121100000',
    '179525520',
    '17952552001234567',
    '-1795255200',
    '1795255200.5',
    '1e12',
    'NaN',
  ])('%j', (value) => {
    expect(utcTime(value, berlin)).toBeUndefined();
  });

  test.each([
    [undefined],
    [null],
    [true],
    [0],
    [12],
    [-1795255200],
    [1795255200.5],
    [Number.NaN],
    [Infinity],
    [1e15],
    [{}],
    [[]],
    [['2026-11-21T10:00Z']],
    [new Date(Number.NaN)],
    [DateTime.invalid('no time')],
  ])('%p', (value) => {
    expect(utcTime(value, berlin)).toBeUndefined();
  });

  test.each([
    '2026-11-21 09:00 BST',
    '2026-11-21T09:00 EST',
    '2026-11-21T09:00EST',
    '2026-11-21 09:00:00 CST',
    '2026-11-21 09:00 (IST)',
    'Sat, 21 Nov 2026 10:00:00 EST',
    'Nov 21, 2026 9:05 PM PDT',
    '2026-11-21 9:00 AM ET',
  ])('%s, as its zone is none for certain', (value) => {
    expect(refusal(value, berlin)).toBe('ambiguousZone');
  });

  test('what is no date, with a date and an expression that are', () => {
    expect(read('soon', berlin)).toMatchObject({
      code: 'unreadableTime',
      hint: expect.stringContaining('2026-11-21 10:00') as string,
      forBuilder: expect.stringMatching(
        /\{\{ \$now\.setZone\("Europe\/Berlin"\)\.plus\(\{ days: 1 \}\)\.toFormat\("yyyy-MM-dd 09:00"\) \}\}$/,
      ) as string,
    });
  });

  test('an hour that clocks skip', () => {
    expect(refusal('2026-03-29T02:30', berlin)).toBe('skippedHour');
    expect(refusal('2026-03-08 2:30 AM', 'America/New_York')).toBe('skippedHour');
    // Half an hour is skipped there: 2:15 would become 2:45.
    expect(refusal('2026-10-04T02:15', 'Australia/Lord_Howe')).toBe('skippedHour');
    expect(refusal('2026-03-29T02:30+01:00', berlin)).toBe('2026-03-29T01:30:00.000Z');
  });
});

test.each([
  ['2026-10-25T02:30', berlin, true],
  ['2026-10-25T01:59', berlin, false],
  ['2026-10-25T02:30+01:00', berlin, false],
  ['2026-11-01 1:30', 'America/New_York', true],
  ['2026-11-01 1:30', 'UTC', false],
])('of %s in %s it is known whether it comes twice: %s', (value, zone, comesTwice) => {
  expect(read(value, zone)).toMatchObject({ comesTwice });
});
