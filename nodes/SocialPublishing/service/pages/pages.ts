import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../http/body';
import { inParallel } from '../inParallel';
import type { Failed, Outcome, Quota } from '../outcome';
import { Mending } from './mending';
import { keyOf, type PageRead, PageReads } from './pageReads';

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

export interface Walk {
  readonly offset: number;
  /** How many records to return at most; `Infinity` for all. */
  readonly limit: number;
  readonly pageSize: number;
  readonly concurrency: number;
}

const MOVED =
  'Posts were added or removed while the list was read, and some may be missing. Run this again when fewer of them change.';

const lacking = (total: number, count: number): string =>
  `The service says that there are ${total} posts, but it listed ${count}. Some may be missing: run this again.`;

/** How much a page counts that begins like the first one while the total is the same. */
const SURE_REPEAT = 4;

/** How many empty pages in a row are the end of the list, whatever the total says. */
const EMPTY_PAGES = 3;

/** How many requests a walk may take when the list grows as fast as it is read: so many pages, and so many times the pages it had. */
const MOST_PAGES = 1000;
const MOST_TIMES = 10;

/** One walk: what is known of the list, and what is still to be fetched. */
class PageWalk {
  private readonly reads = new PageReads();

  private unwanted = new AbortController();

  private quota: Quota = {};

  private failure: Failed | undefined;

  /** The highest total that the service named. */
  private total: number | undefined;

  private firstTotal: number | undefined;

  /** The page size that holds. */
  private size: number;

  /** The first offset that is not covered yet. */
  private next: number;

  /** The key of the first record of all. */
  private firstKey: unknown;

  /** How much speaks for a service that answers every offset with its first page. */
  private repeats = 0;

  /** Whether the page with the highest offset was as long as the service makes them. */
  private lastPageFull = true;

  private exhausted = false;

  /** The offsets of empty pages for which the total said that there is more. */
  private readonly empty = new Set<number>();

  private requests = 0;

  private events = 0;

  constructor(
    private readonly fetch: FetchPage,
    private readonly walk: Walk,
  ) {
    this.size = walk.pageSize;
    this.next = walk.offset;
  }

  async run(): Promise<Outcome<IDataObject[]>> {
    let hasProgressed: boolean;
    do {
      const { count } = this.reads;
      await inParallel(
        this.spans(),
        this.walk.concurrency,
        async ([offset, limit]) => await this.fetchSpan(offset, limit),
      );
      if (this.emptyAtEnd > 0) this.exhausted = true;
      hasProgressed = this.reads.count > count || this.reads.hasMoved;
    } while (this.failure === undefined && hasProgressed && this.goesOn());
    await this.mend();
    if (this.failure !== undefined) return this.failure;
    const { hint } = this;
    return {
      ok: true,
      value: this.reads.inOrder().slice(0, this.walk.limit),
      quota: this.quota,
      ...(hint === undefined ? {} : { hint }),
    };
  }

  private get missing(): number {
    return this.walk.limit - this.reads.count;
  }

  /** Whether the named total can be true, given what has been seen. */
  private get totalHolds(): boolean {
    return this.total !== undefined && this.total >= this.next;
  }

  /** How many empty pages there are behind the last record. */
  private get emptyAtEnd(): number {
    return [...this.empty].filter((offset) => offset >= this.next).length;
  }

  private get hint(): string | undefined {
    const { reads, walk } = this;
    const hasGaps = reads.gaps(this.missing > 0).length > 0 && !reads.isWhole(walk.offset);
    if ((hasGaps && reads.hasMoved) || this.growsOn) return MOVED;
    const total = reads.latest?.total ?? 0;
    const listed = walk.offset + reads.count;
    const isShort = hasGaps || (this.emptyAtEnd > 0 && this.missing > 0);
    return isShort && listed < total ? lacking(total, listed) : undefined;
  }

  private goesOn(): boolean {
    if (this.exhausted || this.missing <= 0 || this.growsOn) return false;
    return this.totalHolds ? this.total! > this.next : this.lastPageFull;
  }

  /** Whether the list has grown so far beyond its first total that no end is in sight. */
  private get growsOn(): boolean {
    const firstPages = Math.ceil((this.firstTotal ?? 0) / this.size);
    return this.requests > MOST_PAGES + MOST_TIMES * firstPages;
  }

  private stop(): false {
    this.unwanted.abort();
    return false;
  }

  /**
   * What to fetch next as `[offset, limit]`: with a total that holds, everything up to it; without,
   * one page, as there may be none after it.
   */
  private *spans(): Generator<[number, number]> {
    const start = this.next;
    const stop = start + this.missing;
    const end = this.totalHolds ? Math.min(this.total!, stop) : start + 1;
    for (let offset = start; offset < end; offset += this.size) {
      yield [offset, Math.min(this.size, stop - offset)];
    }
  }

