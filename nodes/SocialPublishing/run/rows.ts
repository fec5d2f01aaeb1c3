/** Words for several items. A row counts from 1, as in a sheet; an item from 0, as in n8n. */

/** How many stretches of items are named. */
const MAX_STRETCHES = 20;

/** Numbers in ascending order in words: `0, 2 to 5`. Of too many stretches, the first. */
export function ranges(numbers: readonly number[]): string {
  const stretches: Array<[number, number]> = [];
  for (const number of numbers) {
    const last = stretches.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else stretches.push([number, number]);
  }
  const more = stretches.slice(MAX_STRETCHES).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return (
    stretches
      .slice(0, MAX_STRETCHES)
      .map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`))
      .join(', ') + (more === 0 ? '' : ` and ${more} more`)
  );
}

/** Such as `row 3` or `rows 1, 3 to 6`, from item indexes in ascending order. */
export const rowsOf = (items: readonly number[]): string =>
  `row${items.length === 1 ? '' : 's'} ${ranges(items.map((item) => item + 1))}`;

/** What is said of an item, and what to do about it. */
export type SaidOfRows = readonly [item: number, text: string, step?: string];

/** What is said of several items. */
export interface SaidOnce {
  readonly text: string;
  readonly step: string;
  /** In ascending order. */
  readonly items: readonly number[];
  /** The items of which the same is said with other values. */
  readonly alike: readonly number[];
}

/**
 * Quotations, days such as `Wed 20 May 2030`, and other words with digits. A word is looked at from its
 * beginning alone: from each of its letters, a long one would take seconds.
 */
const VALUES =
  /["“«][^"”»]*["”»]|(?:[A-Z][a-z]{2} )?\d+ [A-Z][a-z]{2} \d{4}|(?<![^\s"”»])\S*\d\S*/g;

/** What is said of several items once, in the order of the items; values don't make a difference. */
export function saidOnce(said: readonly SaidOfRows[]): SaidOnce[] {
  const all = new Map<string, SaidOnce & { items: number[]; alike: number[] }>();
  for (const [item, text, step = ''] of said) {
    const key = JSON.stringify([text, step].map((words) => words.replace(VALUES, '…')));
    const one = all.get(key) ?? { text, step, items: [], alike: [] };
    all.set(key, one);
    const items = one.text === text && one.step === step ? one.items : one.alike;
    if (items.at(-1) !== item) items.push(item);
  }
  return [...all.values()];
}
