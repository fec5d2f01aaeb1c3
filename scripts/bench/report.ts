import type { Measurement } from './measure';

/** One way to do a task, over all rounds. */
export interface Way {
  /** Such as "ours, fields as in the editor". */
  name: string;
  rounds: Measurement[];
}

/** All ways to do a task, measured in turn. */
export interface Comparison {
  name: string;
  latencyMs: number;
  ours: Way[];
  others: Way[];
  /** The memory that the task took in a fresh n8n, in MB, where it was measured. */
  memory?: { ours: number; others: number };
}

/** How many times faster one way is than another, of the rounds in which both were measured. */
export interface Ratio {
  median: number;
  lowest: number;
  highest: number;
}

/** How many times faster a way of ours is than one of the others: the medians, and the range. */
function ratioOf(ours: Way, others: Way): Ratio {
  const ratios = ours.rounds.map(
    ({ requestNodeMs }, round) => others.rounds[round]!.requestNodeMs / requestNodeMs,
  );
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** The two ways that are the least favourable to us. */
export function leastFavourable({ ours, others }: Comparison): { ours: Way; others: Way } {
  const pairs = ours.flatMap((one) => others.map((other) => ({ ours: one, others: other })));
  return pairs.reduce((least, pair) =>
    ratioOf(pair.ours, pair.others).median < ratioOf(least.ours, least.others).median
      ? pair
      : least,
  );
}

/** The middle of the values. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of each figure. */
export function medians(rounds: Measurement[]): Measurement {
  const of = (figure: keyof Measurement) => median(rounds.map((round) => round[figure]));
  return {
    requestNodeMs: of('requestNodeMs'),
    allNodesMs: of('allNodesMs'),
    requests: of('requests'),
    underWay: of('underWay'),
  };
}

export const ratio = (ours: number, others: number): string => `${(others / ours).toFixed(2)} x`;

/** A line of a table: what it is about, and a figure in each column. */
export const row = (...cells: string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(36) : cell.padStart(16))).join('');

const whole = (value: number): string => value.toFixed(0);

const words = ({ median: middle, lowest, highest }: Ratio): string =>
  `${middle.toFixed(2)} x (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;

/** What each way takes for each task, and all ratios with their ranges. */
export function table(comparisons: Comparison[]): string {
  return comparisons
    .flatMap(({ name, latencyMs, ours, others, memory }) => [
      '',
      `${name}, ${latencyMs} ms latency`,
      row('medians', 'sending (ms)', 'all nodes (ms)', 'requests', 'at once'),
      ...[...ours, ...others].map((way) => {
        const { requestNodeMs, allNodesMs, requests, underWay } = medians(way.rounds);
        return row(way.name, ...[requestNodeMs, allNodesMs, requests, underWay].map(whole));
      }),
      'times faster (lowest to highest)',
      ...ours.flatMap((one) =>
        others.map((other) => `  ${one.name} / ${other.name}: ${words(ratioOf(one, other))}`),
      ),
      ...(memory === undefined
        ? []
        : [
            `peak memory in a fresh n8n: ${whole(memory.ours)} MB / ${whole(memory.others)} MB (${ratio(memory.ours, memory.others)})`,
          ]),
    ])
    .join('\n');
}

/**
 * What each way spends its CPU on, most first by the first way.
 *
 * @param columns for each way the milliseconds for one item
 */
export function cpuTable(
  name: string,
  ways: readonly string[],
  columns: ReadonlyArray<ReadonlyMap<string, number>>,
): string {
  const purposes = [...new Set(columns.flatMap((spent) => [...spent.keys()]))];
  const sum = (spent: ReadonlyMap<string, number>): number =>
    [...spent.values()].reduce((total, ms) => total + ms, 0);
  const cells = (figures: readonly number[]): string[] => figures.map((ms) => ms.toFixed(2));
  return [
    '',
    `${name}: CPU for each item, in ms`,
    ...ways.map((way, index) => `  ${index + 1}: ${way}`),
    row('', ...ways.map((_, index) => String(index + 1))),
    ...purposes.map((purpose) =>
      row(purpose, ...cells(columns.map((spent) => spent.get(purpose) ?? 0))),
    ),
    row('together', ...cells(columns.map(sum))),
  ].join('\n');
}
