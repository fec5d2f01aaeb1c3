import { isObject } from '../../shared/json';
import { isRefusal, type Reading } from './reading';
import { idNumber, isEmpty, quote, wholeNumber } from './values';

/** Reads a whole number that is not negative; `undefined` when it is empty. */
export function readInteger(value: unknown): Reading<number | undefined> {
  if (isEmpty(value)) return { value: undefined };
  const number = wholeNumber(value);
  return number === undefined
    ? {
        problem: `is ${quote(value)}, which is not a whole number`,
        hint: 'Enter a number such as 12.',
      }
    : { value: number };
}

/** Reads a whole number above 0; `undefined` when it is empty. */
export function readPositiveInteger(value: unknown): Reading<number | undefined> {
  const reading = readInteger(value);
  return isRefusal(reading) || reading.value === undefined || idNumber(reading.value) !== undefined
    ? reading
    : {
        problem: `is ${reading.value}, which is too small`,
        hint: 'Enter a number of at least 1.',
      };
}

/** What a resource locator holds; another value as it is. */
export const located = (value: unknown): unknown =>
  // An expression that gives nothing leaves the locator without a value.
  isObject(value) && '__rl' in value ? (value.value ?? '') : value;
