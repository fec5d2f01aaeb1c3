import type { IDataObject } from 'n8n-workflow';

import { inParallel } from './bounded';
import type { Page } from './http/body';
import type { Failed, Outcome, Quota } from './outcome';

export type FetchPage = (offset: number, limit: number) => Promise<Outcome<Page>>;

export interface Walk {
  readonly offset: number;
  /** How many records to return at most; `Infinity` for all. */
  readonly take: number;
  readonly pageSize: number;
  readonly concurrency: number;
}

/** What a record is recognised by. */
const keyOf = (record: IDataObject): unknown => record.id ?? JSON.stringify(record);

/** The records in the order of their offsets, each `id` once, however the pages arrive. */
class Collected {
  private readonly pages = new Map<number, IDataObject[]>();

  private readonly ids = new Set<unknown>();

  count = 0;

  add(offset: number, records: IDataObject[]): void {
    const fresh = records.filter(({ id }) => {
      const known = this.ids.has(id);
      if (id !== undefined && id !== null) this.ids.add(id);
      return !known;
    });
    this.pages.set(offset, fresh);
    this.count += fresh.length;
  }

  inOrder(): IDataObject[] {
    return [...this.pages.keys()]
      .sort((a, b) => a - b)
      .flatMap((offset) => this.pages.get(offset)!);
  }
}

/** One walk: what is known of the list, and what is still to be fetched. */
class PageWalk {
  private readonly collected = new Collected();

  private quota: Quota = {};

  private failure: Failed | undefined;

  /** The highest total that the service named. */
  private total: number | undefined;

  /** The page size that holds. */
  private size: number;

  /** The first offset that is not covered yet. */
  private next: number;

  /** The key of the first record of all. */
  private firstKey: unknown;

  /** How many later pages began with the first record of all. */
  private repeats = 0;

  /** Whether the page with the highest offset was as long as the service makes them. */
  private lastPageFull = true;

  private exhausted = false;

  constructor(
    private readonly fetch: FetchPage,
    private readonly walk: Walk,
  ) {
    this.size = walk.pageSize;
    this.next = walk.offset;
  }

  async run(): Promise<Outcome<IDataObject[]>> {
    let before: number;
    do {
      before = this.collected.count;
      await inParallel(
        this.spans(),
        this.walk.concurrency,
        async ([offset, limit]) => await this.fetchSpan(offset, limit),
      );
    } while (this.failure === undefined && this.collected.count > before && this.goesOn());
    if (this.failure !== undefined) return this.failure;
    return {
      ok: true,
      value: this.collected.inOrder().slice(0, this.walk.take),
      quota: this.quota,
    };
  }

  private get missing(): number {
    return this.walk.take - this.collected.count;
  }

  /** Whether the named total can be true, given what has been seen. */
  private get totalHolds(): boolean {
    return this.total !== undefined && this.total >= this.next;
  }

  private goesOn(): boolean {
    if (this.exhausted || this.missing <= 0) return false;
    return this.totalHolds ? this.total! > this.next : this.lastPageFull;
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

  /** Fetches `limit` records from `offset` on, in further requests where the service caps lower. */
  private async fetchSpan(offset: number, limit: number): Promise<boolean> {
    const isFirst = this.firstKey === undefined;
    let at = offset;
    while (at < offset + limit && this.failure === undefined) {
      const asked = offset + limit - at;
      const page = await this.fetch(at, asked);
      if (!page.ok) {
        this.failure ??= page;
        return false;
      }
      const { records, limit: cap, total } = page.value;
      this.quota = page.quota;
      if (total !== undefined) this.total = Math.max(this.total ?? 0, total);
      if (this.endsWith(records)) {
        this.exhausted = true;
        return false;
      }
      this.collected.add(at, records);
      at += records.length;
      const cut = this.isCut(at, records.length, asked, cap, isFirst);
      if (at > this.next) {
        this.next = at;
        this.lastPageFull = records.length >= asked || cut;
      }
      if (isFirst) this.size = this.sizeAfterFirst(records.length, asked, cap, cut);
      if (isFirst || !cut) break;
    }
    return this.missing > 0;
  }

  /**
   * Whether there is nothing after a page that holds these records. One page that begins with the
   * first record may come of posts that were added during the walk; two mean that the service
   * answers every offset with its first page.
   */
  private endsWith(records: IDataObject[]): boolean {
    const [first] = records;
    if (first === undefined) return true;
    const key = keyOf(first);
    if (this.firstKey === undefined) this.firstKey = key;
    else if (this.firstKey === key) this.repeats++;
    return this.repeats > 1;
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
    return cap === undefined ? isFirst : cap < asked && received >= cap;
  }

  private sizeAfterFirst(
    received: number,
    asked: number,
    cap: number | undefined,
    cut: boolean,
  ): number {
    if (!cut) return Math.max(this.size, received);
    return cap !== undefined && cap < asked ? Math.max(cap, received) : received;
  }
}

/**
 * Walks through a paged list (docs/service.md, "Paging").
 *
 * The first page tells the page size that holds and the total; the pages after it are fetched at the
 * same time, `concurrency` of them. A total that is missing or contradicted by the pages is not
 * relied on: then pages are fetched one after the other, up to one that is not full; without a page
 * size either, the length of the first page stands for it. An empty page ends the walk, and so does
 * a service that answers every offset with its first page.
 *
 * @param fetch gets one page
 * @returns the records in the order of the list, none twice, with the quota of the last answer
 */
export const walkPages = async (fetch: FetchPage, walk: Walk): Promise<Outcome<IDataObject[]>> =>
  await new PageWalk(fetch, walk).run();
