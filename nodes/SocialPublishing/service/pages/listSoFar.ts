import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/body';
import { idOf, join, type Stretch, stretchOf } from './stretches';

/** What one request asks for. */
export type PageRequest = readonly [offset: number, limit: number];

/** What the responses have told of a list. */
export interface ListSoFar {
  readonly responses: number;
  readonly first: Page | undefined;
  /** By offset; no two of them share a record. */
  readonly stretches: readonly Stretch[];
  /** How many records fit into one page; at least 2, as pages overlap by one. */
  readonly size: number;
  /** How many records there are, by the last response, unless its page contradicts it. */
  readonly total: number | undefined;
  /** The offset of a page that was empty although the total says that there is more. */
  readonly emptyAt: number;
  /** Whether the service ignores the offset. */
  readonly repeats: boolean;
}

/** A list of which nothing was read. */
export const NOTHING: ListSoFar = {
  responses: 0,
  first: undefined,
  stretches: [],
  size: 2,
  total: undefined,
  emptyAt: -1,
  repeats: false,
};

/**
 * The list after one more response.
 *
 * @param start the offset of the first record that is wanted
 * @param request what was asked for
 */
export function learn(
  list: ListSoFar,
  start: number,
  [offset, asked]: PageRequest,
  page: Page,
): ListSoFar {
  const { records, limit } = page;
  const isEmpty = records.length === 0;
  const total = totalAfter(list, offset, page);
  const isEnd = isLastPage(list, offset, asked, page, total);
  const isStart = offset === start;
  const response = list.responses + 1;
  const repeats = list.repeats || repeatsFirst(list, offset - start, page);
  const isOfUse = !repeats && (!isEmpty || (isStart && isEnd));
  const stretch = stretchOf({ records, offset, response, isStart, isEnd });
  return {
    responses: response,
    first: list.first ?? page,
    stretches: isOfUse ? join(list.stretches, stretch) : list.stretches,
    size: Math.max(list.size, records.length, limit !== undefined && limit < asked ? limit : 0),
    total,
    emptyAt: isEmpty && !isEnd ? offset : list.emptyAt,
    repeats,
  };
}

/** The total that a page names, or else the one before; none where the page has records beyond it. */
function totalAfter(list: ListSoFar, offset: number, { records, total }: Page): number | undefined {
  const end = offset + records.length;
  if (records.length === 0) return total ?? end;
  const named = total ?? list.total;
  return named !== undefined && named >= end ? named : undefined;
}

/** Whether the list ends with this page: by the total, or else because the page is not full. */
function isLastPage(
  list: ListSoFar,
  offset: number,
  asked: number,
  { records, limit }: Page,
  total: number | undefined,
): boolean {
  if (total !== undefined) return total <= offset + records.length;
  const fits = limit ?? (list.first === undefined ? 0 : list.size);
  return records.length < Math.min(asked, fits);
}

const isSame = (one: IDataObject, other: IDataObject): boolean =>
  idOf(one) === undefined
    ? JSON.stringify(one) === JSON.stringify(other)
    : idOf(one) === idOf(other);

/**
 * Whether the first record of all comes again `skipped` records later, although the total hasn't
 * grown by as much: then the service ignores the offset.
 */
function repeatsFirst({ first, size }: ListSoFar, skipped: number, { records, total = 0 }: Page) {
  const firstRecord = first?.records[0];
  const index = records.findIndex((record) => firstRecord && isSame(record, firstRecord));
  return index !== -1 && skipped + index - (total - (first?.total ?? total)) >= size - 1;
}
