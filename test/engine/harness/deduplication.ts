import { storeDeduplication } from '../../../scripts/engine/deduplication';

/** The nodes whose rows can't be written; `all` of them, or none. */
let broken: ReadonlySet<string> | 'all' = new Set();

storeDeduplication((nodeId) => {
  if (broken === 'all' || broken.has(nodeId)) throw new Error('The database is locked');
});

afterEach(() => {
  broken = new Set();
});

/** Lets n8n's deduplication store fail for the rest of the test. */
export const breakDeduplication = (): void => {
  broken = 'all';
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
