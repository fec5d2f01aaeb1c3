import { inParallel } from '../inParallel';
import type { Gap, PageRead, PageReads } from './pageReads';

/** How many further requests may go into what moved: so many, and one for so many pages. */
const MENDS = 8;
const PAGES_PER_MEND = 2;

/** How often looking again may find nothing new before it ends. */
const IN_VAIN = 2;

/** A walk that has come to the end of the list. */
export interface Walked {
  readonly offset: number;
  /** How many records are wanted at most; `Infinity` for all. */
  readonly limit: number;
  /** The page size that holds. */
  readonly pageSize: number;
  readonly concurrency: number;
  /** How many requests the walk took. */
  readonly requests: number;
  /**
   * Reads a page, and hands it over.
   *
   * @returns whether further pages may be read
   */
  read(offset: number, limit: number, keep: (read: PageRead) => void): Promise<boolean>;
}

/** Whether a gap is nothing but a page that came short while nothing moved. */
const isHole = ({ before, after }: Gap): boolean =>
  before.total === after.total && before.offset + before.records.length < after.offset;

/** Looks again where records may have moved from one page to another between the reads of the two. */
export class Mending {
  private goesOn = true;

  private left: number;

  constructor(
    private readonly reads: PageReads,
    private readonly walked: Walked,
  ) {
    this.left = MENDS + Math.ceil(walked.requests / PAGES_PER_MEND);
  }

  /** Reads further pages until nothing can be missing, or the bound is reached. */
  async run(): Promise<void> {
    const { reads, walked } = this;
    let gaps = this.openGaps();
    for (let inVain = 0; gaps.length > 0 && this.left > 0 && inVain < IN_VAIN;) {
      const { count } = reads;
      const known = gaps.length;
      await inParallel(gaps.slice(0, this.left), walked.concurrency, (gap) => this.close(gap));
      gaps = this.openGaps();
      if (gaps.length >= known && reads.count === count) inVain++;
    }
  }

  private openGaps(): Gap[] {
    const { offset, limit } = this.walked;
    if (!this.goesOn || this.reads.isWhole(offset)) return [];
    return this.reads.gaps(limit > this.reads.count);
  }

  private async read(
    offset: number,
    limit: number,
    keep: (read: PageRead) => void,
  ): Promise<boolean> {
    this.left--;
    this.goesOn = (await this.walked.read(offset, limit, keep)) && this.goesOn;
    return this.goesOn;
  }

  private async close(gap: Gap): Promise<boolean> {
    const [offset, limit] = this.windowOf(gap);
    return await this.read(offset, limit, (read) => {
      if (isHole(gap)) this.reads.add(read);
      else this.reads.mend(read);
    });
  }

  /**
   * What to read, as `[offset, limit]`, to see the last record before a gap and the first one after
   * it on one page, wherever they may have moved.
   */
  private windowOf({ before, after }: Gap): [offset: number, limit: number] {
    const { offset, pageSize } = this.walked;
    const end = before.offset + before.records.length;
    const total = this.reads.latest?.total;
    const shiftOf = (read: PageRead) =>
      total === undefined || read.total === undefined ? 0 : total - read.total;
    if (isHole({ before, after })) return [end, Math.min(pageSize, after.offset - end)];
    const from = Math.min(end - 1, end - 1 + shiftOf(before));
    const to = Math.max(after.offset, after.offset + shiftOf(after));
    const room = pageSize - (to - from + 1);
    return [Math.max(offset, from - Math.max(1, Math.floor(room / 2))), pageSize];
  }
}
