import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/body';
import { inParallel } from '../inParallel';
import type { Failed, Outcome, Quota } from '../outcome';
import type { ListRange } from '../requests';
import { hintFor } from './hints';
import { learn, type ListSoFar, NOTHING, type PageRequest } from './listSoFar';
import { MOST, nextRequests } from './nextRequests';
import { haveIds, recordsOf, type Stretch } from './stretches';

/** How many records to ask for in one request (docs/service.md, "Paging"). */
export const PAGE_SIZE = 100;

/**
 * How many requests read a list that nobody changes: each page after the first repeats one record
 * of the page before.
 */
export const requestsFor = (records: number): number =>
  1 + Math.max(0, Math.ceil((records - PAGE_SIZE) / (PAGE_SIZE - 1)));

/**
 * The most requests for a list that grows as fast as it is read, for each page; {@link MOST} come
 * on top.
 */
const MOST_PER_PAGE = 10;

/**
 * Gets one page.
 *
 * @param unwanted aborted when the page is no longer wanted
 * @returns the page; `undefined` when it was no longer wanted before it was asked for
 */
export type FetchPage = (
  offset: number,
  limit: number,
  unwanted: AbortSignal,
) => Promise<Outcome<Page> | undefined>;

/** What to read of a list. */
export interface Walk extends Required<ListRange> {
  /** How many pages to ask for at once. */
  readonly concurrency: number;
}

/** The stretch that has all that is wanted, if one does. */
const wholeOf = ({ stretches, responses }: ListSoFar, { limit }: Walk): Stretch | undefined =>
  responses === 1 || haveIds(stretches)
    ? stretches.find(({ isStart, isEnd, records }) => isStart && (isEnd || records.length >= limit))
    : undefined;

/**
 * Reads a list in pages (docs/service.md, "Paging").
 *
 * The first page tells how many records there are and how many fit into a page. Then all other pages
 * are fetched at the same time. Each begins with the last record of the page before it. Where it
 * doesn't, records were added or removed in between, and that part is read again. Without a usable
 * total, pages are fetched one after the other.
 *
 * @param fetch gets one page
 * @returns the records in the order of the list, none twice, and the quota of the last response.
 * `complete`: every record that was in the list all the time is proven to be there. If not, a hint says
 * why. Records without a usable ID are told apart by their offset; they are complete only where one page
 * has them all.
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
        list = learn(list, walk.offset, request, page.value);
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
    ? { ...listed, complete: false, hint: hintFor(list, walk.offset) }
    : { ...listed, complete: true };
}
