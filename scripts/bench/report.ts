import type { Measurement } from './measure';

/** The medians of both sides of a scenario, over all rounds. */
export interface Comparison {
  name: string;
  ours: Measurement;
  others: Measurement;
  /** The memory that the task took in a fresh n8n, in MB, where it was measured. */
  memory?: { ours: number; others: number };
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

const figures: ReadonlyArray<[keyof Measurement, string, (value: number) => string]> = [
  ['requestNodeMs', 'time of the node that sends (ms)', (value) => value.toFixed(0)],
  ['allNodesMs', 'time of all nodes (ms)', (value) => value.toFixed(0)],
  ['requests', 'requests', (value) => value.toFixed(0)],
  ['underWay', 'requests under way at most', (value) => value.toFixed(0)],
];

export const ratio = (ours: number, others: number): string => `${(others / ours).toFixed(2)} x`;

/** A line of a table: what it is about, and a figure in each column. */
export const row = (...cells: string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(36) : cell.padStart(14))).join('');

/** A table of medians and ratios for each scenario. */
export function table(comparisons: Comparison[]): string {
  return comparisons
    .flatMap(({ name, ours, others, memory }) => [
      '',
      name,
      row('', 'ours', 'HTTP Request', 'ratio'),
      ...figures.map(([figure, label, format]) =>
        row(
          label,
          format(ours[figure]),
          format(others[figure]),
          ratio(ours[figure], others[figure]),
        ),
      ),
      ...(memory === undefined
        ? []
        : [
            row(
              'peak memory in a fresh n8n (MB)',
              memory.ours.toFixed(0),
              memory.others.toFixed(0),
              ratio(memory.ours, memory.others),
            ),
          ]),
    ])
    .join('\n');
}
