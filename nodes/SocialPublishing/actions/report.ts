import type { IDataObject } from 'n8n-workflow';

import type { Write } from '../transport/requests';

/** What became of the writes of one run that was stopped in the middle. */
export interface Progress {
  /** Items that were written, with the records. */
  readonly done: ReadonlyArray<{ readonly item: number; readonly record: IDataObject }>;
  /** Items that may or may not have been written. */
  readonly uncertain: readonly number[];
  /** Items that were not written, because nothing was sent for them or the service refused. */
  readonly notDone: readonly number[];
}

/** Item indexes in words: `0, 2 to 5`. */
function ranges(items: readonly number[]): string {
  const spans: Array<[number, number]> = [];
  for (const item of [...items].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === item - 1) last[1] = item;
    else spans.push([item, item]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

const named = (record: IDataObject): string =>
  typeof record.id === 'number' || typeof record.id === 'string'
    ? `ID ${record.id}`
    : 'without an ID';

/** What has been done and what has not, in sentences for the description of an error. */
export function describeProgress(
  did: Write['did'],
  { done, uncertain, notDone }: Progress,
): string {
  const parts = [
    done.length === 0
      ? ''
      : `${did[0]!.toUpperCase()}${did.slice(1)}: ${done.map(({ item, record }) => `item ${item} (${named(record)})`).join(', ')}.`,
    uncertain.length === 0 ? '' : `May or may not have been ${did}: item ${ranges(uncertain)}.`,
    notDone.length === 0 ? '' : `Not ${did}: item ${ranges(notDone)}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}
