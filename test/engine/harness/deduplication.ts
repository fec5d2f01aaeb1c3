import { storeDeduplication } from '../../../scripts/engine/deduplication';

/** The nodes whose rows can't be written; `all` of them, or none. */
let broken: ReadonlySet<string> | 'all' = new Set();

/** What is still to be accessed of a node before some accesses fail, and up to the last of these. */
let failing = { nodeId: '', after: 0, upTo: 0 };

storeDeduplication((nodeId) => {
  if (nodeId === failing.nodeId && failing.upTo-- > 0 && failing.after-- <= 0)
    throw new Error('The database is locked');
  if (broken === 'all' || broken.has(nodeId)) throw new Error('The database is locked');
});

afterEach(() => {
  broken = new Set();
  failing = { nodeId: '', after: 0, upTo: 0 };
});

/** Lets n8n's deduplication store fail for the rest of the test. */
export const breakDeduplication = (): void => {
  broken = 'all';
};

/** Lets n8n's deduplication store fail for one node, for some accesses after others. */
export const breakDeduplicationOf = (nodeId: string, after: number, times: number): void => {
  failing = { nodeId, after, upTo: after + times };
};

/**
 * Lets what a node would still write be lost, as when n8n dies.
 *
 * @returns what lets it write again
 */
export function cutOffDeduplication(nodeId: string): () => void {
  const others = broken;
  if (others !== 'all') broken = new Set([...others, nodeId]);
  return () => {
    if (broken !== 'all') broken = new Set([...broken].filter((id) => id !== nodeId));
  };
}
