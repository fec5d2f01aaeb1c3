import { DateTime, Info } from 'luxon';

import { clockOf } from './timeOfDay';
import { weekdayNumber } from './weekdays';

/** Expressions to paste: for words such as `tomorrow`, and for months in other languages than English. */

/** The languages in which a month is looked for, the most used first. */
const LOCALES =
  'de fr es it pt nl pl sv da nb fi cs sk hu ro hr sl tr ru uk el bg et lv lt ca id vi'.split(' ');

const MONTH_TOKENS = ['MMMM', 'LLLL', 'MMM', 'LLL'] as const;

/** The words for months in a language. */
const monthWords = (locale: string): string[] =>
  (['long', 'short'] as const).flatMap((length) => [
    ...Info.months(length, { locale }),
    ...Info.monthsFormat(length, { locale }),
  ]);

/** The luxon format of a date with its month in words; `token` stands for the month. */
function formatOf(text: string, months: readonly string[], token: string): string {
  return text.replace(
    /(?<word>\p{L}[\p{L}.'’]*)|(?<time>\d{1,2}:\d{2}(?::\d{2})?)|(?<year>\d{4})|\d{1,2}/gu,
    (part, ...rest) => {
      const { word, time, year } = rest.at(-1) as Record<string, string | undefined>;
      if (word !== undefined) return months.includes(word.toLowerCase()) ? token : `'${word}'`;
      if (time !== undefined) return part.split(':').length === 3 ? 'H:mm:ss' : 'H:mm';
      return year === undefined ? 'd' : 'yyyy';
    },
  );
}

/** The language of a date and its luxon format; `undefined` when it is in none of the languages. */
function foreignFormat(text: string): { locale: string; format: string } | undefined {
  const words = text.match(/\p{L}[\p{L}.'’]*/gu) ?? [];
  const lower = (texts: readonly string[]): string[] => texts.map((one) => one.toLowerCase());
  const speaks = (locale: string): boolean =>
    lower(words).some((word) => lower(monthWords(locale)).includes(word));
  // German has its months with a capital, French has not: "5 mai" is French.
  const writes = (locale: string): boolean =>
    words.some((word) => monthWords(locale).includes(word));
  for (const locale of [...LOCALES.filter(writes), ...LOCALES.filter(speaks)]) {
    const months = lower(monthWords(locale));
    for (const token of MONTH_TOKENS) {
      const format = formatOf(text, months, token);
      if (DateTime.fromFormat(text, format, { locale }).isValid) return { locale, format };
    }
  }
  return undefined;
}

const DAYS: Readonly<Record<string, object>> = {
  now: {},
  today: {},
  tonight: {},
  tomorrow: { days: 1 },
  'day after tomorrow': { days: 2 },
  'next week': { weeks: 1 },
  'next month': { months: 1 },
};

const UNITS: Readonly<Record<string, string>> = {
  min: 'minutes',
  minute: 'minutes',
  hour: 'hours',
  day: 'days',
  week: 'weeks',
  month: 'months',
};

/** The argument of luxon's `plus` for words such as `tomorrow`: `{ days: 1 }`; `''` for `now`. */
function shiftFor(words: string, now: string): string | undefined {
  const day = DAYS[words];
  if (day !== undefined) {
    const [entry] = Object.entries(day);
    return entry === undefined ? '' : `{ ${entry[0]}: ${entry[1]} }`;
  }
  const { count, unit = '' } =
    /^in (?<count>\d+|an?|one) (?<unit>[a-z]+?)s?$/.exec(words)?.groups ?? {};
  const units = UNITS[unit];
  if (units !== undefined) return `{ ${units}: ${Number(count) || 1} }`;
  const weekday = weekdayNumber(words.replace(/^(?:next|this|on|coming) /, ''));
  return weekday === undefined ? undefined : `{ days: (${weekday + 6} - ${now}.weekday) % 7 + 1 }`;
}

const TIME_OF_DAY = String.raw`(?:at )?(?<time>\d{1,2}(?:[:.h]\d{0,2})?(?:[:.]\d{2})?\s*(?:[ap]\.?\s?m\.?)?|noon)`;
const WORDS_THEN_TIME = new RegExp(String.raw`^(?<words>[a-z][a-z\d ]*?),?(?: ${TIME_OF_DAY})?$`);
const TIME_THEN_WORDS = new RegExp(String.raw`^${TIME_OF_DAY},? (?<words>[a-z][a-z ]*)$`);

/** The expression for a time of day, or for words that mean another time on each run. */
function relativeExpression(text: string, zone: string): string | undefined {
  const now = `$now.setZone(${JSON.stringify(zone)})`;
  const today = /^\d+$/.test(text) ? undefined : clockOf(text);
  if (today !== undefined) return `{{ ${now}.toFormat("yyyy-MM-dd ${today}") }}`;
  const plain = text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/\bthe day\b/, 'day');
  const { words = '', time } =
    (TIME_THEN_WORDS.exec(plain) ?? WORDS_THEN_TIME.exec(plain))?.groups ?? {};
  const shift = shiftFor(words, now);
  const clock = time === undefined ? undefined : clockOf(time);
  if (shift === undefined || (time !== undefined && clock === undefined)) return undefined;
  const isExact = words === 'now' || /\b(?:min|minute|hour)s?$/.test(words);
  const usual = isExact ? 'HH:mm' : words === 'tonight' ? '20:00' : '09:00';
  const plus = shift === '' ? '' : `.plus(${shift})`;
  return `{{ ${now}${plus}.toFormat("yyyy-MM-dd ${clock ?? usual}") }}`;
}

/**
 * The expression to paste for a date in words: what it gives is read in the zone of the node.
 *
 * @param source the expression that gave the text, such as `$json.date`; without one, the text itself
 */
export function expressionFor(
  text: string,
  zone: string,
  source: string | undefined,
): string | undefined {
  const relative = relativeExpression(text, zone);
  if (relative !== undefined) return relative;
  const foreign = foreignFormat(text);
  if (foreign === undefined) return undefined;
  const { locale, format } = foreign;
  const time = format.includes('H:mm') ? ' HH:mm' : '';
  const read = `DateTime.fromFormat(${source ?? JSON.stringify(text)}, ${JSON.stringify(format)}, { locale: "${locale}" })`;
  return `{{ ${read}.toFormat("yyyy-MM-dd${time}") }}`;
}
