import { type IExecuteFunctions, sleep } from 'n8n-workflow';

/** Keeps keys where neither a crash nor a stop of the execution reaches. */
export interface KeyStore {
  /**
   * Puts keys on record, and returns those that were on record before.
   *
   * @throws when they could not be put on record for certain
   */
  record(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes keys off the record. @throws when that failed */
  remove(keys: readonly string[]): Promise<void>;
}

/** What n8n offers community nodes of its deduplication store. */
export type DeduplicationHelpers = Pick<
  IExecuteFunctions['helpers'],
  'checkProcessedAndRecord' | 'removeProcessed'
>;

/**
 * How many keys n8n keeps for one node of one workflow; the oldest go first. A write takes two, so
 * that what was sent for the last 25,000 items is known.
 */
export const MAX_KEYS = 50_000;

const TRIES = 4;

const OPTIONS = { mode: 'entries', maxEntries: MAX_KEYS } as const;

/** What is under way for each row of n8n's store in this process. */
const queues = new Map<string, Promise<unknown>>();

/** Runs one task at a time for each row: n8n reads the row, changes it and writes it without a lock. */
async function inTurn<T>(row: string, task: () => Promise<T>): Promise<T> {
  const before = queues.get(row) ?? Promise.resolve();
  const result = before.then(task, task);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  queues.set(row, settled);
  void settled.then(() => {
    if (queues.get(row) === settled) queues.delete(row);
  });
  return await result;
}

/**
 * n8n's deduplication store, which writes to its database at once. It holds one row for each node of
 * a workflow, which another process may overwrite: what is recorded is read back, and recorded again
 * when it got lost.
 *
 * @param row names the node and its workflow
 */
export function deduplicationStore(helpers: DeduplicationHelpers, row: string): KeyStore {
  const check = async (keys: readonly string[]) =>
    await helpers.checkProcessedAndRecord([...keys], 'node', OPTIONS);

  /** Two processes that write the first row at once make one of them fail. */
  const insist = async <T>(task: () => Promise<T>): Promise<T> => {
    for (let tries = 1; tries < TRIES; tries++) {
      const [result] = await Promise.allSettled([task()]);
      if (result.status === 'fulfilled') return result.value;
      await sleep(20 + 80 * Math.random());
    }
    return await task();
  };

  return {
    async record(keys) {
      return await inTurn(row, async () => {
        const { processed } = await insist(async () => await check(keys));
        let lost: readonly unknown[] = keys;
        for (let left = TRIES; left > 0 && lost.length > 0; left--) {
          ({ new: lost } = await insist(async () => await check(keys)));
        }
        if (lost.length > 0) throw new Error('n8n did not keep what was recorded');
        return new Set(processed.map(String));
      });
    },
    async remove(keys) {
      await inTurn(row, async () => {
        await insist(async () => await helpers.removeProcessed([...keys], 'node', OPTIONS));
      });
    },
  };
}
