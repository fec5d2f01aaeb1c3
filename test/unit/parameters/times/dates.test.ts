import type { DateOrder } from '../../../../nodes/SocialPublishing/parameters/times/days';
import {
  readTime,
  type TimeReading,
} from '../../../../nodes/SocialPublishing/parameters/times/times';
import { zoneOf } from '../../../../nodes/SocialPublishing/parameters/times/zones';

const read = (value: unknown, order: DateOrder = 'ask', zone = 'America/New_York'): TimeReading =>
  readTime(value, { zone: zoneOf(zone)!, order });

/** In New York, what clocks show in winter is five hours behind UTC. */
const winter = (time: string): string => `2026-12-${time}.000Z`;

describe('a date as people write it is read', () => {
  test.each<[value: string | number, utc: string]>([
    // The month first or the day, where only one of them can be.
    ['12/25/2026 9:00', winter('25T14:00:00')],
    ['25/12/2026 9:00', winter('25T14:00:00')],
    ['12-25-2026 9:00', winter('25T14:00:00')],
    ['12/12/2026 9:00', winter('12T14:00:00')],
    ['12/25/26 9:00 AM', winter('25T14:00:00')],
    ['25/12/26 9:00', winter('25T14:00:00')],
    // The day of the week says which of two days it is.
    ['Sat 12/05/2026 9:00 AM', winter('05T14:00:00')],
    ['Tuesday, 12/05/2026 9:00', '2026-05-12T13:00:00.000Z'],
    // With dots, the day comes first.
    ['25.12.2026 09:00', winter('25T14:00:00')],
    ['05.12.2026 09:00', winter('05T14:00:00')],
    ['5.12.26 9:00', winter('05T14:00:00')],
    ['25. 12. 2026 9.00', winter('25T14:00:00')],
    // The year first.
    ['2026/12/5 9:00', winter('05T14:00:00')],
    ['2026.12.05 9:00', winter('05T14:00:00')],
    ['2026-12-5 9:00', winter('05T14:00:00')],
    ['2026-12-05T9:00', winter('05T14:00:00')],
    // The month in English.
    ['5 Dec 2026 9am', winter('05T14:00:00')],
    ['5-Dec-26 9:00', winter('05T14:00:00')],
    ['05/Dec/2026 09:00', winter('05T14:00:00')],
    ['5Dec2026 9am', winter('05T14:00:00')],
    ['5. December 2026 9:00', winter('05T14:00:00')],
    ['5th December 2026, 9 am', winter('05T14:00:00')],
    ['5th of December, 2026 9am', winter('05T14:00:00')],
    ['December 5, 2026 at 9:00 AM', winter('05T14:00:00')],
    ['DECEMBER 5TH 2026 9:00AM', winter('05T14:00:00')],
    ['Dec. 5, 2026 @ 9:00', winter('05T14:00:00')],
    ['Dec 5 2026 - 9:00', winter('05T14:00:00')],
    ['2026 Dec 5 9:00', winter('05T14:00:00')],
    ['Saturday, December 5, 2026 9:00 AM', winter('05T14:00:00')],
    ['5 Dec 2026 (Sat) 9:00', winter('05T14:00:00')],
    // The time of day.
    ['12/25/2026 09:00:15', winter('25T14:00:15')],
    ['12/25/2026 9:00 p.m.', '2026-12-26T02:00:00.000Z'],
    ['12/25/2026 9 P.M.', '2026-12-26T02:00:00.000Z'],
    ['12/25/2026 12:00 AM', winter('25T05:00:00')],
    ['12/25/2026 12:30 pm', winter('25T17:30:00')],
    ['12/25/2026 13:00 PM', winter('25T18:00:00')],
    ['12/25/2026 noon', winter('25T17:00:00')],
    ['25/12/2026 9h30', winter('25T14:30:00')],
    ['25.12.2026 9 Uhr', winter('25T14:00:00')],
    ['25.12.2026, 09:00 Uhr', winter('25T14:00:00')],
    ['25.12.2026 24:00', winter('26T05:00:00')],
    ['9:00 25.12.2026', winter('25T14:00:00')],
    ['9am on 5 Dec 2026', winter('05T14:00:00')],
    // With an offset or a zone of its own.
    ['12/25/2026 9:00 AM +01:00', winter('25T08:00:00')],
    ['25.12.2026 09:00 UTC', winter('25T09:00:00')],
    ['5 Dec 2026 9am Europe/Berlin', winter('05T08:00:00')],
    // What can't be seen: a narrow and a hard blank, a mark of direction, a dash, an apostrophe.
    ['12/25/2026, 9:00\u202fAM', winter('25T14:00:00')],
    ['25.12.2026\u00a009:00', winter('25T14:00:00')],
    ['\u200e12/25/2026 9:00', winter('25T14:00:00')],
    ['2026\u201112\u201125 9:00', winter('25T14:00:00')],
    ["'12/25/2026 9:00", winter('25T14:00:00')],
    // The number of a spreadsheet.
    [46361.375, winter('05T14:00:00')],
    ['46361.375', winter('05T14:00:00')],
    ['46361,375', winter('05T14:00:00')],
    [46361.39583333333, winter('05T14:30:00')],
  ])('%p as %s', (value, utc) => {
    expect(read(value)).toEqual({ utc, comesTwice: false, dateOnly: false });
  });

  test.each<[string | number, string]>([
    ['12/25/2026', winter('25T05:00:00')],
    ['25.12.2026', winter('25T05:00:00')],
    ['5 Dec 2026', winter('05T05:00:00')],
    ['2026-12-05', winter('05T05:00:00')],
    ['20261205', winter('05T05:00:00')],
    ['Saturday, December 5, 2026', winter('05T05:00:00')],
    [46361, winter('05T05:00:00')],
    ['46361', winter('05T05:00:00')],
  ])('%p as midnight, %s, and it is known that no time was given', (value, utc) => {
    expect(read(value)).toMatchObject({ utc, dateOnly: true });
  });

  test.each(['2026-12-05T00:00:00', '5 Dec 2026 0:00', '12/25/2026 12:00 AM', '2026-12-05T10'])(
    '%s with its time',
    (value) => {
      expect(read(value)).toMatchObject({ dateOnly: false });
    },
  );

  test('the dates of this century in a spreadsheet, and no other number', () => {
    expect(readSerial('36526')?.wall.toISODate()).toBe('2000-01-01');
    expect(readSerial('73050.99')?.wall.toISODate()).toBe('2099-12-31');
    expect(readSerial('36525')).toBeUndefined();
    expect(readSerial('73051')).toBeUndefined();
    expect(readSerial('-46361')).toBeUndefined();
    expect(readSerial('4.6361e4')).toBeUndefined();
  });

  test('the first hour of two when clocks are put back', () => {
    expect(read('Nov 1, 2026 1:30 AM')).toEqual({
      utc: '2026-11-01T05:30:00.000Z',
      comesTwice: true,
      dateOnly: false,
    });
  });
});

