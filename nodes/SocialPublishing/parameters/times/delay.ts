import type { Reading } from '../reading';
import { quote } from '../values';

/** What a delay is counted in. */
export const DELAY_UNITS = ['minutes', 'hours', 'days'] as const;

type DelayUnit = (typeof DELAY_UNITS)[number];

const LONGEST_DAYS = 3650;

/**
 * The time at the end of a delay, as the service takes it.
 *
 * @param amount a number, or a text that is one; fractions count
 * @param now Unix milliseconds
 */
export function timeAfter(amount: unknown, unit: DelayUnit, now: number): Reading<string> {
  const number = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount;
  if (typeof number !== 'number' || !Number.isFinite(number)) {
    return {
      code: 'notANumber',
      problem: `is ${quote(amount)}, which is not a number`,
      hint: 'Give a number such as 10.',
    };
  }
  if (number < 0) {
    return {
      code: 'tooSmall',
      problem: `is ${number}, which is in the past`,
      hint: 'Give 0 or a larger number.',
    };
  }
  const minutes = number * { minutes: 1, hours: 60, days: 24 * 60 }[unit];
  return minutes > LONGEST_DAYS * 24 * 60
    ? {
        code: 'tooLarge',
        problem: `is ${number} ${unit}, which is more than ten years`,
        hint: 'Give a smaller number.',
      }
    : { value: new Date(now + Math.round(minutes * 60_000)).toISOString() };
}
