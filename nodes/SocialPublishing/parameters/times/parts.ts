import { clockNumbers, clockTime, numbersIn } from './clock';
import { type Flaw, flawOf, type Order, ordersOf, WHOLE } from './forms';
import { type Shape, shapeOf, signsOf, type Token } from './shape';

/** The parts of a text that has the form of a date. */
export interface DateParts {
  readonly date: readonly string[];
  readonly orders: readonly Order[];
  /** The days of the week beside it, from 1 for Monday. */
  readonly weekdays: readonly number[];
  /** Milliseconds since midnight; `undefined` for what no clock shows. */
  readonly time: number | undefined;
  readonly dateOnly: boolean;
  /** Minutes from UTC (`NaN` for more than there are), or letters of a zone. */
  readonly offset: number | string | undefined;
}

/** Whether a time with dots may be a date as well: `6.12.26`. */
function maySeemDate(tokens: readonly Token[]): boolean {
  const [day = 0, month = 0] = numbersIn(tokens).map(Number);
  return /^[12]\.2\.2$/.test(signsOf(tokens)) && day > 0 && month > 0 && month <= 12;
}

/** The days that spreadsheets count from, which the cell of a time alone is on. */
const FIRST_DAYS = ['12 30 1899', '12 31 1899', '0 1 1900', '1 1 1900'];

const isFirstDay = (date: readonly Token[]): boolean => {
  const numbers = numbersIn(date).map(Number);
  return FIRST_DAYS.includes(numbers.sort((a, b) => a - b).join(' '));
};

/** The time of day in a cell; `undefined` for one of another day. */
function cellTime(tokens: readonly Token[]): number | undefined {
  const time = clockTime(tokens.slice(6));
  // Off the minute in UTC, it is what clocks showed before there were zones.
  const isLocalMeanTime = tokens.at(-1)?.sign === 'Z' && (time ?? 0) % 60_000 > 0;
  return isFirstDay(tokens.slice(0, 5)) && !isLocalMeanTime ? time : undefined;
}

function offsetIn(tokens: readonly Token[]): DateParts['offset'] {
  const letters = tokens.find(({ sign }) => sign === 'A')?.text;
  if (letters !== undefined || tokens.length === 0) return letters;
  const [hours = 0, minutes = 0] = clockNumbers(tokens).map(Number);
  const sign = tokens.some((token) => token.sign === '-') ? -1 : 1;
  return hours > 14 || minutes > 59 ? NaN : sign * (hours * 60 + minutes);
}

function fitting({ tokens, weekdays }: Shape): DateParts | Flaw | undefined {
  const signs = signsOf(tokens);
  const found = WHOLE.exec(signs);
  if (found === null) return flawOf(signs);
  const at = (...names: readonly string[]): readonly Token[] =>
    names.flatMap((name) => tokens.slice(...(found.indices?.groups?.[name] ?? [0, 0])));
  const date = at('date', 'late', 'start', 'year', 'alone');
  if (isFirstDay(date)) return 'noDate';
  const early = at('early');
  const cell = at('cell');
  const offset = at('inner', 'offset');

  // Before a date, "am" may be German: it says that 9 is 9, but not what 12 is.
  const isGerman = early.some(({ text }) => text === 'am');
  if (isGerman && early[0]?.text === '12') return 'noonOrMidnight';
  const clock = at('clock', 'hour', 'basic', 'middle', 'early');
  const inGerman = clock.filter(({ text }) => !isGerman || text !== 'am');
  const shown = cell.length > 0 ? cellTime(cell) : clockTime(inGerman);
  const [part] = at('part');
  const time = part === undefined ? shown : Math.round(Number(`0.${part.text}`) * 86_400) * 1000;

  const isPastMidnight = clockTime(at('midnight')) !== 0;
  const isOtherCell = cell.length > 0 && shown === undefined;
  if (isPastMidnight || isOtherCell || maySeemDate(at('clock'))) return 'otherTime';
  // A minus after any other time may stand before the end of a range.
  const isExact = /:2:2|[.]2[.]2|T.*:2|[46]/.test(signsOf(at('tee', 'clock', 'basic', 'middle')));
  if (/^ ?-(?!4)/.test(signsOf(offset)) && !isExact) return 'timeRange';

  return {
    date: numbersIn(date),
    orders: ordersOf(signsOf(date)),
    weekdays,
    time,
    dateOnly: found.groups?.alone !== undefined,
    offset: offsetIn(offset),
  };
}

/** The parts of a date, or why it has none; `undefined` for a text that is no date at all. */
export function partsOf(text: string): DateParts | Flaw | undefined {
  if (!/\d/.test(text)) return undefined;
  const parts = fitting(shapeOf(text));
  // Tuesday in three languages, if the rest is a date without it.
  const other =
    typeof parts !== 'object' && /\bmar\b/i.test(text) ? fitting(shapeOf(text, true)) : undefined;
  return typeof other === 'object' ? other : parts;
}
