import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../transport/ledger';
import type { Operation } from './operation';

/** Item indexes, in ascending order, in words: `0, 2 to 5`. */
function ranges(items: readonly number[]): string {
  const spans: Array<[number, number]> = [];
  for (const item of items) {
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

/**
 * What a run that was stopped has done by then and what not, in sentences for the description of an
 * error; also what earlier tries of the same run have done.
 *
 * @param did what the operation does, in words; `undefined` when it only reads
 * @param count how many items there are
 * @param written what became of the items for which something may have been written
 */
export function describeProgress(
  did: Operation['did'],
  count: number,
  written: ReadonlyMap<number, Entry>,
): string {
  if (did === undefined) return '';
  const items = Array.from({ length: count }, (_, item) => item);
  const done = items.flatMap((item) => {
    const entry = written.get(item);
    return entry?.state === 'done' ? [`item ${item} (${named(entry.record)})`] : [];
  });
  const uncertain = items.filter((item) => written.get(item)?.state === 'uncertain');
  const notDone = items.filter((item) => !written.has(item));
  return [
    done.length === 0 ? '' : `${did[0]!.toUpperCase()}${did.slice(1)}: ${done.join(', ')}.`,
    uncertain.length === 0 ? '' : `May or may not have been ${did}: item ${ranges(uncertain)}.`,
    notDone.length === 0 ? '' : `Not ${did}: item ${ranges(notDone)}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
