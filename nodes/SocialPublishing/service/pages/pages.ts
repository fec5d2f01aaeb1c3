import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/body';
import { inParallel } from '../inParallel';
import type { Failed, Outcome, Quota } from '../outcome';
import { idOf, join, recordsOf, type Stretch, stretchOf } from './stretches';

/** How many records to ask for in one request (docs/service.md, "Paging"). */
export const PAGE_SIZE = 100;

/** How many requests read a list that nobody changes: each page but the first begins with a record of the one before it. */
export const requestsFor = (records: number): number =>
  1 + Math.max(0, Math.ceil((records - PAGE_SIZE) / (PAGE_SIZE - 1)));

/** The most requests that read a part of the list again: a fixed number, and some for each page. */
const AGAIN = 10;
const AGAIN_PER_PAGE = 0.5;

/** The most requests for a list that grows as fast as it is read: a number, and some for each page. */
const MOST = 1000;
const MOST_PER_PAGE = 10;

const MOVED =
  'Posts were added or removed while the list was read, and some may be missing. Run this again when fewer of them change.';
const REPEATED =
  'The service sent the same posts again instead of the next ones, so some may be missing.';
const NOT_COMPARED =
  'The posts of one page could not be compared with those of the next, so some may be missing or listed twice.';
const lacking = (total: number, count: number): string =>
  `The service says that there are ${total} posts, but it listed ${count}. Some may be missing: run this again.`;

/**
 * Gets one page.
 *
 * @param unwanted aborted when the page is not wanted any more
 * @returns the page; `undefined` when it was not asked for because it was not wanted any more
 */
export type FetchPage = (
  offset: number,
  limit: number,
  unwanted: AbortSignal,
) => Promise<Outcome<Page> | undefined>;

/** What to read of a list. */
export interface Walk {
  readonly offset: number;
  /** How many records to return at most; `Infinity` for all. */
  readonly limit: number;
  readonly pageSize: number;
  readonly concurrency: number;
}

/** What one request asks for. */
type PageRequest = readonly [offset: number, limit: number];

