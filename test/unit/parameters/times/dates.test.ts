import type { DateOrder } from '../../../../nodes/SocialPublishing/parameters/times/days';
import {
  readTime,
  type TimeReading,
} from '../../../../nodes/SocialPublishing/parameters/times/times';
import { zoneOf } from '../../../../nodes/SocialPublishing/parameters/times/zones';

/** What `written.test.ts` doesn't write: single signs, traps, and what is refused. */

const zone = zoneOf('America/New_York')!;

const read = (value: unknown, order: DateOrder = 'ask'): TimeReading =>
  readTime(value, { zone, order });

/** What is sent, or the code of the refusal. */
const outcome = (value: unknown, order?: DateOrder): string | undefined => {
  const reading = read(value, order);
  return 'utc' in reading ? reading.utc : reading.code;
};

/** In New York, what clocks show in winter is five hours behind UTC. */
const winter = (time: string): string => `2026-12-${time}.000Z`;

const nine = winter('05T14:00:00');

describe('a date as people write it is read', () => {
  test.each<[value: string | number, utc: string]>([
    ['12/12/2026 9:00', winter('12T14:00:00')],
    ['Tuesday, 12/05/2026 9:00', '2026-05-12T13:00:00.000Z'],
    ['2026-12-05T9:00', nine],
    ['20261205T0900', nine],
    ['20261205T09', nine],
    ['5.Dez.2026 9:00', nine],
    ["5 Dec '26 9am", nine],
    ['1er décembre 2026 9:00', winter('01T14:00:00')],
    ['5º dezembro 2026 9:00', nine],
    ['5 Dec 2026 (Sat) 9:00', nine],
    ['sexta-feira, 4 de dezembro de 2026 às 9h', winter('04T14:00:00')],
    ['am 5. Dezember 2026 um 9 Uhr 30', winter('05T14:30:00')],
    ['5 dicembre 2026 alle ore 9:00', nine],
    // The time of day.
    ['12/25/2026 9 P.M.', '2026-12-26T02:00:00.000Z'],
    ['12/25/2026 12:00 AM', winter('25T05:00:00')],
    ['12/25/2026 12:30 pm', winter('25T17:30:00')],
    ['12/25/2026 13:00 PM', winter('25T18:00:00')],
    ['12/25/2026 noon', winter('25T17:00:00')],
    ['12/25/2026 12:00 noon', winter('25T17:00:00')],
    ['25.12.2026 24:00', winter('26T05:00:00')],
    ["5 Dec 2026 9 o'clock", nine],
    ['9:00 Uhr am 5. Dezember 2026', nine],
    // What can't be seen: a narrow and a hard blank, a mark of direction, a dash, an apostrophe.
    ['12/25/2026, 9:00\u202fAM', winter('25T14:00:00')],
    ['25.12.2026\u00a009:00', winter('25T14:00:00')],
    ['\u200e12/25/2026 9:00', winter('25T14:00:00')],
    ['2026\u201112\u201125 9:00', winter('25T14:00:00')],
    ["'12/25/2026 9:00", winter('25T14:00:00')],
    // The number of a spreadsheet.
    [46361.375, nine],
    ['46361,375', nine],
    [46361.39583333333, winter('05T14:30:00')],
    // The pairs of two columns that the issue of this reader named.
    ['46361 0.375', nine],
    ['2026-11-30 0.375', '2026-11-30T14:00:00.000Z'],
    ['2026-12-01 1899-12-31T09:00:00', winter('01T14:00:00')],
    ['2026-12-08 00:00:00 10:00:00', winter('08T15:00:00')],
    ['25.12.2026 9:00', winter('25T14:00:00')],
    ['12/25/2026 9:00 AM', winter('25T14:00:00')],
    ['11.12.2026 18', winter('11T23:00:00')],
    ['12/25/2026 12:00:00 AM 9:00 AM', winter('25T14:00:00')],
    ['25.12.2026 0:00:00 9:00', winter('25T14:00:00')],
    ['2026-12-05 0', winter('05T05:00:00')],
    ['2026-12-05 09:00:00-05', nine],
  ])('%j as %s', (value, utc) => {
    expect(read(value)).toEqual({ utc, comesTwice: false, dateOnly: false });
  });

  test.each<[string | number, string]>([
    ['12/25/2026', winter('25T05:00:00')],
    ['25.12.2026 ', winter('25T05:00:00')],
    ['5 Dec 2026', winter('05T05:00:00')],
    ['2026-12-05', winter('05T05:00:00')],
    ['20261205', winter('05T05:00:00')],
    ['Saturday, December 5, 2026', winter('05T05:00:00')],
    [46361, winter('05T05:00:00')],
    ['36526', '2000-01-01T05:00:00.000Z'],
    ['73050', '2099-12-31T05:00:00.000Z'],
  ])('%j as midnight, %s, and it is known that no time was given', (value, utc) => {
    expect(read(value)).toMatchObject({ utc, dateOnly: true });
  });
});

