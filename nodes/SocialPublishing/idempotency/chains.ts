import { hashOf } from './intent';
import { processMemory } from './processMemory';
import type { KeyStore } from './store';

/** In how many parts the end of a long chain is looked for at once. */
const PROBES = 16;

/** What a chain counts: entries and voids of a destination; entries of what is said, and claims to it. */
type Counted = 'any' | 'voids' | 'full' | 'wants' | 'unwanted';

/** Names one of the log's sequences of keys, which are numbered from 0 without a gap. */
export const chain = (counted: Counted, of: string): string => `${counted} ${of}`;

/**
 * The chains of which a key must not count that another process only asks for. Beside each of their keys,
 * one is asked for that is never written.
 */
const MUST_BE_WRITTEN = /^(?:voids|wants|unwanted) /;

/** What all executions of the node share: how often one was to send something alone, and has given that up. */
const SHARED = /^(?:wants|unwanted) /;

/**
 * The keys of the log, as n8n's store holds them: those of one execution, and those that all executions
 * of the node share.
 */
export class LogKeys {
  constructor(
    readonly store: KeyStore,
    private readonly execution: string,
  ) {}

  /** The key with a number in a chain, or among others of a name. */
  key(name: string, number: number): string {
    return hashOf(SHARED.test(name) ? 'all' : this.execution, name, number);
  }

  /**
   * Those of some keys that the log has, or that this process is about to write.
   *
   * @throws what n8n's database threw
   */
  async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const unwritten = [...processMemory.unwritten.values()].flatMap((one) => [...one.keys]);
    return new Set([...unwritten, ...(await this.store.find([...new Set(keys)]))]);
  }

  /**
   * How long chains are.
   *
   * @param chains each with a length that it is known to have at least
   * @throws what n8n's database threw
   */
  async lengths(chains: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const lengths = new Map<string, number>();
    let searched = [...chains].map(([name, from]) => ({ name, from, to: Infinity }));
    while (searched.length > 0) {
      const asked = searched.map((one) => ({ ...one, probes: probesIn(one) }));
      const found = await this.known(
        asked.flatMap(({ name, probes }) => probes.flatMap((number) => this.keysFor(name, number))),
      );
      const has = (name: string, number: number): boolean => {
        const [key = '', neverWritten = ''] = this.keysFor(name, number);
        return found.has(key) && !found.has(neverWritten);
      };
      searched = asked.flatMap(({ name, probes, ...range }) => {
        const last = probes.findLast((number) => has(name, number));
        const from = last === undefined ? range.from : last + 1;
        const to = probes.find((number) => number >= from) ?? range.to;
        if (from < to) return [{ name, from, to }];
        lengths.set(name, from);
        return [];
      });
    }
    return lengths;
  }

  /** What is asked for to see whether a chain has a number. */
  private keysFor(name: string, number: number): string[] {
    const key = this.key(name, number);
    return MUST_BE_WRITTEN.test(name) ? [key, hashOf('neverWritten', key)] : [key];
  }
}

/** The numbers that narrow down where a chain ends; most writes are the only ones to say what they say. */
function probesIn({ name, from, to }: { name: string; from: number; to: number }): number[] {
  if (to < Infinity) {
    const step = Math.ceil((to - from) / PROBES);
    return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
  }
  const count = /^(?:any|voids) /.test(name) ? PROBES : from === 0 ? 1 : 4;
  return Array.from({ length: count }, (_, index) => from + 2 ** index - 1);
}
