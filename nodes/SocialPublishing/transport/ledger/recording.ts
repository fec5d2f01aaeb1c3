import type { JournalWrite, Known, WriteRecord } from './journal';

/**
 * How many writes are put on record together, and how far ahead of what has gone out: what is on record
 * when n8n dies counts as sent.
 */
const GROUP = 8;

/**
 * Puts the writes of a run on record in groups, in the order in which they are sent: each group before
 * its first write goes out.
 */
export class Recording {
  private readonly groups = new Map<number, Promise<Known[] | undefined>>();

  /** The place of each write in the order. */
  private readonly places = new Map<number, number>();

  /** How many requests have gone out. */
  private started = 0;

  /** How many writes have come to their end, whether or not a request went out. */
  private ended = 0;

  private readonly waiting: Array<() => void> = [];

  /** What was known of each write that is on record, by item. */
  private readonly known = new Map<number, Known | undefined>();

  /**
   * @param writes by item, in the order in which they are sent
   */
  constructor(
    private readonly journal: WriteRecord,
    private readonly writes: ReadonlyArray<readonly [item: number, write: JournalWrite]>,
  ) {
    for (const [place, [item]] of writes.entries()) this.places.set(item, place);
  }

  /** To be called when a request goes out. */
  start(): void {
    this.started++;
    this.wake();
  }

  /** To be called when a write has come to its end. */
  end(): void {
    this.ended++;
    this.wake();
  }

  private wake(): void {
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  /**
   * Resolves when a write is on record, which is not long before its turn to go out.
   *
   * @returns what was known of it before; `undefined` when the record cannot be read
   */
  async before(item: number): Promise<Known | undefined> {
    const place = this.places.get(item);
    if (place === undefined) return 'new';
    while (place >= Math.max(this.started, this.ended) + GROUP) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    const group = Math.floor(place / GROUP);
    const known = await this.record(group);
    return known?.[place % GROUP];
  }

  private record(group: number): Promise<Known[] | undefined> {
    const underWay = this.groups.get(group);
    if (underWay !== undefined) return underWay;
    const writes = this.writes.slice(group * GROUP, (group + 1) * GROUP);
    const recorded =
      writes.length === 0
        ? Promise.resolve([])
        : this.journal.begin(writes.map(([, write]) => write)).then((known) => {
            for (const [index, [item]] of writes.entries()) this.known.set(item, known?.[index]);
            return known;
          });
    this.groups.set(group, recorded);
    return recorded;
  }

  /**
   * Takes off the record again what is there for nothing.
   *
   * @param isWritten whether an item may have been carried out
   */
  async close(isWritten: (item: number) => boolean): Promise<void> {
    await Promise.all(this.groups.values());
    await this.journal.undo(
      this.writes
        .filter(([item]) => this.known.get(item) === 'new' && !isWritten(item))
        .map(([, write]) => write),
    );
  }
}
