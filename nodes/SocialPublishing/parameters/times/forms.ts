/** What the parts of a date are, in their order: year, month, day, or the number of a spreadsheet. */
export type Order = 'ymd' | 'dmy' | 'mdy' | 'serial';

/**
 * The forms of a date: its signs (see `Shape`), and what its parts may be. `12` is one or two digits,
 * `24` two or four.
 */
const DATES: ReadonlyArray<readonly [form: string, ...orders: Order[]]> = [
  ['4-12-12', 'ymd'],
  ['4/12/12', 'ymd'],
  ['4.12.12', 'ymd'],
  ['8', 'ymd'],
  ['12.12.24', 'dmy'],
  ['12/12/24', 'dmy', 'mdy'],
  ['12-12-4', 'dmy', 'mdy'],
  ['12-12-2', 'dmy', 'mdy', 'ymd'],
  ['12 M 24', 'dmy'],
  ['M 12 24', 'mdy'],
  ['M-12-24', 'mdy'],
  ['M/12/24', 'mdy'],
  ['4 M 12', 'ymd'],
  ['5', 'serial'],
];

const GAP = '(?:[.]?[/-]|[ ,.]? ?)';

/** How the parts of a form are written. Between a month in words and a number, there may be nothing. */
const PATTERNS: Readonly<Record<string, string>> = {
  '12': '[12]',
  '24': '[24]',
  '.': String.raw`\. ?`,
  '/': ' ?/ ?',
  ' M ': `${GAP}M${GAP}`,
  'M ': 'M[ ,.]? ?',
  M: 'M[.]?',
  ' ': '(?:[ ,]|[.] )',
};

const patternOf = (form: string): string =>
  form.replace(/12|24|[./]| ?M ?| /g, (part) => PATTERNS[part] ?? part);

const FORMS = DATES.map(
  ([form, ...orders]) => [new RegExp(`^${patternOf(form)}[.]?$`), orders] as const,
);

/** What the parts of a date may be, by its signs. */
export const ordersOf = (signs: string): readonly Order[] =>
  FORMS.find(([pattern]) => pattern.test(signs))?.[1] ?? [];

const ANY = '[0-9a-z]';
const DATE = `(?:${DATES.map(([form]) => patternOf(form)).join('|')})(?:[.](?!\\w))?`;

/** A time of day, after a date or before it. */
export const CLOCK = `(?:${[
  '[012]:2(?::2)?(?: ?[PH])?',
  `[012]:2:2[.,]${ANY}`,
  '[12][.]2(?:[.]2)?(?: ?[PH])?',
  '0[.]2 ?H',
  '[012] ?H(?: ?2)?',
  '[012] ?P',
  '(?:[12](?::2)? )?N',
].join('|')})`;

/** A time of day as a cell of a spreadsheet: on the first day that the spreadsheet knows. */
const CELL = `(?:4-2-2|[12]/[012]/4)[T ][012]:2(?::2(?:[.]${ANY})?)?(?: ?P)?Z?`;
/** The time of a cell with a date alone, before the time from another cell. */
const MIDNIGHT = `[T ][012]:2:2(?:[.]${ANY})?(?: ?P)?Z?(?= [^-])`;
const OFFSET = ' ?(?:A|Z?[+-](?:[12](?::2)?|4)|Z)';
const JOINT = '(?:[ ,]| - )';

const AFTER_DATE = [
  `(?:${JOINT}|(?<tee>T))(?<clock>${CLOCK})`,
  `T(?<basic>2|4|6(?:[.,]${ANY})?)`,
  // A spreadsheet keeps a time as a part of a day, in the cell of the date or in one of its own.
  `(?:[ ,]0|(?<=^5))[.,](?<part>${ANY})`,
  `[ ,](?:(?<hour>[012])|(?<cell>${CELL}))`,
].join('|');

/** A date, alone or with a time of day and an offset. The time may stand before the year. */
export const WHOLE = new RegExp(
  [
    `^(?<alone>${DATE})$|^(?:(?<date>${DATE})(?<midnight>${MIDNIGHT})?(?:${AFTER_DATE})`,
    `(?<early>${CLOCK})${JOINT}(?<late>${DATE})`,
    `(?<start>(?:M ?[12]|[12] M) )(?<middle>${CLOCK})(?<inner>${OFFSET})? (?<year>4))(?<offset>${OFFSET})?$`,
  ].join('|'),
  'd',
);

const TIME = `(?:${CLOCK}|[012])`;
const UNTIL = ' ?[-~] ?';
const DAY = '(?:[12]/[12]|[12][.][12][.]?|[12][ .]{0,2}-?M[.]?|M[ .-]{0,2}[12])';

/** Why a text has no form; the first that fits says it. */
const FLAWS = {
  ambiguousMidnight: 'K',
  noDate: `^(?:${CLOCK}|${CELL}|0[.,]${ANY})(?:${OFFSET})?$`,
  noYear: `^(?:${CLOCK}${JOINT})?${DAY}(?:${JOINT}${TIME}(?:${OFFSET})?)?$`,
  timeRange: `^(?:${DATE}[ ,T])?${TIME}${UNTIL}${TIME}(?:[ ,]${DATE})?$|^(?:[12][.]?|${DATE})${UNTIL}${DATE}`,
  otherMonth: `^(?:[12][ .]{0,2}X[ .]{0,2}[24]|X[ .]{0,2}[12][ ,.]{1,2}[24])(?!${ANY})`,
  otherTime: `^${DATE}[ ,T]`,
};

export type Flaw = keyof typeof FLAWS | 'noonOrMidnight';

const FLAW_PATTERNS = Object.entries(FLAWS).map(
  ([flaw, pattern]) => [flaw as Flaw, new RegExp(pattern)] as const,
);

/** Why signs have no form; `undefined` for those that are no date at all. */
export const flawOf = (signs: string): Flaw | undefined =>
  FLAW_PATTERNS.find(([, pattern]) => pattern.test(signs))?.[0];