describe('the option Date Order', () => {
  test.each<[DateOrder, string, string]>([
    ['dayFirst', '12/05/2026 9:00', '2026-05-12T13:00:00.000Z'],
    ['monthFirst', '12/05/2026 9:00', winter('05T14:00:00')],
    ['dayFirst', '12-05-2026 9:00', '2026-05-12T13:00:00.000Z'],
    ['monthFirst', '12-05-26 9:00', winter('05T14:00:00')],
    ['monthFirst', '12.05.2026 9:00', winter('05T14:00:00')],
    ['dayFirst', '2026-12-05 9:00', winter('05T14:00:00')],
    ['dayFirst', 'Dec 5, 2026 9:00', winter('05T14:00:00')],
  ])('%s reads %s as %s', (order, value, utc) => {
    expect(read(value, order)).toMatchObject({ utc });
  });

  test.each<[DateOrder, string]>([
    ['dayFirst', '12/25/2026'],
    ['monthFirst', '25/12/2026'],
    ['ask', '12.25.2026'],
  ])('%s contradicts %s', (order, value) => {
    expect(read(value, order)).toMatchObject({
      code: 'noSuchMonth',
      problem: expect.stringMatching(/25$/) as string,
      hint: expect.stringContaining('Date Order') as string,
    });
  });
});

