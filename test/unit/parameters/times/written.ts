import fc from 'fast-check';
import { DateTime } from 'luxon';

import type { DateOrder } from '../../../../nodes/SocialPublishing/parameters/times/days';

/** Dates and times as people and programs write them, and what a person would read. */

export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
];

const LOCALES = ['en', 'de', 'fr', 'es', 'pt', 'it'];

const two = (number: number): string => String(number).padStart(2, '0');

/** A moment as clocks show it; luxon does the sums. */
type Clock = DateTime;

interface Writing {
  readonly text: string;
  /** The days that a person could take the text for, as ISO dates, by what comes first. */
  readonly days: ReadonlyArray<readonly [first: 'day' | 'month' | 'year', iso: string]>;
}

const dayOf = (year: number, month: number, day: number): string | undefined =>
  DateTime.utc(year, month, day).toISODate() ?? undefined;

const certain = (text: string, at: Clock): Writing => ({
  text,
  days: [['day', at.toISODate() ?? '']],
});

/** A date whose numbers may be taken in another order. */
function uncertain(
  text: string,
  [a, b, c]: readonly [string, string, string],
  yearMayBeFirst: boolean,
): Writing {
  const full = (year: string): number => Number(year.length === 2 ? `20${year}` : year);
  const days = [
    ['day', dayOf(full(c), Number(b), Number(a))],
    ['month', dayOf(full(c), Number(a), Number(b))],
    ['year', yearMayBeFirst && a.length === 2 ? dayOf(full(a), Number(b), Number(c)) : undefined],
  ] as const;
  return {
    text,
    days: days.flatMap(([first, iso]) => (iso === undefined ? [] : [[first, iso] as const])),
  };
}

type Style = 'long' | 'short';

/** The twelve months and the seven days of the week as Intl has them, made once: each takes a while. */
const NAMES = new Map(
  LOCALES.flatMap((locale) =>
    (['long', 'short'] as const).map((style) => {
      const part = (day: number, format: Intl.DateTimeFormatOptions, type: string): string =>
        new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' })
          .formatToParts(Date.UTC(2024, 0, day))
          .find((one) => one.type === type)!.value;
      const months = Array.from({ length: 12 }, (_, index) =>
        part(1 + index * 31, { day: 'numeric', month: style }, 'month'),
      );
      const weekdays = Array.from({ length: 7 }, (_, index) =>
        part(1 + index, { weekday: style }, 'weekday'),
      );
      return [`${locale} ${style}`, { months, weekdays }] as const;
    }),
  ),
);

const month = (at: Clock, locale: string, style: Style): string =>
  NAMES.get(`${locale} ${style}`)!.months[at.month - 1]!;

const weekday = (at: Clock, locale: string, style: Style): string =>
  NAMES.get(`${locale} ${style}`)!.weekdays[at.weekday - 1]!;

type Write<T> = (at: Clock) => T;

const numeric: Array<Write<Writing>> = [
  (at) => certain(at.toFormat('yyyy-MM-dd'), at),
  (at) => certain(at.toFormat('yyyy-M-d'), at),
  (at) => certain(at.toFormat('yyyy/MM/dd'), at),
  (at) => certain(at.toFormat('yyyy.MM.dd'), at),
  (at) => certain(at.toFormat('yyyyMMdd'), at),
  (at) => certain(at.toFormat('dd.MM.yyyy'), at),
  (at) => certain(at.toFormat('d.M.yy'), at),
  (at) => certain(at.toFormat('d. M. yyyy'), at),
  (at) =>
    certain(String(Math.round(Date.UTC(at.year, at.month - 1, at.day) / 86_400_000) + 25_569), at),
  ...[
    'd/M/yyyy',
    'dd/MM/yy',
    'd-M-yyyy',
    'dd-MM-yy',
    'M/d/yyyy',
    'MM/dd/yy',
    'M-d-yyyy',
    'MM-dd-yy',
    'yy-MM-dd',
  ].map((format): Write<Writing> => (at) => {
    const text = at.toFormat(format);
    const numbers = text.split(/\D/) as [string, string, string];
    return uncertain(text, numbers, /^\w\w-\w\w-\w\w$/.test(format));
  }),
];

const inWords = (locale: string, style: Style): Array<Write<Writing>> => {
  const name: Write<string> = (at) => month(at, locale, style);
  return [
    (at) => certain(`${at.day} ${name(at)} ${at.year}`, at),
    (at) => certain(`${at.day}. ${name(at)} ${at.year}`, at),
    (at) => certain(`${at.day} de ${name(at)} de ${at.year}`, at),
    (at) => certain(`${two(at.day)}-${name(at)}-${two(at.year % 100)}`, at),
    (at) => certain(`${two(at.day)}/${name(at)}/${at.year}`, at),
    (at) => certain(`${name(at)} ${at.day}, ${at.year}`.toUpperCase(), at),
    (at) => certain(`${name(at)} ${at.day} ${at.year}`, at),
    (at) => certain(`${at.year} ${name(at)} ${at.day}`, at),
  ];
};

