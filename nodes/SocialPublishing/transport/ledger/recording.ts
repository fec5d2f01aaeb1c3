import type { Journal, JournalWrite, Known } from './journal';

/**
 * Puts the writes of a run on record in groups, in the order in which they are sent: a group before
 * its first write goes out, and the next one while it is under way.
 */
export class Recording {
  private readonly groups = new Map<number, Promise<Known[] | undefined>>();

  /** The place of each write in the order. */
  private readonly places = new Map<number, number>();

  /** What was known of each write that is on record, by item. */
  private readonly known = new Map<number, Known | undefined>();

  /**
   * @param writes by item, in the order in which they are sent
   * @param size how many writes a group has
   */
  constructor(
    private readonly journal: Journal,
    private readonly writes: ReadonlyArray<readonly [item: number, write: JournalWrite]>,
    private readonly size: number,
  ) {
    for (const [place, [item]] of writes.entries()) this.places.set(item, place);
  }

  /**
   * Resolves when a write is on record.
   *
   * @returns what was known of it before; `undefined` when the record cannot be read
   */
  async before(item: number): Promise<Known | undefined> {
    const place = this.places.get(item);
    if (place === undefined) return 'new';
    const group = Math.floor(place / this.size);
    const known = await this.record(group);
    const within = place % this.size;
    if (within >= this.size / 2) void this.record(group + 1);
    return known?.[within];
  }

  private record(group: number): Promise<Known[] | undefined> {
    const underWay = this.groups.get(group);
    if (underWay !== undefined) return underWay;
    const writes = this.writes.slice(group * this.size, (group + 1) * this.size);
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
