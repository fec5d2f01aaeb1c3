import type { JournalWrite, Known, WriteRecord } from './journal';

/** How many writes are put on record together: at least, and at most. */
const SMALLEST = 8;
const LARGEST = 64;

/** How far ahead of what has gone out a group is put on record. */
const AHEAD = 8;

/** Writes that are put on record together. */
interface Group {
  /** The place of its first write. */
  readonly from: number;
  readonly to: number;
  recorded?: Promise<Known[] | undefined>;
}

/**
 * The groups of so many writes, by the place of a write. n8n writes its whole record for each group,
 * so a large run has few of them. What is on record when n8n dies counts as sent, so a group is half
 * as large as all before it.
 */
function groupsOf(count: number): Group[] {
  const groups: Group[] = [];
  for (let from = 0; from < count;) {
    const size = Math.min(Math.max(SMALLEST, Math.floor(from / 2)), LARGEST);
    const group = { from, to: Math.min(from + size, count) };
    for (; from < group.to; from++) groups.push(group);
  }
  return groups;
}

/**
 * Puts the writes of a run on record in groups, in the order in which they are sent: each group before
 * its first write goes out.
 */
export class Recording {
  /** By the place of a write. */
  private readonly groups: readonly Group[];

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
    this.groups = groupsOf(writes.length);
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
    const group = this.groups[place ?? -1];
    if (place === undefined || group === undefined) return 'new';
    while (place >= Math.max(this.started, this.ended) + AHEAD && group.recorded === undefined) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    const known = await (group.recorded ??= this.record(group));
    return known?.[place - group.from];
  }

  private async record({ from, to }: Group): Promise<Known[] | undefined> {
    const writes = this.writes.slice(from, to);
    const known = await this.journal.begin(writes.map(([, write]) => write));
    for (const [index, [item]] of writes.entries()) this.known.set(item, known?.[index]);
    return known;
  }

  /**
   * Takes off the record again what is there for nothing.
   *
   * @param isWritten whether an item may have been carried out
   */
  async close(isWritten: (item: number) => boolean): Promise<void> {
    await Promise.all(this.groups.flatMap(({ recorded }) => recorded ?? []));
    await this.journal.undo(
      this.writes
        .filter(([item]) => this.known.get(item) === 'new' && !isWritten(item))
        .map(([, write]) => write),
    );
  }
}
