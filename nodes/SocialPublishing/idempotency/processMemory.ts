import type { Line, RootTry } from './calls';
import type { Done } from './results';

/** A map that keeps what was used last. */
export class Recent<T> extends Map<string, T> {
  constructor(private readonly most: number) {
    super();
  }

  /** The value of a key, made where there is none. */
  take(key: string, make: () => T): T {
    const value = this.get(key) ?? make();
    this.keep(key, value);
    return value;
  }

  keep(key: string, value: T): void {
    this.delete(key);
    this.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.most && oldest !== undefined) this.delete(oldest);
  }
}

/** Runs tasks that share a key one after the other, in the order in which they came. */
export class Turns<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  /** @throws what the task threw */
  async take<T>(key: Key, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const result = before.then(task, task);
    this.last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === result) this.last.delete(key);
    }
  }
}

/** Keys of the log that are still to be written. */
export interface Unwritten {
  readonly keys: Set<string>;
  /** What writes them, once that is planned. */
  planned: Promise<void> | undefined;
}

/** All that a process of n8n remembers of writes. A restart forgets it: what must not be lost isn't here. */
export const newProcessMemory = () => ({
  /** By node, execution and try. */
  tries: new Recent<RootTry>(1000),
  /** What was written for an entry of an execution. */
  records: new Recent<Done>(5000),
  /** The way from an execution up to the one that everything began with. */
  lines: new Recent<Line>(1000),
  /** By execution. */
  unwritten: new Recent<Unwritten>(1000),
  /** Who has claimed to send something alone, and when by the monotonic clock, by what it says. */
  claims: new Recent<{ readonly execution: string; readonly at: number }>(5000),
  /** What was written last, by row. */
  written: new Recent<readonly string[]>(1000),
  /** The calls of one execution write one after the other, so that each sees what the others have. */
  turns: new Turns<unknown>(),
  /** n8n reads a row, changes it and writes it back without a lock: in this process, one at a time does. */
  rows: new Turns<string>(),
});

export const processMemory = newProcessMemory();
