import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';

/** The hashes that are on record, by workflow and node: what n8n has in its table `processed_data`. */
const rows = new Map<string, string[]>();

let broken = false;

const hashOf = (value: unknown) => createHash('md5').update(String(value)).digest('base64');

/**
 * n8n's deduplication of entries, with a map instead of the database: a row is read, changed and
 * written back, each in a turn of its own, without a lock.
 */
const deduplicator: IDataDeduplicator = {
  async checkProcessedAndRecord(items, _scope, { workflow, node }, { maxEntries }) {
    const row = `${workflow.id} ${node?.id}`;
    const known = [...(await read(row))];
    const isNew = (item: unknown) => !known.includes(hashOf(item));
    const result = { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
    known.push(...result.new.map(hashOf));
    if (maxEntries) known.splice(0, known.length - maxEntries);
    await write(row, known);
    return result;
  },
  async removeProcessed(items, _scope, { workflow, node }) {
    const row = `${workflow.id} ${node?.id}`;
    const gone = new Set(items.map(hashOf));
    await write(
      row,
      (await read(row)).filter((hash) => !gone.has(hash)),
    );
  },
  async clearAllProcessedItems(_scope, { workflow, node }) {
    await write(`${workflow.id} ${node?.id}`, []);
  },
  async getProcessedDataCount(_scope, { workflow, node }) {
    return (await read(`${workflow.id} ${node?.id}`)).length;
  },
};

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (broken) throw new Error('The database is locked');
}

async function read(row: string): Promise<string[]> {
  await turn();
  return rows.get(row) ?? [];
}

async function write(row: string, hashes: string[]): Promise<void> {
  await turn();
  rows.set(row, hashes);
}

void DataDeduplicationService.init(deduplicator);

afterEach(() => {
  broken = false;
});

/** Lets n8n's deduplication store fail for the rest of the test. */
export const breakDeduplication = (): void => {
  broken = true;
};
