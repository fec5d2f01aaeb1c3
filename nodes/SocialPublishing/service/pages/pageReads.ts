import type { IDataObject } from 'n8n-workflow';

/** One page that was read. */
export interface PageRead {
  readonly offset: number;
  readonly records: readonly IDataObject[];
  /** How many records the list had then; `undefined` when the response does not say. */
  readonly total: number | undefined;
  /** When it was asked for and when it came, as numbers that grow. */
  readonly asked: number;
  readonly came: number;
}

/** A place where records may be missing: between two pages that were read. */
export interface Gap {
  readonly before: PageRead;
  readonly after: PageRead;
}

/** How many pages before a page may prove that nothing is missing between. */
const NEIGHBOURS = 6;

/** What a record is recognised by. */
export const keyOf = (record: IDataObject): unknown => record.id ?? JSON.stringify(record);

const hasId = ({ id }: IDataObject): boolean => id !== undefined && id !== null;

const endOf = ({ offset, records }: PageRead): number => offset + records.length;

/** The page that reaches furthest. */
const furthest = (reads: readonly PageRead[]): PageRead =>
  reads.reduce((a, b) => (endOf(b) >= endOf(a) ? b : a));

/**
 * What has been read of a list by offsets, while records may be added to it and removed from it.
 *
 * Records keep their order, so two pages that share a record have none between them. Neither have
 * two that meet at an offset while the total stayed the same. As long as records are only added or
 * only removed, that also holds where the second page has the higher total: what moved was pushed
 * into it. Anywhere else records may be missing, whatever the order of the list is.
 */
export class PageReads {
  private readonly pages: PageRead[] = [];

  private readonly mends: PageRead[] = [];

  private readonly keys = new Map<PageRead, Set<unknown>>();

  private readonly known = new Set<unknown>();

  private readonly totals = new Set<number>();

  private kept = 0;

  /** The page that came last. */
  latest: PageRead | undefined;

  /** Whether records were added, or removed, for certain. */
  private grew = false;

  private shrank = false;

  /** How many different records have been read. Records without an ID are all different. */
  get count(): number {
    return this.kept;
  }

  /** The highest total that a response named. */
  get highestTotal(): number | undefined {
    return this.totals.size === 0 ? undefined : [...this.totals].reduce((a, b) => Math.max(a, b));
  }

  /** Whether the total changed. */
  get hasMoved(): boolean {
    return this.totals.size > 1;
  }

  private get all(): PageRead[] {
    return [...this.pages, ...this.mends];
  }

  /** Adds a page of the walk. */
  add(read: PageRead): void {
    this.learn(read);
    this.pages.push(read);
    for (const record of read.records) {
      if (!hasId(record) || !this.known.has(keyOf(record))) this.kept++;
      this.known.add(keyOf(record));
    }
  }

  /** Adds a page that was read again, to find what is missing between others. */
  mend(read: PageRead): void {
    this.learn(read);
    this.mends.push(read);
    for (const record of read.records) {
      if (!this.known.has(keyOf(record))) this.kept++;
      this.known.add(keyOf(record));
    }
  }

  private learn(read: PageRead): void {
    this.keys.set(read, new Set(read.records.map(keyOf)));
    const { total, asked } = read;
    if (total !== undefined) this.totals.add(total);
    if (total !== undefined && this.totals.size > 1 && !(this.grew && this.shrank)) {
      for (const earlier of this.all) {
        if (earlier.came > asked || earlier.total === undefined) continue;
        this.grew ||= total > earlier.total;
        this.shrank ||= total < earlier.total;
      }
    }
    if (this.latest === undefined || read.came > this.latest.came) this.latest = read;
  }

  /** Whether as many records have been read as there are, counted from an offset. */
  isWhole(offset: number): boolean {
    const total = this.highestTotal;
    return total !== undefined && !this.shrank && this.kept >= total - offset;
  }

