import type { AskHead, Head } from './http/head';
import { inParallel } from './inParallel';

const CONCURRENCY = 8;

/** How long all addresses may take together, in milliseconds. */
const DEADLINE = 60_000;

/** What hosts say of addresses; one that was not asked in time is absent. */
export type Heads = ReadonlyMap<string, Head>;

/** Asks for the head of each address once: a few at a time, and within a deadline. */
export async function readHeads(
  ask: AskHead,
  addresses: readonly string[],
  cancelled: AbortSignal | undefined,
): Promise<Heads> {
  const heads = new Map<string, Head>();
  const until = Date.now() + DEADLINE;
  await inParallel(new Set(addresses), CONCURRENCY, async (address) => {
    if (Date.now() >= until || cancelled?.aborted === true) return false;
    return heads.set(address, await ask(address));
  });
  return heads;
}
