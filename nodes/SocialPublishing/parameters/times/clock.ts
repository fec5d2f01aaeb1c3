import type { Token } from './shape';

const HOUR_MS = 60 * 60 * 1000;

export const DAY_MS = 24 * HOUR_MS;

const isNumber = ({ sign }: Token): boolean => /[0-9a-zM]/.test(sign);

/** The numbers among the parts of a shape, in digits, with that of a month in words. */
export const numbersIn = (tokens: readonly Token[]): string[] =>
  tokens.filter(isNumber).map(({ text }) => text);

/** The hour on a clock with 24 hours; `undefined` where am or pm contradicts it. */
function hourOf(given: number, half: string | undefined): number | undefined {
  if (half === undefined) return given;
  const isAfternoon = half.toLowerCase().startsWith('p');
  if (given > 12 || given === 0) return isAfternoon === given > 12 ? given : undefined;
  return (given % 12) + (isAfternoon ? 12 : 0);
}

/**
 * What a clock shows, in milliseconds since midnight; 24:00 is the end of the day.
 *
 * @param tokens hour, minute, second and fraction, as far as they are given, with am, pm or noon
 * @returns `undefined` for a time that no clock shows
 */
export function clockTime(tokens: readonly Token[]): number | undefined {
  const textOf = (sign: string): string | undefined =>
    tokens.find((token) => token.sign === sign)?.text;
  const isNoon = textOf('N') !== undefined;
  const [given = isNoon ? '12' : '0', minute = '0', second = '0', fraction = '0'] =
    numbersIn(tokens);
  const hour = hourOf(Number(given), textOf('P'));
  if (hour === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (isNoon && hour !== 12) return undefined;
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const time = hour * HOUR_MS + (Number(minute) * 60 + Number(second)) * 1000 + milliseconds;
  return time > DAY_MS ? undefined : time;
}

/** The same for the part of a day that a spreadsheet keeps a time as, in days: to the second. */
export const partOfDay = (days: number): number => Math.round(days * 24 * 60 * 60) * 1000;
