import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../service/http/body';
import type { Failure, Outcome, Quota } from '../service/outcome';

export type FetchPage = (offset: number, limit: number) => Promise<Outcome<Page>>;

const PAGE_SIZE = 100;

/** How many pages one walk requests at most. */
export const MAX_PAGES = 30;

/**
 * A walk through a list whose order is not documented, for records that are likely to be among the
 * latest: the first page and the last one, then the pages between them from the end whose records are
 * newer. It ends as soon as nothing more is looked for.
 */
export class EndsFirstWalk {
  private readonly found = new Map<unknown, IDataObject>();

  private total: number | undefined;

  private requested = 0;

  /** Whether all records of the list were seen. */
  complete = false;

  /** The quota of the last response. */
  quota: Quota = {};

  /** Why the walk broke off. */
  failure: Failure | undefined;

  constructor(private readonly fetch: FetchPage) {}

  /** The records that were seen, each once. */
  get records(): IDataObject[] {
    return [...this.found.values()];
  }

  /** @param isOpen whether something is still looked for */
  async run(isOpen: () => boolean): Promise<void> {
    const first = await this.page(0, PAGE_SIZE);
    if (first === undefined) return;
    const size = Math.max(1, Math.min(PAGE_SIZE, first.limit ?? PAGE_SIZE));
    if (this.total === undefined) await this.forward(first.records.length, size, isOpen);
    else await this.fromBothEnds(first.records, size, isOpen);
  }

  private async fromBothEnds(
    first: readonly IDataObject[],
    size: number,
    isOpen: () => boolean,
  ): Promise<void> {
    const total = this.total ?? 0;
    const offsets: number[] = [];
    for (let offset = first.length; first.length > 0 && offset < total; offset += size) {
      offsets.push(offset);
    }
    const last = offsets.pop();
    let end = { offset: 0, length: first.length };
    if (last !== undefined) {
      if (!isOpen()) return;
      const page = await this.page(last, size);
      if (page === undefined) return;
      end = { offset: last, length: page.records.length };
      if (newest(page.records) > newest(first)) offsets.reverse();
    }
    for (const offset of offsets) {
      if (!isOpen() || (await this.page(offset, size)) === undefined) return;
    }
    if (this.found.size < (this.total ?? 0)) return;
    // A total may be too low, which a last page that is not full rules out.
    if (end.length >= size) await this.forward(end.offset + end.length, size, isOpen);
    else this.complete = true;
  }

  /** Page by page until one is empty, where the service does not say how many records there are. */
  private async forward(from: number, size: number, isOpen: () => boolean): Promise<void> {
    let offset = from;
    for (let got = from; got > 0; offset += got) {
      if (!isOpen()) return;
      const before = this.found.size;
      const page = await this.page(offset, size);
      if (page === undefined) return;
      got = page.records.length;
      // A service that ignores the offset sends the same page for ever.
      if (got > 0 && this.found.size === before) return;
    }
    this.complete = true;
  }

  private async page(offset: number, limit: number): Promise<Page | undefined> {
    if (this.requested === MAX_PAGES) return undefined;
    this.requested++;
    const outcome = await this.fetch(offset, limit);
    if (!outcome.ok) {
      this.failure = outcome.failure;
      return undefined;
    }
    this.quota = outcome.quota;
    const { records, total } = outcome.value;
    if (total !== undefined) this.total = Math.max(this.total ?? 0, total);
    for (const record of records) this.found.set(record.id ?? JSON.stringify(record), record);
    return outcome.value;
  }
}

const newest = (records: readonly IDataObject[]): number =>
  records.reduce((latest, { createdAt }) => {
    const time = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
    return time > latest ? time : latest;
  }, -Infinity);
