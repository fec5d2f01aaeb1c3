import type { IDataObject } from 'n8n-workflow';

import type { Page } from './http/body';
import { inParallel } from './inParallel';
import type { Failed, Outcome, Quota } from './outcome';
import type { ListRange } from './requests';

/** How many records to ask for in one request (docs/service.md, "Paging"). */
export const PAGE_SIZE = 100;

/** The most requests of one walk: a service that always has more must not be asked forever. */
const MOST = 2000;

/**
 * How many requests read a list that nobody changes: each page after the first repeats one record.
 */
export const requestsFor = (records: number): number =>
  1 + Math.max(0, Math.ceil((records - PAGE_SIZE) / (PAGE_SIZE - 1)));

/** Gets one page, if it is still wanted when its turn comes; else `undefined`. */
export type FetchPage = (
  offset: number,
  limit: number,
  isWanted: () => boolean,
) => Promise<Outcome<Page> | undefined>;

/** What to read of a list. */
export interface Walk extends Required<ListRange> {
  readonly concurrency: number;
}

interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Of a page that is to close a seam: where that is. */
  readonly closes?: number;
}

interface ReadPage extends Pick<PageRequest, 'offset' | 'closes'> {
  readonly end: number;
  readonly records: readonly IDataObject[];
  /** How many records there are, unless the page itself belies it. */
  readonly total: number | undefined;
  /** The page size that the service used, if that is less than what was asked for. */
  readonly held: number | undefined;
  readonly isEnd: boolean;
}

/** A place where a page shares no record with those before it, which end at `from`. */
interface Seam {
  readonly from: number;
  readonly page: ReadPage;
}

/** The records of pages by offset. */
interface ListSoFar {
  readonly records: IDataObject[];
  readonly ids: Set<unknown>;
  readonly seams: Seam[];
  end: number;
}

const emptyList = (): ListSoFar => ({ records: [], ids: new Set(), seams: [], end: 0 });

/** The ID to compare a record by. A number beyond 2^53 is none: JavaScript rounds it. */
const idOf = ({ id }: IDataObject): unknown =>
  Number.isSafeInteger(id) || (typeof id === 'string' && id !== '') ? id : undefined;

const hasId = (record: IDataObject): boolean => idOf(record) !== undefined;

const nameOf = (record: IDataObject): unknown => idOf(record) ?? JSON.stringify(record);

const sizeOf = ({ held, records }: ReadPage): number => held ?? records.length;

const grownBy = (total: number | undefined, first: ReadPage): number =>
  first.total === undefined || total === undefined ? 0 : total - first.total;

/**
 * Whether the first record of all comes again so far behind that records added before it don't explain it:
 * then the service ignores the offset.
 */
function repeats(offset: number, { records, total }: Page, first?: ReadPage): boolean {
  const [start] = first?.records ?? [];
  if (first === undefined || start === undefined) return false;
  const index = records.findIndex((one) => nameOf(one) === nameOf(start));
  const added = grownBy(total, first);
  return index !== -1 && offset + index - added >= first.offset + sizeOf(first) - 1;
}

function readPage({ offset, limit, closes }: PageRequest, page: Page, first?: ReadPage): ReadPage {
  const { records, total, limit: used } = page;
  const end = offset + records.length;
  const isEmpty = records.length === 0;
  const isKnown = total !== undefined && (isEmpty || total >= end);
  const isShort = records.length < Math.min(limit, used ?? (first ? sizeOf(first) : 0));
  const reachesEnd = isKnown ? total === end : isShort;
  return {
    offset,
    end,
    records,
    total: isKnown ? total : isEmpty ? offset : undefined,
    held: used !== undefined && used < limit ? used : undefined,
    // An empty page behind the end proves nothing.
    isEnd: isEmpty ? first === undefined : reachesEnd && !repeats(offset, page, first),
    ...(closes === undefined ? {} : { closes }),
  };
}

/**
 * Adds the next page by offset. One that shares a record with those before it goes on behind that: when
 * it was read, nothing lay between. One that shares none leaves a seam.
 */
function append(list: ListSoFar, page: ReadPage): ListSoFar {
  const { records, ids, seams } = list;
  const shared = page.records.findLastIndex((one) => ids.has(idOf(one)));
  if (shared === -1 && records.length > 0) seams.push({ from: list.end, page });
  // Records without an ID are told apart by their offset.
  const haveIds = page.records.every((one) => idOf(one) !== undefined);
  for (const one of page.records.slice(
    Math.max(0, haveIds ? shared + 1 : list.end - page.offset),
  )) {
    const id = idOf(one);
    if (ids.has(id)) continue;
    if (id !== undefined) ids.add(id);
    records.push(one);
  }
  list.end = Math.max(list.end, page.end);
  return list;
}

const areCompared = ({ ids, records }: ListSoFar): boolean => ids.size === records.length;

const hasEnd = (pages: readonly ReadPage[]): boolean => pages.some(({ isEnd }) => isEnd);

