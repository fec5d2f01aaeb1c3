import type { Reading } from './reading';
import { quote } from './values';

/** A time that clocks show, in minutes since midnight. */
export type ClockTime = number;

const BETWEEN = /[\r\n,;]+/;

const TIME = /^(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2}))?\s*(?<half>[ap])?\.?(?:m\.?)?$/i;

const HINT = 'Write times such as 09:00, 17:30 or 9am, with commas between them.';

/** @returns the time, or `undefined` when the text is none */
function readOne(text: string): ClockTime | undefined {
  const { hour: digits, minute, half } = TIME.exec(text)?.groups ?? {};
  // An hour alone may be one of the morning or of the evening.
  if (digits === undefined || (minute === undefined && half === undefined)) return undefined;
  const hour = Number(digits);
  const minutes = Number(minute ?? 0);
  if (minutes > 59) return undefined;
  if (half === undefined) return hour > 23 ? undefined : hour * 60 + minutes;
  if (hour < 1 || hour > 12) return undefined;
  return ((hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)) * 60 + minutes;
}

/**
 * Reads times of the day: `09:00, 17:30`, `9am`, `9:00 PM`, one in each line or with commas between
 * them.
 *
 * @returns the times in ascending order, each once, or why they are refused
 */
export function readClockTimes(text: string): Reading<readonly ClockTime[]> {
  const entries = text
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return { problem: 'is empty', hint: HINT };
  const times: ClockTime[] = [];
  for (const entry of entries) {
    const time = readOne(entry);
    if (time === undefined) {
      return { problem: `holds ${quote(entry)}, which is not a time of the day`, hint: HINT };
    }
    times.push(time);
  }
  return { value: [...new Set(times)].sort((a, b) => a - b) };
}