describe('a word or sign that means two things', () => {
  test.each<[string, string]>([
    // "mar" is Tuesday only beside a whole date.
    ['5 mar 2026 9:00', '2026-03-05T14:00:00.000Z'],
    ['mar 12 2026 9:00', '2026-03-12T13:00:00.000Z'],
    ['mar. 8 dic 2026 9:00', winter('08T14:00:00')],
    ['mar 3 mar 2026 9:00', '2026-03-03T14:00:00.000Z'],
    ['mar 9 dic 2026 9:00', 'wrongWeekday'],
    // "jui" may be June or July.
    ['5 jui 2026', 'otherMonth'],
    // "am" is a half of the day after a number alone.
    ['9 Uhr am 5. Dezember 2026', nine],
    ['15:00 am 5. Dezember 2026', winter('05T20:00:00')],
    ['12:00 am 5 Dec 2026', 'noonOrMidnight'],
    ['12:00 AM 5 Dec 2026', winter('05T05:00:00')],
    ['5 Dec 2026 12:00 am', winter('05T05:00:00')],
    ['5 de diciembre de 2026 amanhã', 'otherTime'],
    // Excel's A/P.
    ['2026-12-05 12:00 A', winter('05T05:00:00')],
    ['2026-12-05 9:00 P', winter('06T02:00:00')],
    ['2026-12-05 a 9:00', 'otherTime'],
    ['2026-12-05 à 9:00', nine],
    ['2026-12-05 a las 9:00', nine],
    // Midnight before another time needs its seconds and a plain blank.
    ['2026-12-05 00:00 – 12:15', 'timeRange'],
    ['2026-12-05 00:00:00 – 12:15', 'timeRange'],
    ['2026-12-05 09:00:00 12:15', 'otherTime'],
    ['12/25/2026 12:00:00 PM 9:00 AM', 'otherTime'],
    ['2026-12-05 00:00:00,5', '2026-12-05T05:00:00.500Z'],
    ['2026-12-05 9:00:00,5 PM', 'otherTime'],
    // Dots may be a second date.
    ['5.12.2026 6.12.26', 'otherTime'],
    ['5.12.2026 9.30.15', winter('05T14:30:15')],
    ['5.12.2026 2026', 'otherTime'],
    // A part of a day, and a clock.
    ['5.12.2026 0.25', winter('05T11:00:00')],
    ['5.12.2026 00.25', winter('05T05:25:00')],
    ['5.12.2026 0.25 Uhr', winter('05T05:25:00')],
    // A cell that holds a time alone.
    ['1899-12-30T09:00:00', 'noDate'],
    ['2026-12-05 1899-12-30T09:00:00Z', nine],
    ['2026-12-05 1899-12-30T09:00:28Z', 'otherTime'],
    ['2026-12-05 1900-01-00 09:00:00', nine],
    ['2026-12-05 1900-01-02 09:00:00', 'otherTime'],
    // The same day in both orders, and a third.
    ['12/12/2026', winter('12T05:00:00')],
    ['05-05-06', 'ambiguousDate'],
  ])('%s: %s', (value, expected) => {
    expect(outcome(value)).toBe(expected);
  });

  test('the option decides also where two of three orders give the same day', () => {
    expect(outcome('05-05-06', 'dayFirst')).toBe('2006-05-05T04:00:00.000Z');
  });
});

describe('the option Date Order', () => {
  const may = '2026-05-12T13:00:00.000Z';

  test.each<[string, ask: string, dayFirst: string, monthFirst: string]>([
    ['12/05/2026 9:00', 'ambiguousDate', may, nine],
    ['12-05-26 9:00', 'ambiguousDate', may, nine],
    ['05.12.2026 9:00', nine, nine, nine],
    ['5.12.26 9 Uhr', nine, nine, nine],
    [
      '12/25/2026 9:00',
      ...([1, 2, 3].map(() => winter('25T14:00:00')) as [string, string, string]),
    ],
    [
      '25/12/2026 9:00',
      ...([1, 2, 3].map(() => winter('25T14:00:00')) as [string, string, string]),
    ],
    ['Sat 12/05/2026 9:00', nine, nine, nine],
    ['2026-12-05 9:00', nine, nine, nine],
    ['12.25.2026 9:00', 'noSuchDay', 'noSuchDay', 'noSuchDay'],
  ])('of %s: %s, %s, %s', (value, ask, dayFirst, monthFirst) => {
    expect([outcome(value), outcome(value, 'dayFirst'), outcome(value, 'monthFirst')]).toEqual([
      ask,
      dayFirst,
      monthFirst,
    ]);
  });
});

