import type { Reading } from '../reading';
import { quote } from '../values';
import { clockTime, DAY_MS } from './clock';
import { CLOCK } from './forms';
import { shapeOf, signsOf } from './shape';

/** A time that clocks show, in minutes since midnight. */
export type ClockTime = number;

const BETWEEN = /[\r\n,;]+/;

const HINT = 'Write times such as 09:00, 17:30 or 9am, with commas between them.';

const TIME = new RegExp(`^${CLOCK}$`);

/** @returns the time, or `undefined` when the text is none, or has seconds */
function readOne(text: string): ClockTime | undefined {
  const { tokens } = shapeOf(text);
  const time = TIME.test(signsOf(tokens)) ? clockTime(tokens) : undefined;
  return time === undefined || time === DAY_MS || time % 60_000 > 0 ? undefined : time / 60_000;
}

/**
 * Reads times of the day, one in each line or with commas between them: `09:00, 17:30`, `9am`, `noon`.
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
