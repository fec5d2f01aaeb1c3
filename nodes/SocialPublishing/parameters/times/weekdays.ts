import { tidy } from '../values';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

const WEEKDAY =
  /\(?\b(?<name>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b\.?\)?,?/i;

/** The day of the week in a text, in three letters; `undefined` when it has none. */
export const weekdayIn = (text: string): string | undefined =>
  WEEKDAY.exec(text)?.groups?.name?.slice(0, 3).toLowerCase();

/** A text without the day of the week. */
export const withoutWeekday = (text: string): string => tidy(text.replace(WEEKDAY, ' '));

/** The number of a weekday, 1 for Monday; `undefined` for another word. */
export const weekdayNumber = (word: string): number | undefined => {
  const number = WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase()) + 1;
  return number === 0 || WEEKDAY.exec(word)?.groups?.name !== word ? undefined : number;
};
