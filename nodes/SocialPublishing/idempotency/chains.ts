import { hashOf } from './intent';
import { processMemory } from './processMemory';
import type { KeyStore } from './store';

/** In how many parts the end of a long chain is looked for at once. */
const PROBES = 16;

/** One of the log's sequences of keys, numbered from 0 without a gap. */
export interface Chain {
  readonly kind: 'any' | 'full' | 'voids' | 'wants' | 'unwanted';
  readonly of: string;
}

export const chainName = ({ kind, of }: Chain): string => `${kind} ${of}`;

/** The chains of which one that another process only asks for must not count. */
const ASKED_WITH_NEVER_WRITTEN: ReadonlyArray<Chain['kind']> = ['voids', 'wants', 'unwanted'];

/** Stands beside each key of such a chain that is asked for. */
const neverWritten = (kind: Chain['kind']): string => `${kind}NeverWritten`;

/** What all executions of the node share: how often one was to send something alone, and has given that up. */
const SHARED: ReadonlySet<string> = new Set(
  (['wants', 'unwanted'] as const).flatMap((kind) => [kind, neverWritten(kind)]),
);

/**
 * The keys of the log, as n8n's store holds them: those of one execution, and those that all executions
 * of the node share.
 */
export class LogKeys {
  constructor(
    readonly store: KeyStore,
    private readonly execution: string,
  ) {}

  /** One key. */
  key(kind: string, of: string, number: number): string {
    return hashOf(SHARED.has(kind) ? 'all' : this.execution, kind, of, number);
  }

  /**
   * Those of some keys that the log has, or that this process is about to write.
   *
   * @throws what n8n's database threw
   */
  async known(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const unwritten = [...processMemory.unwritten.values()].flatMap((one) => one.keys);
    return new Set([...unwritten, ...(await this.store.find([...new Set(keys)]))]);
  }

  /**
   * How long chains are.
   *
   * @param chains each with a length that it is known to have at least
   * @throws what n8n's database threw
   */
  async lengths(
    chains: ReadonlyArray<Chain & { readonly from: number }>,
  ): Promise<Map<string, number>> {
    const lengths = new Map<string, number>();
    let searched = chains.map((chain) => ({ ...chain, to: Infinity }));
    while (searched.length > 0) {
      const asked = searched.map((one) => ({ ...one, probes: probesIn(one) }));
      const found = await this.known(
        asked.flatMap(({ kind, of, probes }) =>
          probes.flatMap((number) => [
            this.key(kind, of, number),
            ...(ASKED_WITH_NEVER_WRITTEN.includes(kind)
              ? [this.key(neverWritten(kind), of, number)]
              : []),
          ]),
        ),
      );
      const has = ({ kind, of }: Chain, number: number): boolean =>
        found.has(this.key(kind, of, number)) &&
        !found.has(this.key(neverWritten(kind), of, number));
      searched = asked.flatMap(({ probes, ...one }) => {
        const last = probes.findLast((number) => has(one, number));
        const from = last === undefined ? one.from : last + 1;
        const to = probes.find((number) => number >= from) ?? one.to;
        if (from < to) return [{ ...one, from, to }];
        lengths.set(chainName(one), from);
        return [];
      });
    }
    return lengths;
  }
}

/** The numbers that narrow down where a chain ends; most writes are the only ones to say what they say. */
function probesIn({ kind, from, to }: Chain & { from: number; to: number }): number[] {
  if (to < Infinity) {
    const step = Math.ceil((to - from) / PROBES);
    return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
  }
  const count = kind === 'any' || kind === 'voids' ? PROBES : from === 0 ? 1 : 4;
  return Array.from({ length: count }, (_, index) => from + 2 ** index - 1);
}