const english: Array<Write<Writing>> = [
  (at) => certain(at.setLocale('en').toFormat("d'th of' MMMM, yyyy"), at),
  (at) => certain(at.setLocale('en').toFormat("MMMM d'st' yyyy"), at),
  (at) => certain(at.setLocale('en').toFormat('dMMMyyyy'), at),
];

const DATES = [
  ...numeric,
  ...numeric,
  ...LOCALES.flatMap((locale) => [...inWords(locale, 'long'), ...inWords(locale, 'short')]),
  ...english,
];

/** Before or after the date, in a text of its own. */
const CLOCKS: Array<Write<string>> = [
  (at) => at.toFormat('HH:mm'),
  (at) => at.toFormat('H:mm'),
  (at) => at.toFormat('HH:mm:ss'),
  (at) => at.setLocale('en').toFormat('h:mm a'),
  (at) => at.setLocale('en').toFormat('h:mma').toUpperCase(),
  (at) => `${at.setLocale('en').toFormat('h:mm')} ${at.hour < 12 ? 'a.m.' : 'p.m.'}`,
  (at) => at.toFormat("H.mm 'Uhr'"),
  (at) => at.toFormat("H'h'mm"),
  (at) => at.toFormat("H:mm 'Uhr'"),
];

const HOURS: Array<Write<string>> = [
  (at) => at.toFormat("H 'Uhr'"),
  (at) => at.toFormat("H'h'"),
  (at) => at.setLocale('en').toFormat('h a').toUpperCase(),
];

/** With seconds and more. */
const EXACT: Array<Write<string>> = [
  (at) => at.toFormat('HH:mm:ss.SSS'),
  (at) => `${at.toFormat('HH:mm:ss.SSS')}4`,
  (at) => `${at.toFormat('HH:mm:ss.SSS')}456`,
  (at) => at.toFormat('H:mm:ss,SSS'),
];

/** After a date and a blank: what cells of spreadsheets give, and a bare hour. */
const CELLS: Array<Write<string>> = [
  (at) => String((at.hour * 60 + at.minute) / 1440),
  (at) => String((at.hour * 60 + at.minute) / 1440).replace('.', ','),
  (at) => at.toFormat("'1899-12-30T'HH:mm:ss"),
  (at) => at.toFormat("'1899-12-31T'HH:mm:ss.SSS'Z'"),
  (at) => at.toFormat("'1900-01-01' HH:mm:ss"),
  (at) => at.setLocale('en').toFormat("'12/30/1899' h:mm:ss a"),
  (at) => at.toFormat("'00:00:00' HH:mm:ss"),
  (at) => at.toFormat("'00:00:00.000Z' H:mm"),
];

const JOINTS = [' ', '  ', ', ', ',', ' at ', ' um ', ' @ ', ' à ', ' a las ', ' - ', ' – '];

/** What a text says beside the clock: minutes from UTC, after which times. */
const OFFSETS: ReadonlyArray<readonly [text: string, minutes: number | undefined, after: RegExp]> =
  [
    ...Array.from({ length: 10 }, () => ['', undefined, /./] as const),
    ['Z', 0, /^\d\d:[\d:.]+$/],
    [' UTC', 0, /./],
    ['+01:00', 60, /./],
    [' +0530', 330, /./],
    [' -0330', -210, /./],
    [' GMT-5', -300, /./],
    ['-05:00', -300, /:\d\d:\d\d/],
    ['-05', -300, /:\d\d:\d\d/],
  ];

/** A pair of date and time as it is written, and what it means under a setting. */
export interface Pair {
  readonly text: string;
  readonly zone: string;
  readonly order: DateOrder;
  /** A moment, or the code of the refusal. */
  readonly means: { readonly utc: string; readonly comesTwice: boolean } | string;
}

/** What a person makes of the days that a text may be. */
function dayRead({ days }: Writing, order: DateOrder, at: Clock | undefined): string | undefined {
  const fitting = days.filter(
    ([, iso]) => at === undefined || DateTime.fromISO(iso).weekday === at.weekday,
  );
  const wanted = fitting.filter(([first]) => `${first}First` === order);
  const isos = new Set((wanted.length > 0 ? wanted : fitting).map(([, iso]) => iso));
  return isos.size === 1 ? [...isos][0] : undefined;
}

