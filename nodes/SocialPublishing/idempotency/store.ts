import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { Turns } from './turns';

/** Keeps keys where neither a crash nor a stop of the execution reaches. Keys in one call differ. */
export interface KeyStore {
  /**
   * Adds keys, and returns those that it had before.
   *
   * @throws what n8n's database threw, or an Error when the keys got lost again
   */
  add(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes keys. @throws what n8n's database threw */
  remove(keys: readonly string[]): Promise<void>;
  /** Returns those of the keys that it has. @throws what n8n's database threw */
  find(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What n8n offers community nodes of its deduplication store. */
export type DeduplicationHelpers = Pick<
  IExecuteFunctions['helpers'],
  'checkProcessedAndRecord' | 'removeProcessed'
>;

/**
 * How many keys n8n keeps for one node of one workflow; the oldest go first. n8n writes all of them
 * whenever one is added, so that more of them would make each post slower (docs/self-hosting.md).
 */
export const MAX_KEYS = 10_000;

const TRIES = 4;

const OPTIONS = { mode: 'entries', maxEntries: MAX_KEYS } as const;

/** n8n reads a row, changes it and writes it back without a lock: in this process, one at a time does. */
const rows = new Turns<string>();

/**
 * n8n's deduplication store, which writes to its database at once. It holds one row for each node of
 * a workflow, which another process may overwrite: what is added is read back, and added again when
 * it got lost.
 *
 * @param row names the node and its workflow
 */
export function deduplicationStore(helpers: DeduplicationHelpers, row: string): KeyStore {
  /** Two processes that write the first row at once make one of them fail. */
  const insist = async <T>(task: () => Promise<T>): Promise<T> => {
    for (let tries = 1; tries < TRIES; tries++) {
      const [result] = await Promise.allSettled([task()]);
      if (result.status === 'fulfilled') return result.value;
      await sleep(20 + 80 * Math.random());
    }
    return await task();
  };

  const check = async (keys: readonly string[]) =>
    await insist(async () => await helpers.checkProcessedAndRecord([...keys], 'node', OPTIONS));

  const drop = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    await insist(async () => await helpers.removeProcessed([...keys], 'node', OPTIONS));
  };

  return {
    add: async (keys) =>
      await rows.take(row, async () => {
        const { processed } = await check(keys);
        let lost: readonly unknown[] = keys;
        for (let left = TRIES; left > 0 && lost.length > 0; left--) {
          ({ new: lost } = await check(keys));
        }
        if (lost.length > 0) throw new Error('n8n did not keep what was written to it');
        return new Set(processed.map(String));
      }),
    remove: async (keys) => await rows.take(row, async () => await drop(keys)),
    // n8n's store can't be asked without adding: what was new is removed again at once.
    find: async (keys) =>
      await rows.take(row, async () => {
        if (keys.length === 0) return new Set();
        const { processed, new: added } = await check(keys);
        await drop(added.map(String));
        return new Set(processed.map(String));
      }),
  };
}
