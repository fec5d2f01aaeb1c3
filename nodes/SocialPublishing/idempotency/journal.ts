import { createHash } from 'crypto';

import type { KeyStore } from './store';

/** A write as the journal knows it. */
export interface JournalWrite {
  /** Which item of which run of the node asks for it, and where it goes. */
  readonly slot: string;
  /** What it asks for, and where it goes. Differs for two items that ask for the same. */
  readonly content: string;
}

/** What the journal knows of a write from before this run. */
export type Known =
  /** Nothing: it was not sent before. */
  | 'new'
  /** Exactly this may have been sent before. */
  | 'same'
  /** Something else may have been sent for this item before. */
  | 'other';

/** What stands on record of the writes of an execution. */
export interface WriteRecord {
  /** Why the record could not be kept; `undefined` while it is. */
  readonly problem: string | undefined;
  /** Whether this run may be a retry of the execution. */
  readonly isRetry: boolean;
  /**
   * When the last write before this run may have gone out, in Unix milliseconds; 0 when that was too
   * long ago to matter.
   */
  readonly lastEarlierSend: number;
  /**
   * Puts writes on record, before the first of them goes out.
   *
   * @returns what was known of each, in their order; `undefined` when the record cannot be read
   */
  begin(writes: readonly JournalWrite[]): Promise<Known[] | undefined>;
  /** Takes writes off the record that were certainly not carried out. */
  undo(writes: readonly JournalWrite[]): Promise<void>;
  /**
   * Puts on record that a request goes out now.
   *
   * @param now Unix milliseconds
   */
  mark(now: number): Promise<void>;
}

/** How long a step of the time of sending is, in milliseconds. */
const STEP = 10_000;

/**
 * The crash-safe record of an execution: which writes may have gone out.
 *
 * n8n keeps the context of a node when the node has ended, and not before; after a crash or a stop
 * a retry begins with none. What stands here stands in n8n's database before a write goes out, under
 * a name that an execution shares with all its retries. A write on record without a result in the
 * context may have been carried out.
 */
export class Journal implements WriteRecord {
  problem: string | undefined;

  private earlierSends: Promise<void> | undefined;

  private latestSend = 0;

  /** Up to which step of time sends are on record. */
  private markedStep = 0;

  private marking: Promise<void> | undefined;

  private readonly execution: string;

  /**
   * @param name the name that an execution shares with its retries
   * @param isRetry whether this run may be one of those retries
   * @param horizon for how long after a send it matters when that was, in milliseconds
   */
  constructor(
    private readonly store: KeyStore,
    name: string,
    readonly isRetry: boolean,
    private readonly horizon: number,
  ) {
    this.execution = hash('execution', name);
  }

  async begin(writes: readonly JournalWrite[]): Promise<Known[] | undefined> {
    const slots = writes.map(({ slot }) => this.key('slot', slot));
    const contents = writes.map(({ content }) => this.key('content', content));
    try {
      this.earlierSends ??= this.readEarlierSends();
      await this.earlierSends;
      const now = Date.now();
      const steps = this.steps(now, now + STEP);
      const known = await this.store.record([...slots, ...contents, ...steps]);
      this.markedStep = Math.max(this.markedStep, Math.floor((now + STEP) / STEP));
      return writes.map((_, index) => {
        if (known.has(contents[index]!)) return 'same';
        return known.has(slots[index]!) ? 'other' : 'new';
      });
    } catch (error) {
      this.problem = messageOf(error);
      return undefined;
    }
  }

  async undo(writes: readonly JournalWrite[]): Promise<void> {
    if (writes.length === 0) return;
    try {
      await this.store.remove(
        writes.flatMap(({ slot, content }) => [
          this.key('slot', slot),
          this.key('content', content),
        ]),
      );
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  async mark(now: number): Promise<void> {
    const step = Math.floor(now / STEP);
    if (step <= this.markedStep) return;
    this.marking ??= this.store.record(this.steps(now, now + STEP)).then(
      () => {
        this.markedStep = step + 1;
      },
      (error: unknown) => {
        this.markedStep = step + 1;
        this.problem = messageOf(error);
      },
    );
    await this.marking;
    this.marking = undefined;
  }

  get lastEarlierSend(): number {
    return this.latestSend;
  }

  /** Asks for the steps of the last time, as the store only tells whether a key is on record. */
  private async readEarlierSends(): Promise<void> {
    if (!this.isRetry) return;
    const now = Date.now();
    const steps = this.steps(now - this.horizon, now);
    const known = await this.store.record(steps);
    const last = steps.findLastIndex((step) => known.has(step));
    if (last !== -1) this.latestSend = now - (steps.length - 1 - last) * STEP;
  }

  private steps(from: number, to: number): string[] {
    const keys: string[] = [];
    for (let step = Math.floor(from / STEP); step <= Math.floor(to / STEP); step++) {
      keys.push(this.key('sent', String(step)));
    }
    return keys;
  }

  private key(kind: string, value: string): string {
    return hash(this.execution, kind, value);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const hash = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