describe('a date is refused', () => {
  test.each<[value: string, days: string]>([
    ['12/05/2026', '12 May 2026 or 5 December 2026'],
    ['12-05-2026', '12 May 2026 or 5 December 2026'],
    ['12/05/2026 9:00 AM', '12 May 2026 or 5 December 2026'],
    ['1/2/26', '1 February 2026 or 2 January 2026'],
    ['26-12-25', '26 December 2025 or 25 December 2026'],
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
    ['December 5th', 'noYear'],
    ['10:30', 'noDate'],
    ['9am', 'noDate'],
    ['25.12.2026 midnight', 'ambiguousMidnight'],
    ['5 Dec 2026 9:00 EST', 'ambiguousZone'],
    ['5 Dec 2026 9:00 est', 'ambiguousZone'],
    ['12/25/2026 13:00 AM', 'unreadableTime'],
    ['12/25/2026 0:30 PM', 'unreadableTime'],
    ['25.12.2026 24:30', 'unreadableTime'],
    ['25.12.2026 9:60', 'unreadableTime'],
    ['31.11.2026 9:00', 'unreadableTime'],
    ['29/02/2027 9:00', 'unreadableTime'],
    ['00/00/2026', 'unreadableTime'],
    ['13/13/2026', 'unreadableTime'],
    ['12/25-2026', 'unreadableTime'],
    ['5 Dezember 2026', 'unreadableTime'],
    ['2026-12-25 9', 'unreadableTime'],
    ['tomorrow', 'unreadableTime'],
    ['36525', 'unreadableTime'],
    ['99999', 'unreadableTime'],
  ])('%j', (value, code) => {
    expect(read(value)).toMatchObject({
      code,
      problem: expect.stringContaining(`"${value}"`) as string,
    });
  });

  const now = '$now.setZone("America/New_York")';

  test.each<[value: string, expression: string]>([
    ['tomorrow 9am', `${now}.plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00")`],
    ['tomorrow', `${now}.plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00")`],
    ['Tomorrow at 17:30', `${now}.plus({ days: 1 }).toFormat("yyyy-MM-dd 17:30")`],
    ['9 am tomorrow', `${now}.plus({ days: 1 }).toFormat("yyyy-MM-dd 09:00")`],
    ['day after tomorrow', `${now}.plus({ days: 2 }).toFormat("yyyy-MM-dd 09:00")`],
    ['today 5pm', `${now}.toFormat("yyyy-MM-dd 17:00")`],
    ['10:30', `${now}.toFormat("yyyy-MM-dd 10:30")`],
    ['in 3 hours', `${now}.plus({ hours: 3 }).toFormat("yyyy-MM-dd HH:mm")`],
    ['in a week', `${now}.plus({ weeks: 1 }).toFormat("yyyy-MM-dd 09:00")`],
    ['now', `${now}.toFormat("yyyy-MM-dd HH:mm")`],
    [
      'next Friday 9:00',
      `${now}.plus({ days: (11 - ${now}.weekday) % 7 + 1 }).toFormat("yyyy-MM-dd 09:00")`,
    ],
    [
      '5. Dezember 2026 um 9:00 Uhr',
      `DateTime.fromFormat($json.date, "d. MMMM yyyy 'um' H:mm 'Uhr'", { locale: "de" }).toFormat("yyyy-MM-dd HH:mm")`,
    ],
    [
      '5 décembre 2026',
      'DateTime.fromFormat($json.date, "d MMMM yyyy", { locale: "fr" }).toFormat("yyyy-MM-dd")',
    ],
    [
      '5 de diciembre de 2026 09:00',
      `DateTime.fromFormat($json.date, "d 'de' MMMM 'de' yyyy H:mm", { locale: "es" }).toFormat("yyyy-MM-dd HH:mm")`,
    ],
    [
      '5 grudnia 2026',
      'DateTime.fromFormat($json.date, "d MMMM yyyy", { locale: "pl" }).toFormat("yyyy-MM-dd")',
    ],
  ])('%s, with the expression that gives it', (value, expression) => {
    expect(read(value)).toMatchObject({
      hint: expect.stringContaining(`{{ ${expression} }}`) as string,
    });
  });

  test('in words, with the text itself where no expression gave it', () => {
    const reading = readTime('5 mai 2026', { zone: zoneOf('UTC')!, order: 'ask' });

    expect(reading).toMatchObject({
      hint: expect.stringContaining(
        '{{ DateTime.fromFormat("5 mai 2026", "d MMMM yyyy", { locale: "fr" }).toFormat("yyyy-MM-dd") }}',
      ) as string,
    });
  });
});