function meaning(iso: string, at: Clock, zone: string, minutes: number | undefined): Pair['means'] {
  const clock = at.toFormat('HH:mm:ss.SSS');
  if (minutes !== undefined) {
    const utc = DateTime.fromISO(`${iso}T${clock}Z`).minus({ minutes }).toUTC().toISO()!;
    return { utc, comesTwice: false };
  }
  const local = DateTime.fromISO(`${iso}T${clock}`, { zone });
  if (local.toFormat('HH:mm:ss.SSS') !== clock) return 'skippedHour';
  const possible = local.getPossibleOffsets();
  return {
    utc: DateTime.min(...possible)!
      .toUTC()
      .toISO()!,
    comesTwice: possible.length > 1,
  };
}

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const clock = fc
  .record({
    day: fc.integer({ min: 0, max: 10_000 }),
    minute: fc.oneof(
      fc.integer({ min: 0, max: 1439 }),
      fc.integer({ min: 0, max: 23 }).map((hour) => hour * 60),
    ),
  })
  .map(({ day, minute }) => DateTime.utc(2020, 1, 1).plus({ days: day }).plus({ minutes: minute }));

/** Days on which clocks are changed somewhere, in the hours when they are. */
const change = fc
  .record({
    day: oneOf('2027-03-14', '2027-03-28', '2027-11-07', '2027-10-31', '2027-04-04', '2027-09-26'),
    minute: fc.integer({ min: 0, max: 239 }),
  })
  .map(({ day, minute }) => DateTime.fromISO(day, { zone: 'utc' }).plus({ minutes: minute }));

export const pair: fc.Arbitrary<Pair> = fc
  .record({
    at: fc.oneof({ arbitrary: clock, weight: 9 }, { arbitrary: change, weight: 1 }),
    date: oneOf(...DATES),
    kind: oneOf('clock', 'clock', 'exact', 'before', 'cell', 'tee', 'hour'),
    pick: fc.nat(1000),
    joint: oneOf(...JOINTS),
    offset: oneOf(...OFFSETS),
    day: oneOf('', '', '', ...LOCALES),
    style: oneOf('long' as const, 'short' as const),
    zone: oneOf(...ZONES),
    order: oneOf<DateOrder>('ask', 'dayFirst', 'monthFirst'),
  })
  .map(({ at, date, kind, pick, joint, offset, day, style, zone, order }) => {
    const writing = date(at);
    const shown = kind === 'exact' ? at.plus({ milliseconds: pick * 59 }) : at;
    const any = <T>(writers: ReadonlyArray<Write<T>>): T => writers[pick % writers.length]!(shown);
    const clocks = kind === 'exact' ? EXACT : at.minute === 0 ? [...CLOCKS, ...HOURS] : CLOCKS;
    const [suffix, minutes, after] = offset;
    const before = day === '' ? '' : `${weekday(at, day, style)}${pick % 2 === 0 ? ' ' : ', '}`;
    const written = ((): readonly [text: string, minutes?: number | undefined] => {
      if (kind === 'cell') return [`${before}${writing.text} ${any(CELLS)}`];
      if (kind === 'hour' && at.minute === 0) return [`${before}${writing.text} ${at.hour}`];
      if (kind === 'before')
        return [
          `${any(clocks)}${joint === ',' ? ' ' : joint.startsWith(' ') && joint.length > 2 && !/[-–]/.test(joint) ? ' ' : joint}${before}${writing.text}`,
        ];
      const isTee = kind === 'tee' && /\d$/.test(writing.text);
      const time = isTee ? at.toFormat('HH:mm') : any(clocks);
      const [more, own] = after.test(time) ? [suffix, minutes] : ['', undefined];
      return [`${before}${writing.text}${isTee ? 'T' : joint}${time}${more}`, own];
    })();
    const iso = dayRead(writing, order, day === '' ? undefined : at);
    return {
      text: written[0],
      zone,
      order,
      means: iso === undefined ? 'ambiguousDate' : meaning(iso, shown, zone, written[1]),
      isOwn: iso === undefined || iso === at.toISODate(),
    };
  })
  // Who writes 12/05 and sets Day First doesn't mean 5 December.
  .filter(({ isOwn }) => isOwn);

/** A time from and to, which no reader may take for one moment. */
export const range: fc.Arbitrary<string> = fc
  .record({
    at: clock,
    date: oneOf(...DATES),
    to: clock,
    pick: fc.nat(1000),
    until: oneOf('-', ' - ', '–', ' – ', ' to ', ' bis ', ' until '),
  })
  .map(({ at, date, to, pick, until }) => {
    const clocks = [...CLOCKS, ...HOURS];
    const writer = clocks[pick % clocks.length]!;
    return `${date(at).text} ${writer(at)}${until}${writer(to)}`;
  });