/** What the responses have told of the list. */
interface ListSoFar {
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

const NOTHING: ListSoFar = {
  responses: 0,
  first: undefined,
  stretches: [],
  size: 2,
  total: undefined,
  emptyAt: -1,
  repeats: false,
};

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

/** The list after one more response. */
function learn(list: ListSoFar, walk: Walk, [offset, asked]: PageRequest, page: Page): ListSoFar {
  const { records, limit } = page;
  const isEmpty = records.length === 0;
  const end = offset + records.length;
  const named = page.total ?? (isEmpty ? end : list.total);
  const total = isEmpty || (named !== undefined && named >= end) ? named : undefined;
  const full = Math.min(asked, limit ?? (list.first === undefined ? 0 : list.size));
  const isEnd = total === undefined ? records.length < full : total <= end;
  const isStart = offset === walk.offset;
  const response = list.responses + 1;
  const stretch = stretchOf({ records, offset, response, isStart, isEnd });
  const repeats = list.repeats || repeatsFirst(list, offset - walk.offset, page);
  const isOfUse = !repeats && (!isEmpty || (isStart && isEnd));
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

/** Requests for pages that overlap by one record, up to the offset `to`, and never beyond `stop`. */
function requestsTo(from: number, to: number, size: number, stop = Infinity): PageRequest[] {
  const count = Math.max(1, Math.ceil((to - from - 1) / (size - 1)));
  return Array.from({ length: Math.min(count, MOST) }, (_, index) => {
    const offset = from + index * (size - 1);
    return [offset, Math.min(size, stop - offset)];
  });
}

/** What to read next: again where two stretches meet without a shared record, and what wasn't read yet. */
function nextRequests(
  { responses, stretches, size, total, emptyAt }: ListSoFar,
  walk: Walk,
): PageRequest[] {
  const last = stretches.at(-1);
  if (last === undefined) return [[walk.offset, Math.min(Math.max(2, walk.pageSize), walk.limit)]];
  // Where records have no ID, the stretches overlap.
  const sum = stretches.reduce((count, { records }) => count + records.length, 0);
  const count = Math.min(sum, last.end - walk.offset);
  const missing = walk.limit - count;
  const overlap = stretches.some(({ records }) => records.length > 1) ? 1 : 0;
  const around = (at: number): PageRequest => [
    Math.max(walk.offset, at - Math.floor(size / 2)),
    size,
  ];

  const unread: PageRequest[] = [];
  const again: PageRequest[] = [];
  for (const [index, after] of stretches.slice(1).entries()) {
    const before = stretches[index]!;
    if (before.end < after.offset) {
      unread.push(...requestsTo(before.end - overlap, after.offset + 1, size));
    } else if (before.byId.size * after.byId.size > 1) {
      again.push(around(before.response > after.response ? before.end : after.offset));
    }
  }
  if (missing > 0 && !stretches.some(({ isEnd }) => isEnd)) {
    const { end } = last;
    const to = total !== undefined && emptyAt < end - 1 ? total : end;
    if (to < end) again.push(around(to));
    else
      unread.push(...requestsTo(end - overlap, Math.min(to, end + missing), size, end + missing));
  }
  const left = AGAIN + ((1 + AGAIN_PER_PAGE) * count) / size - responses;
  return [...again.slice(0, Math.max(0, left)), ...unread];
}

const haveIds = (stretches: readonly Stretch[]): boolean =>
  stretches.every(({ byId, records }) => byId.size === records.length);

/** The stretch that has all that is wanted, if one does. */
const wholeOf = ({ stretches, responses }: ListSoFar, { limit }: Walk): Stretch | undefined =>
  responses === 1 || haveIds(stretches)
    ? stretches.find(({ isStart, isEnd, records }) => isStart && (isEnd || records.length >= limit))
    : undefined;

function hintFor({ stretches, first, total = 0, repeats }: ListSoFar, walk: Walk): string {
  if (repeats) return REPEATED;
  const listed = walk.offset + recordsOf(stretches).length;
  if (total === first?.total && listed < total) return lacking(total, listed);
  const areCompared = haveIds(stretches) && stretches.some(({ records }) => records.length > 1);
  return areCompared ? MOVED : NOT_COMPARED;
}

/**
 * Reads a list in pages (docs/service.md, "Paging").
 *
 * The first page tells how many records there are and how many fit into a page; then all others are
 * fetched at the same time. Each begins with the last record of the one before it. Where it doesn't,
 * records were added or removed in between, and that part is read again. Without a usable total,
 * pages are fetched one after the other.
 *
 * @param fetch gets one page
 * @returns the records in the order of the list, none twice, and the quota of the last response.
 * `complete` says whether every record that was in the list all the time is proven to be there; if
 * not, a hint says why. Records without a usable ID go by their offset, and are proven only where one
 * page has them all.
 */
export async function walkPages(fetch: FetchPage, walk: Walk): Promise<Outcome<IDataObject[]>> {
  let list = NOTHING;
  let quota: Quota = {};
  let failure: Failed | undefined;
  let whole: Stretch | undefined;
  let next = nextRequests(list, walk);
  let asked: PageRequest[];
  do {
    const unwanted = new AbortController();
    await inParallel(next, walk.concurrency, async (request) => {
      const page = await fetch(...request, unwanted.signal);
      if (page?.ok === true) {
        list = learn(list, walk, request, page.value);
        ({ quota } = page);
      } else failure ??= page;
      const goesOn = page?.ok === true && page.value.records.length > 0 && !list.repeats;
      if (!goesOn) unwanted.abort();
      return goesOn;
    });
    if (failure !== undefined) return failure;
    whole = wholeOf(list, walk);
    asked = next;
    next = nextRequests(list, walk);
  } while (
    whole === undefined &&
    !list.repeats &&
    JSON.stringify(next) !== JSON.stringify(asked) &&
    list.responses <= MOST + (MOST_PER_PAGE * (list.first?.total ?? 0)) / list.size
  );
  const records = whole?.records ?? recordsOf(list.stretches);
  const total =
    list.total === undefined ? {} : { total: Math.max(list.total - walk.offset, records.length) };
  const listed = { ok: true, value: records.slice(0, walk.limit), ...total, quota } as const;
  return whole === undefined
    ? { ...listed, complete: false, hint: hintFor(list, walk) }
    : { ...listed, complete: true };
}
