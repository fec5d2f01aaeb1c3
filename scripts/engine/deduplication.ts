import { createHash } from 'node:crypto';

import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator } from 'n8n-workflow';

const hashOf = (value: unknown) => createHash('md5').update(String(value)).digest('base64');

const rowOf = (workflow: { id?: string }, node?: { id: string }): string =>
  `${workflow.id} ${node?.id}`;

/**
 * Gives the engine n8n's deduplication of entries, with a map instead of the database: a row is read,
 * changed and written back, each in a turn of its own, without a lock. The rows last as long as the
 * process, and there is one such store in it.
 *
 * @param check is called before each access; what it throws is what the database would
 */
export function storeDeduplication(check: (nodeId: string) => void = () => undefined): void {
  /** The hashes that are on record, by workflow and node: what n8n has in its table `processed_data`. */
  const rows = new Map<string, string[]>();

  async function turn(row: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const [, node = ''] = row.split(' ');
    check(node);
  }

  async function read(row: string): Promise<string[]> {
    await turn(row);
    return rows.get(row) ?? [];
  }

  async function write(row: string, hashes: string[]): Promise<void> {
    await turn(row);
    rows.set(row, hashes);
  }

  const deduplicator: IDataDeduplicator = {
    async checkProcessedAndRecord(items, _scope, { workflow, node }, { maxEntries }) {
      const row = rowOf(workflow, node);
      const known = [...(await read(row))];
      const asked = new Set(items.map(hashOf));
      const found = new Set(known.filter((hash) => asked.has(hash)));
      const isNew = (item: unknown) => !found.has(hashOf(item));
      const result = { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
      known.push(...result.new.map(hashOf));
      if (maxEntries) known.splice(0, known.length - maxEntries);
      await write(row, known);
      return result;
    },
    async removeProcessed(items, _scope, { workflow, node }) {
      const row = rowOf(workflow, node);
      const gone = new Set(items.map(hashOf));
      await write(
        row,
        (await read(row)).filter((hash) => !gone.has(hash)),
      );
    },
    async clearAllProcessedItems(_scope, { workflow, node }) {
      await write(rowOf(workflow, node), []);
    },
    async getProcessedDataCount(_scope, { workflow, node }) {
      return (await read(rowOf(workflow, node))).length;
    },
  };
  void DataDeduplicationService.init(deduplicator);
}
