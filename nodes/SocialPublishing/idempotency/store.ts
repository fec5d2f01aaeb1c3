import { randomUUID } from 'crypto';
import { type IExecuteFunctions, sleep } from 'n8n-workflow';

import { processMemory } from './processMemory';

/** What n8n offers community nodes of its deduplication store. */
export type DeduplicationHelpers = Pick<
  IExecuteFunctions['helpers'],
  'checkProcessedAndRecord' | 'getProcessedDataCount' | 'removeProcessed'
>;

/**
 * How many keys n8n keeps for one node of one workflow; the oldest go first. n8n writes all of them
 * whenever one is added, so that more of them would make each post slower (docs/self-hosting.md).
 */
export const MAX_KEYS = 10_000;

const TRIES = 4;

/** How many keys are asked for at once: n8n looks for each that it didn't have, one after the other. */
const ASKED_AT_ONCE = 1000;

/** How long another process may take to write back a row that it has read, in milliseconds. */
const CONTENTION_MS = 1000;

const ENTRIES = { mode: 'entries' } as const;

/**
 * n8n's deduplication store, which writes to its database at once. It holds one row for each node of
 * a workflow, which another process may overwrite: what was added last is added again with the next.
 *
 * @param row names the node and its workflow
 */
export function deduplicationStore(helpers: DeduplicationHelpers, row: string) {
  /** Two processes that write the first row at once make one of them fail. */
  const insist = async <T>(task: () => Promise<T>): Promise<T> => {
    for (let tries = 1; tries < TRIES; tries++) {
      const [result] = await Promise.allSettled([task()]);
      if (result.status === 'fulfilled') return result.value;
      await sleep(20 + 80 * Math.random());
    }
    return await task();
  };

  /** Only what writes lets n8n drop old keys: asking must never erase. */
  const check = async (
    keys: readonly string[],
    options: typeof ENTRIES & { readonly maxEntries?: number },
  ): Promise<ReadonlySet<string>> => {
    const { processed } = await insist(
      async () => await helpers.checkProcessedAndRecord([...keys], 'node', options),
    );
    return new Set(processed.map(String));
  };
  /** What was written last goes along: another process may have undone it. */
  const write = async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const last = processMemory.written.get(row) ?? [];
    const had = await check([...new Set([...last, ...keys])], { ...ENTRIES, maxEntries: MAX_KEYS });
    processMemory.written.keep(row, keys);
    return had;
  };

  const ask = async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
    const had = await check(keys, ENTRIES);
    // n8n's store can't be asked without adding: what was new is removed again at once.
    const added = keys.filter((key) => !had.has(key));
    if (added.length > 0) {
      await insist(async () => await helpers.removeProcessed(added, 'node', ENTRIES));
    }
    return had;
  };

  return {
    /**
     * Adds keys that nobody else may have added.
     *
     * @param others keys that others may have added, too
     * @param isContended whether somebody else may be adding the same keys right now: only then, they are
     * read back at once
     * @returns whether nobody else has
     * @throws what n8n's database threw
     */
    claim: async (
      keys: readonly string[],
      others: readonly string[],
      isContended: boolean,
    ): Promise<boolean> =>
      await processMemory.rows.take(row, async () => {
        const own = isContended ? [randomUUID()] : [];
        const all = [...own, ...keys, ...others];
        const had = await write(all);
        if (keys.some((key) => had.has(key))) return false;
        if (!isContended) return true;
        await sleep(CONTENTION_MS);
        const has = await write(all);
        return own.every((key) => has.has(key));
      }),
    /** Adds keys, and returns those that it had; another process may undo that. @throws what n8n's database threw */
    add: async (keys: readonly string[]): Promise<ReadonlySet<string>> =>
      await processMemory.rows.take(row, async () => await write(keys)),
    /** Returns those of the keys that it has. @throws what n8n's database threw */
    find: async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
      const found = new Set<string>();
      for (let from = 0; from < keys.length; from += ASKED_AT_ONCE) {
        const asked = keys.slice(from, from + ASKED_AT_ONCE);
        for (const key of await processMemory.rows.take(row, async () => await ask(asked)))
          found.add(key);
      }
      return found;
    },
    /** Whether n8n has dropped keys, or may have. @throws what n8n's database threw */
    isFull: async (): Promise<boolean> =>
      (await helpers.getProcessedDataCount('node', ENTRIES)) >= MAX_KEYS,
  };
}

/** Keeps keys where neither a crash nor a stop of the execution reaches. Keys in one call differ. */
export type KeyStore = ReturnType<typeof deduplicationStore>;
