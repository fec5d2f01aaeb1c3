import { type Reading, wrong } from '../refusal';
import { quote, textList } from '../values';
import { CLOCK } from './forms';
import { shapeOf, signsOf, type Token } from './shape';

const HOUR_MS = 60 * 60 * 1000;

export const DAY_MS = 24 * HOUR_MS;

/** The numbers in a shape, in digits; a month in words has one, too. */
export const numbersIn = (tokens: readonly Token[]): string[] =>
  tokens.filter(({ sign }) => /[0-9a-zM]/.test(sign)).map(({ text }) => text);

/** The same, where hour, minute and second may stand without anything between them: `0900`. */
export function clockNumbers(tokens: readonly Token[]): string[] {
  const [first = '', ...others] = numbersIn(tokens);
  return [...(first.match(/\d\d?/g) ?? []), ...others];
}

/** The hour on a clock with 24 of them; `NaN` where am or pm contradicts it. */
function hourOf(given: number, half: string | undefined): number {
  if (half === undefined) return given;
  const isAfternoon = /^p/i.test(half);
  if (given > 0 && given <= 12) return (given % 12) + (isAfternoon ? 12 : 0);
  return isAfternoon === given > 12 ? given : NaN;
}

/**
 * What a clock shows, in milliseconds since midnight; 24:00 is the end of the day. `undefined` for
 * a time that no clock shows.
 */
export function clockTime(tokens: readonly Token[]): number | undefined {
  const isNoon = tokens.some(({ sign }) => sign === 'N');
  const [given = isNoon ? '12' : '0', minute = '0', second = '0', fraction = '0'] =
    clockNumbers(tokens);
  const hour = hourOf(Number(given), tokens.find(({ sign }) => sign === 'P')?.text);
  const seconds = Number(minute) * 60 + Number(second);
  const time = hour * HOUR_MS + seconds * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
  const isShown = Number(minute) < 60 && Number(second) < 60 && (!isNoon || hour === 12);
  return isShown && time <= DAY_MS ? time : undefined;
}

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

/** Reads times such as `09:00, 17:30`, `9am`, `noon`; each once, in ascending order. */
export function readClockTimes(text: string): Reading<readonly ClockTime[]> {
  const entries = textList(text, BETWEEN) ?? [];
  if (entries.length === 0) return wrong('is empty', HINT);
  const times: ClockTime[] = [];
  for (const entry of entries) {
    const time = readOne(entry);
    if (time === undefined) {
      return wrong(`holds ${quote(entry)}, which is not a time of the day`, HINT);
    }
    times.push(time);
  }
  return { value: [...new Set(times)].sort((a, b) => a - b) };
}