  /** Gets one page and takes note of it; `undefined` when there is none. */
  private async read(
    offset: number,
    limit: number,
    keep: (read: PageRead) => void,
  ): Promise<Page | undefined> {
    const asked = ++this.events;
    this.requests++;
    const page = await this.fetch(offset, limit, this.unwanted.signal);
    if (page === undefined) {
      this.requests--;
      return undefined;
    }
    if (!page.ok) {
      this.failure ??= page;
      this.stop();
      return undefined;
    }
    const { records, total } = page.value;
    this.quota = page.quota;
    if (total !== undefined) {
      this.total = Math.max(this.total ?? 0, total);
      this.firstTotal ??= total;
    }
    keep({ offset, records, total, asked, came: ++this.events });
    return page.value;
  }

  /** Fetches `limit` records from `offset` on, in further requests where the service caps lower. */
  private async fetchSpan(offset: number, limit: number): Promise<boolean> {
    const isFirst = this.firstKey === undefined;
    let at = offset;
    while (at < offset + limit && this.failure === undefined) {
      const asked = offset + limit - at;
      const page = await this.read(at, asked, (read) => {
        if (!this.repeatsFirst(read)) this.reads.add(read);
      });
      if (page === undefined) return false;
      const { records, limit: cap, total } = page;
      if (this.isDeafToOffset) {
        this.exhausted = true;
        return this.stop();
      }
      if (records.length === 0) return this.goesOnAfterEmpty(at, total);
      at += records.length;
      const cut = this.isCut(at, records.length, asked, cap, isFirst);
      if (at > this.next) {
        this.next = at;
        this.lastPageFull = records.length >= asked || cut;
      }
      if (isFirst) this.size = this.sizeAfterFirst(records.length, asked, cap);
      if (isFirst || !cut) break;
    }
    return this.missing > 0 || this.stop();
  }

  /** An empty page is no end as long as the total says that there is more. */
  private goesOnAfterEmpty(at: number, total: number | undefined): boolean {
    if (total !== undefined && total > at) {
      this.empty.add(at);
      if (this.emptyAtEnd < EMPTY_PAGES) return true;
    }
    this.exhausted = true;
    return this.stop();
  }

  /**
   * Whether the service answers every offset with its first page. A later page may begin with the
   * first record of all because posts were added before it, which shows in the total.
   */
  private repeatsFirst({ records, total }: PageRead): boolean {
    const [first] = records;
    if (first === undefined) return false;
    const key = keyOf(first);
    if (this.firstKey === undefined) this.firstKey = key;
    else if (this.firstKey === key) this.repeats += total === this.firstTotal ? SURE_REPEAT : 1;
    return this.isDeafToOffset;
  }

  private get isDeafToOffset(): boolean {
    return this.repeats > SURE_REPEAT;
  }

  /** Whether a page that ended before `at` is shorter than asked although the list may go on. */
  private isCut(
    at: number,
    received: number,
    asked: number,
    cap: number | undefined,
    isFirst: boolean,
  ): boolean {
    if (received >= asked) return false;
    if (this.total !== undefined && this.total >= at) return this.total > at;
    return cap === undefined ? isFirst : received >= cap;
  }

  private sizeAfterFirst(received: number, asked: number, cap: number | undefined): number {
    return cap !== undefined && cap < asked ? Math.max(cap, received) : received;
  }

  /** Looks again where something may have moved from one page to another between their reads. */
  private async mend(): Promise<void> {
    if (this.failure !== undefined || this.isDeafToOffset) return;
    this.unwanted = new AbortController();
    const { offset, limit, concurrency } = this.walk;
    await new Mending(this.reads, {
      offset,
      limit,
      concurrency,
      pageSize: this.size,
      requests: this.requests,
      read: async (...window) => {
        await this.read(...window);
        return this.failure === undefined;
      },
    }).run();
  }
}

/**
 * Walks through a paged list (docs/service.md, "Paging").
 *
 * The first page tells the page size that holds and the total; the pages after it are fetched at the
 * same time, up to `concurrency` of them. A total that is missing or contradicted by the pages is not
 * relied on: then pages are fetched one after the other, up to one that is not full; without a page
 * size either, the length of the first page stands for it. An empty page ends the walk unless the
 * total says that there is more: then three in a row do. A service that answers every offset with its
 * first page ends it, too.
 *
 * Where totals show that records were added or removed between two pages, a page that covers the end
 * of one and the beginning of the other is read, until no record can be missing or the bound is
 * reached: 8 requests, and one for each two pages. Then a hint says that it is not certain.
 *
 * @param fetch gets one page
 * @returns the records in the order of the list, none twice, with the quota of the last response:
 * every one that was in the list from the first request to the last. Where records are both added and
 * removed meanwhile, the totals may not tell, and some may be missing without a hint.
 */
export const walkPages = async (fetch: FetchPage, walk: Walk): Promise<Outcome<IDataObject[]>> =>
  await new PageWalk(fetch, walk).run();
