import { type Reading } from './reading';
import { quote } from './values';

/** The choice that lets the user enter a value that the specification doesn't list. */
export const CUSTOM = 'custom';

/** Reads which of the values a text is. */
export function readOneOf<T extends string>(text: string, values: readonly T[]): Reading<T> {
  const value = values.find((one) => one === text);
  return value === undefined
    ? { problem: `is ${quote(text)}`, hint: `Enter one of ${values.join(', ')}.` }
    : { value };
}

/** Reads whether a switch is on. */
export function readSwitch(value: unknown): Reading<boolean> {
  if (typeof value === 'boolean') return { value };
  if (value === 'true' || value === 'false') return { value: value === 'true' };
  return {
    problem: `is ${quote(value)}, which is neither true nor false`,
    hint: 'Enter true or false.',
  };
}