/** The seams of a list. Where its end was seen, an empty page behind that is none. */
const seamsOf = ({ seams }: ListSoFar, pages: readonly ReadPage[]): Seam[] =>
  seams.filter(({ page }) => page.records.length > 0 || !hasEnd(pages));

/** A page that goes on where pages before a seam end, or else has the seam in its middle. */
function closing({ from, page: { offset, total = Infinity, closes } }: Seam, size: number) {
  if (from < offset) return { offset: from - 1, limit: size, closes: from };
  const middle = Math.min(offset, total) - Math.floor(size / 2);
  return closes === undefined ? { offset: middle, limit: size, closes: offset } : undefined;
}

/** What to read next: once more around each seam, and what lies behind the last page. */
function nextRequests(
  pages: readonly ReadPage[],
  list: ListSoFar,
  { offset: start, limit, pageSize }: Walk,
): PageRequest[] {
  const [first] = pages;
  const last = pages.at(-1);
  if (first === undefined || last === undefined) {
    return [{ offset: start, limit: Math.min(Math.max(2, pageSize), limit) }];
  }
  const size = sizeOf(first);
  const overlap = size > 1 ? 1 : 0;
  const next: PageRequest[] = [];
  const tried = new Set(pages.map(({ closes }) => closes));
  for (const seam of areCompared(list) && overlap === 1 ? seamsOf(list, pages) : []) {
    const again = closing(seam, size);
    if (again === undefined || tried.has(again.closes)) continue;
    next.push({ ...again, offset: Math.max(start, again.offset) });
  }
  const missing = limit - list.records.length;
  const isOver = missing <= 0 || last.records.length === 0 || hasEnd(pages);
  if (isOver || pages.length >= MOST) return next;
  const stop = last.end + missing;
  const to = Math.min(last.total ?? last.end + 1, stop, last.end + MOST * size);
  for (let offset = last.end - overlap; offset + overlap < to; offset += size - overlap) {
    next.push({ offset, limit: Math.min(size, stop - offset) });
  }
  return next;
}

const MOVED =
  'Posts changed while they were read, or the service listed fewer than it says, so some may be missing. Run this again.';
const NOT_COMPARED =
  'The posts of one page could not be compared with those of the next, so some may be missing or listed twice.';

/**
 * Reads a list in pages (docs/service.md, "Paging").
 *
 * The first page tells how many records there are and how many fit into a page. Then all other pages
 * are fetched at the same time. Each begins with the last record of the page before it. Where it
 * doesn't, records were added or removed in between, and that part is read once more. Without a usable
 * total, pages are fetched one after the other.
 * @returns the records in the order of the list, none twice, and the quota of the last response.
 * `complete`: every record that was in the list all the time is proven to be there. If not, a hint says
 * why.
 */
export async function walkPages(fetch: FetchPage, walk: Walk): Promise<Outcome<IDataObject[]>> {
  let pages: ReadPage[] = [];
  let list = emptyList();
  let quota: Quota = {};
  let failure: Failed | undefined;
  let hasNews = true;
  let isRepeated = false;
  while (hasNews && !isRepeated) {
    const next = nextRequests(pages, list, walk);
    if (next.length === 0) break;
    const [first] = pages;
    const count = list.records.length;
    const read: ReadPage[] = [];
    let isWanted = true;
    await inParallel(next, walk.concurrency, async (request) => {
      const page = await fetch(request.offset, request.limit, () => isWanted);
      if (page?.ok === true) {
        ({ quota } = page);
        const { records } = page.value;
        isRepeated ||= repeats(request.offset, page.value, first);
        // Without IDs, it would come twice.
        if (!isRepeated || records.every(hasId)) read.push(readPage(request, page.value, first));
        isWanted &&= records.length > 0 && !isRepeated;
      } else {
        failure ??= page;
        isWanted = false;
      }
      return isWanted;
    });
    if (failure !== undefined) return failure;
    read.sort((one, other) => one.offset - other.offset);
    // Of the pages behind the end, the first says all.
    const end = read.findIndex(({ records }) => records.length === 0);
    const found = end === -1 ? read : read.slice(0, end + 1);
    const isBehind = (found[0]?.offset ?? 0) >= (pages.at(-1)?.offset ?? 0);
    pages = [...pages, ...found].sort((one, other) => one.offset - other.offset);
    list = isBehind ? found.reduce(append, list) : pages.reduce(append, emptyList());
    hasNews =
      first === undefined ||
      list.records.length > count ||
      read.some(({ total }) => grownBy(total, first) > 0);
  }
  const total = pages.findLast((page) => page.total !== undefined)?.total;
  const hasAll =
    (hasEnd(pages) || list.records.length >= walk.limit) && seamsOf(list, pages).length === 0;
  const isCompared = pages.length === 1 || areCompared(list);
  return {
    ok: true,
    value: list.records.slice(0, walk.limit),
    ...(total === undefined ? {} : { total: Math.max(total - walk.offset, list.records.length) }),
    quota,
    ...(hasAll && isCompared
      ? { complete: true }
      : { complete: false, hint: isCompared ? MOVED : NOT_COMPARED }),
  };
}
