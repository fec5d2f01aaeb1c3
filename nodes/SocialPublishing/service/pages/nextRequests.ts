import type { ListRange } from '../requests';
import type { ListSoFar, PageRequest } from './listSoFar';
import type { Stretch } from './stretches';

/** The most requests in one round. */
export const MOST = 1000;

/** The most requests that read a part of the list again: a fixed number, and some for each page. */
const AGAIN = 10;
const AGAIN_PER_PAGE = 0.5;

/**
 * What to read next: what was not read yet, and again where two stretches meet without a shared record,
 * since records were added or removed in between.
 */
export function nextRequests(list: ListSoFar, range: Required<ListRange>): PageRequest[] {
  const last = list.stretches.at(-1);
  if (last === undefined) {
    return [[range.offset, Math.min(Math.max(2, range.pageSize), range.limit)]];
  }
  const count = countOf(list.stretches, last.end - range.offset);
  const gaps = betweenStretches(list, range);
  const rest = behind(last, list, range, range.limit - count);
  const left = AGAIN + ((1 + AGAIN_PER_PAGE) * count) / list.size - list.responses;
  return [
    ...[...gaps.again, ...rest.again].slice(0, Math.max(0, left)),
    ...gaps.unread,
    ...rest.unread,
  ];
}

/** Requests for what was not read yet, and for what must be read again. */
interface Requests {
  readonly unread: PageRequest[];
  readonly again: PageRequest[];
}

/** How many records were read. Where records have no ID, the stretches overlap: the offsets tell. */
const countOf = (stretches: readonly Stretch[], most: number): number =>
  Math.min(
    stretches.reduce((count, { records }) => count + records.length, 0),
    most,
  );

function betweenStretches({ stretches, size }: ListSoFar, range: Required<ListRange>): Requests {
  const requests: Requests = { unread: [], again: [] };
  for (const [index, after] of stretches.slice(1).entries()) {
    const before = stretches[index]!;
    if (before.end < after.offset) {
      const from = before.end - overlapOf(stretches);
      requests.unread.push(...requestsTo(from, after.offset + 1, size));
    } else if (before.byId.size * after.byId.size > 1) {
      const seam = before.response > after.response ? before.end : after.offset;
      requests.again.push(around(seam, size, range));
    }
  }
  return requests;
}

/** What comes after the last stretch, if records are missing and none has the end of the list. */
function behind(
  { end }: Stretch,
  { stretches, size, total, emptyAt }: ListSoFar,
  range: Required<ListRange>,
  missing: number,
): Requests {
  if (missing <= 0 || stretches.some(({ isEnd }) => isEnd)) return { unread: [], again: [] };
  const to = total !== undefined && emptyAt < end - 1 ? total : end;
  if (to < end) return { unread: [], again: [around(to, size, range)] };
  const from = end - overlapOf(stretches);
  const unread = requestsTo(from, Math.min(to, end + missing), size, end + missing);
  return { unread, again: [] };
}

/** By how many records pages overlap: none where all pages have one record only. */
const overlapOf = (stretches: readonly Stretch[]): number =>
  stretches.some(({ records }) => records.length > 1) ? 1 : 0;

/** A request for a page with `at` in its middle. */
const around = (at: number, size: number, { offset }: Required<ListRange>): PageRequest => [
  Math.max(offset, at - Math.floor(size / 2)),
  size,
];

/** Requests for pages that overlap by one record, up to the offset `to`, and never beyond `stop`. */
function requestsTo(from: number, to: number, size: number, stop = Infinity): PageRequest[] {
  const count = Math.max(1, Math.ceil((to - from - 1) / (size - 1)));
  return Array.from({ length: Math.min(count, MOST) }, (_, index) => {
    const offset = from + index * (size - 1);
    return [offset, Math.min(size, stop - offset)];
  });
}
