import type { IDataObject } from 'n8n-workflow';

/** A part of a list that has no gap: one page, or several that share records. */
export interface Stretch {
  /** In the order of the list, none twice. */
  readonly records: IDataObject[];
  readonly byId: Map<unknown, IDataObject>;
  /** The offsets of its first record and behind its last one. */
  readonly offset: number;
  readonly end: number;
  /** The number of the last response that added to it. */
  readonly response: number;
  /** Whether it has the first of the records that are wanted. */
  readonly isStart: boolean;
  /** Whether it has the last record of the list. */
  readonly isEnd: boolean;
}

/**
 * The ID to compare a record by. A number beyond 2^53 is none: JavaScript rounds it, so two of them may
 * look the same.
 */
export const idOf = ({ id }: IDataObject): unknown =>
  Number.isSafeInteger(id) || (typeof id === 'string' && id !== '') ? id : undefined;

/** Makes a stretch of one page. A record that is on the page twice comes once. */
export function stretchOf(page: Omit<Stretch, 'byId' | 'end'>): Stretch {
  const byId = new Map(page.records.map((record) => [idOf(record), record] as const).reverse());
  byId.delete(undefined);
  const records = page.records.filter((record) => (byId.get(idOf(record)) ?? record) === record);
  return { ...page, records, byId, end: page.offset + page.records.length };
}

/** Puts the records of one stretch where they belong in another that shares some of them. */
function merge(from: Stretch, into: Stretch): Stretch {
  const { records, byId } = into;
  const inPlace = (record: IDataObject) => byId.get(idOf(record));
  let at = records.lastIndexOf(from.records.map(inPlace).find((record) => record !== undefined)!);
  for (const [index, record] of from.records.entries()) {
    const id = idOf(record);
    const same = inPlace(record);
    const offset = from.offset + index;
    if (same !== undefined) at = Math.max(at, records.indexOf(same, at) + 1);
    else if (id !== undefined || offset < into.offset || offset >= into.end) {
      records.splice(at++, 0, record);
      if (id !== undefined) byId.set(id, record);
    }
  }
  return {
    records,
    byId,
    offset: Math.min(from.offset, into.offset),
    end: Math.max(from.end, into.end),
    response: Math.max(from.response, into.response),
    isStart: from.isStart || into.isStart,
    isEnd: from.isEnd || into.isEnd,
  };
}

/**
 * Adds a page to what has been read of a list: it becomes one with all stretches that share a record
 * with it.
 *
 * Nothing is missing between two stretches that share a record, whatever was added or removed between
 * the requests, as long as records keep their order.
 *
 * @param stretches no two share a record; those that are joined are changed: don't use them again
 * @returns all stretches, by offset
 */
export function join(stretches: readonly Stretch[], page: Stretch): Stretch[] {
  const ids = [...page.byId.keys()];
  const apart: Stretch[] = [];
  let joined = page;
  for (const stretch of stretches) {
    const [less, more] =
      stretch.records.length < joined.records.length ? [stretch, joined] : [joined, stretch];
    if (ids.some((id) => stretch.byId.has(id))) joined = merge(less, more);
    else apart.push(stretch);
  }
  return [...apart, joined].sort((a, b) => a.offset - b.offset || a.response - b.response);
}

/** Whether all records have an ID to compare them by. */
export const haveIds = (stretches: readonly Stretch[]): boolean =>
  stretches.every(({ byId, records }) => byId.size === records.length);

/** All records that were read, each once. Records without an ID are told apart by their offset. */
export function recordsOf(stretches: readonly Stretch[]): IDataObject[] {
  let reached = 0;
  return stretches.flatMap(({ records, offset, end }) => {
    const read = reached - offset;
    reached = Math.max(reached, end);
    return records.filter((record, index) => idOf(record) !== undefined || index >= read);
  });
}
