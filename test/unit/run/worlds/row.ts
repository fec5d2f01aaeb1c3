import type { IExecuteFunctions } from 'n8n-workflow';

import type { Scheduler } from './scheduler';

/** n8n's row for one node: read as a whole and written back as a whole, without a transaction. */
export class Row {
  /** `undefined` until somebody writes the row. */
  private keys: string[] | undefined;

  /** The numbers of the writes that fail: from the first to before the second, counted from now. */
  private broken: readonly [from: number, to: number] = [0, 0];

  /**
   * @param most how many keys it holds before n8n drops the oldest
   * @param latency how long a read takes, in milliseconds
   */
  constructor(
    private readonly scheduler: Scheduler,
    private readonly most: number,
    private readonly latency: () => number,
  ) {}

  /**
   * What n8n offers a node of it.
   *
   * @param alive rejects never, and resolves only while the process lives
   */
  helpers(alive: () => Promise<void>): Partial<IExecuteFunctions['helpers']> {
    const read = async (): Promise<string[] | undefined> => {
      await alive();
      const snapshot = this.keys && [...this.keys];
      const latency = this.latency();
      if (latency > 0) await this.scheduler.wait(latency);
      await alive();
      return snapshot;
    };
    return {
      checkProcessedAndRecord: async (items, _scope, options) => {
        const had = await read();
        const [from, to] = this.broken;
        this.broken = [from - 1, to - 1];
        if (from <= 0 && to > 0) throw new Error('The database is locked');
        // n8n inserts the first row, and the database takes only one.
        if (had === undefined && this.keys !== undefined)
          throw new Error('UNIQUE constraint failed');
        const keys = had ?? [];
        const known = new Set(keys);
        const isKnown = (item: unknown): boolean => known.has(String(item));
        const result = {
          new: items.filter((item) => !isKnown(item)),
          processed: items.filter(isKnown),
        };
        keys.push(...result.new.map(String));
        if (options.maxEntries !== undefined && this.most !== Infinity) {
          keys.splice(0, Math.max(0, keys.length - this.most));
        }
        this.keys = keys;
        return result;
      },
      removeProcessed: async (items) => {
        const keys = await read();
        if (keys === undefined) return;
        const gone = new Set(items.map(String));
        this.keys = keys.filter((key) => !gone.has(key));
      },
      getProcessedDataCount: async () => {
        const { length } = (await read()) ?? [];
        return length >= this.most ? Number.MAX_SAFE_INTEGER : 0;
      },
    };
  }

  /** Lets so many reads and writes fail, after so many others. A node tries each four times. */
  breakFor(count: number, after: number): void {
    this.broken = [after, after + count];
  }

  /** Another execution of the node writes keys. */
  foreign(count: number): void {
    const keys = (this.keys ??= []);
    for (let index = 0; index < count; index++) keys.push(`foreign ${Math.random()}`);
    if (this.most !== Infinity) keys.splice(0, Math.max(0, keys.length - this.most));
  }
}