  /**
   * The places where records may be missing.
   *
   * @param toTheEnd whether the list was to be read to its end
   */
  gaps(toTheEnd: boolean): Gap[] {
    const reads = this.all
      .filter(({ records }) => records.length > 0)
      .sort((a, b) => a.offset - b.offset || a.asked - b.asked);
    const gaps = reads.flatMap((after, index) => {
      if (index === 0) return [];
      const earlier = reads.slice(Math.max(0, index - NEIGHBOURS), index);
      if (earlier.some((before) => this.meet(before, after))) return [];
      return [{ before: furthest(earlier), after }];
    });
    const last = reads.slice(-NEIGHBOURS);
    const isEndRead = last.some((read) => endOf(read) >= (read.total ?? 0));
    if (!toTheEnd || !this.hasMoved || isEndRead || this.latest === undefined) return gaps;
    const before = furthest(last);
    return [...gaps, { before, after: { ...this.latest, offset: endOf(before), records: [] } }];
  }

  private meet(before: PageRead, after: PageRead): boolean {
    if (endOf(before) >= after.offset) {
      if (before.total === undefined || after.total === undefined) return true;
      if (before.total === after.total) return true;
      if (before.total < after.total && !(this.grew && this.shrank)) return true;
    }
    const keys = this.keys.get(before);
    return after.records.some((record) => keys?.has(keyOf(record)));
  }

  /** The records in the order of the list, none with the same ID twice. */
  inOrder(): IDataObject[] {
    const order = new Order();
    for (const { records } of [...this.pages].sort((a, b) => a.offset - b.offset)) {
      order.append(records);
    }
    for (const { records } of this.mends) order.merge(records);
    return order.records();
  }
}

/** Records in the order that overlapping pieces of a list give. */
class Order {
  private readonly last: IDataObject[] = [];

  private readonly seen = new Set<unknown>();

  /** What comes before and after a record that was seen earlier. */
  private readonly before = new Map<unknown, IDataObject[]>();

  private readonly after = new Map<unknown, IDataObject[]>();

  /** Adds a piece that reaches further than those before. Records without an ID are all new. */
  append(records: readonly IDataObject[]): void {
    const end = records.findLastIndex((record) => this.knows(record)) + 1;
    this.insert(records.slice(0, end));
    this.put(this.last, records.slice(end));
  }

  /** Adds what is new in a piece that was read again. */
  merge(records: readonly IDataObject[]): void {
    const isNew = records.every((record) => !this.seen.has(keyOf(record)));
    if (isNew) this.put(this.last, records);
    else this.insert(records);
  }

  /** Puts what is new behind the record that it follows, or else before the one that follows it. */
  private insert(records: readonly IDataObject[]): void {
    const isKnown = records.map((record) => this.seen.has(keyOf(record)));
    const start = isKnown.indexOf(true);
    if (start === -1) return;
    this.put(this.listIn(this.before, records[start]!), records.slice(0, start));
    let place: IDataObject[] = [];
    records.forEach((record, index) => {
      if (isKnown[index] === true) place = this.listIn(this.after, record);
      else if (index > start) this.put(place, [record]);
    });
  }

  private knows(record: IDataObject): boolean {
    return hasId(record) && this.seen.has(keyOf(record));
  }

  private put(place: IDataObject[], records: readonly IDataObject[]): void {
    for (const record of records) {
      if (this.knows(record)) continue;
      this.seen.add(keyOf(record));
      place.push(record);
    }
  }

  private listIn(places: Map<unknown, IDataObject[]>, record: IDataObject): IDataObject[] {
    const key = keyOf(record);
    const list = places.get(key) ?? [];
    places.set(key, list);
    return list;
  }

  records(): IDataObject[] {
    const inOrder: IDataObject[] = [];
    const emit = (record: IDataObject): void => {
      const key = keyOf(record);
      const before = this.before.get(key);
      const after = this.after.get(key);
      this.before.delete(key);
      this.after.delete(key);
      before?.forEach(emit);
      inOrder.push(record);
      after?.forEach(emit);
    };
    this.last.forEach(emit);
    return inOrder;
  }
}
