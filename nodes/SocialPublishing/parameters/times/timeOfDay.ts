import { DateTime } from 'luxon';

interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

export const MIDNIGHT: TimeOfDay = { hour: 0, minute: 0, second: 0, millisecond: 0 };

/** A time of day: `9:00`, `09:00:30.5`, `9.30`, `9h30`, `9am`, `9:00 a.m.`, `noon`. */
export const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2}(?:[.,]\d+)?)?(?:\s*[ap]\.?\s?m\b\.?)?|\d{1,2}\s*(?:[ap]\.?\s?m\b\.?|h(?:\d{2})?\b)|(?:12\s)?noon`;

const TIME_PARTS =
  /^(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?\s*h?\s*(?:(?<half>[ap])\.?\s?m\.?)?$/i;

/**
 * Reads a text as {@link TIME} describes it; an hour alone is a full one.
 *
 * @returns the time of day, or `undefined` when it is none; hour 24 is the end of the day
 */
export function timeOfDay(text: string): TimeOfDay | undefined {
  if (/^(?:12\s)?noon$/i.test(text)) return { ...MIDNIGHT, hour: 12 };
  const {
    hour = '',
    minute = '0',
    second = '0',
    fraction = '0',
    half,
  } = TIME_PARTS.exec(text)?.groups ?? {};
  const given = Number(hour);
  const afternoon = half?.toLowerCase() === 'p';
  const hours =
    half === undefined || given > 12 || (given === 0 && !afternoon)
      ? given
      : (given % 12) + (afternoon ? 12 : 0);
  const time = {
    hour: hours,
    minute: Number(minute),
    second: Number(second),
    millisecond: Number(fraction.padEnd(3, '0').slice(0, 3)),
  };
  const isEnd = hours === 24 && time.minute === 0 && time.second === 0 && time.millisecond === 0;
  const contradicts = half !== undefined && (afternoon ? given === 0 || given > 23 : given > 12);
  return hour === '' ||
    contradicts ||
    (hours > 23 && !isEnd) ||
    time.minute > 59 ||
    time.second > 59
    ? undefined
    : time;
}

/** A time of day in a text, in 24 hours: `09:00`; `undefined` when it is none. */
export function clockOf(text: string): string | undefined {
  const time = timeOfDay(/^\d{1,2}$/.test(text) ? `${text}:00` : text);
  return time && DateTime.utc(2000, 1, 1).set(time).toFormat('HH:mm');
}