describe('a date is refused', () => {
  test.each<[value: string, days: string]>([
    ['12/05/2026', '12 May 2026 or 5 Dec 2026'],
    ['1/2/26', '1 Feb 2026 or 2 Jan 2026'],
    ['26-12-25', '26 Dec 2025 or 25 Dec 2026'],
  ])('that may be two: %s', (value, days) => {
    expect(read(value)).toMatchObject({
      code: 'ambiguousDate',
      problem: expect.stringContaining(days) as string,
    });
  });

  test.each<[value: string, code: string]>([
    ['Thu, December 25, 2026', 'wrongWeekday'],
    ['Sun 12/05/2026', 'wrongWeekday'],
    ['5 Dec 9am', 'noYear'],
    ['12/25 9:00', 'noYear'],
    ['5.12. 9:00', 'noYear'],
    ['December 5th', 'noYear'],
    ['10:30', 'noDate'],
    ['9am', 'noDate'],
    ['0.375', 'noDate'],
    ['25.12.2026 midnight', 'ambiguousMidnight'],
    ['5 Dec 2026 9:00 est', 'ambiguousZone'],
    ['5 Dec 2026 9 CET', 'ambiguousZone'],
    ['12/25/2026 13:00 AM', 'noSuchTime'],
    ['12/25/2026 0:30 PM', 'noSuchTime'],
    ['25.12.2026 24:30', 'noSuchTime'],
    ['25.12.2026 9:60', 'noSuchTime'],
    ['25.12.2026 25', 'noSuchTime'],
    ['2026-12-25 13:00 noon', 'noSuchTime'],
    ['31.11.2026 9:00', 'noSuchDay'],
    ['29/02/2027 9:00', 'noSuchDay'],
    ['00/00/2026', 'noSuchDay'],
    ['13/13/2026', 'noSuchDay'],
    ['12/25-2026', 'unreadableTime'],
    ['5 grudnia 2026 9:00', 'otherMonth'],
    ['2026-12-25 soon', 'otherTime'],
    ['46361 1:2', 'otherTime'],
    ['tomorrow 9am', 'unreadableTime'],
    ['36525', 'unreadableTime'],
    ['73051', 'unreadableTime'],
    ['-46361', 'unreadableTime'],
    ['4.6361e4', 'unreadableTime'],
    ['2026-12-05 9:00 +15:00', 'noSuchOffset'],
    // From one time to another, or an offset.
    ['21.11.2027 10:00-11:30', 'timeRange'],
    ['2027-11-21 10:00-11:30', 'timeRange'],
    ['2027-11-21 10-11', 'timeRange'],
    ['2027-11-21T10-11', 'timeRange'],
    ['2027-11-21 10:00 -05:00', 'timeRange'],
    ['2027-11-21 9 bis 11 Uhr', 'timeRange'],
    ['10:00-11:30 21.11.2027', 'timeRange'],
    ['5.12.2026 - 6.12.2026', 'timeRange'],
    ['5.-6.12.2026', 'timeRange'],
    ['Dec 10-12 2026', 'unreadableTime'],
  ])('%j as %s', (value, code) => {
    expect(read(value)).toMatchObject({
      code,
      problem: expect.stringContaining(`"${value}"`) as string,
    });
  });

  test.each([
    'to be decided by the team',
    'dezember '.repeat(450),
    ' 1'.repeat(40),
    '1'.repeat(5000),
    '2026-12-05 '.repeat(7),
    '5 dec 2026 '.repeat(400),
    'a. '.repeat(26),
    '/a'.repeat(40),
  ])('that is none, whatever its length', (value) => {
    expect(outcome(value)).toMatch(/^(?:unreadable|other)Time$/);
  });

  test('and its writer is told nothing that only the builder of the workflow can do', () => {
    for (const value of ['12/05/2026', 'soon', '10:30', '2026-12-05 x', '2026-12-05 9:00 EST']) {
      expect(read(value)).toMatchObject({
        hint: expect.not.stringMatching(/\{\{|option|expression|node/) as string,
        forBuilder: expect.any(String) as string,
      });
    }
  });
});
