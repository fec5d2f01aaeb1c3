import { type Chain, chainName, type LogKeys } from './chains';
import { hashOf, type Said } from './intent';
import { processMemory } from './processMemory';
import type { Entry } from './rule';

/** For how long what was claimed may be on its way, and not be in the service's list, in milliseconds. */
const UNDER_WAY_MS = 4 * 60_000;

/** A post, and what it may have been created to say. */
interface Made extends Said {
  readonly id: unknown;
}

/** All executions of the node share these. */
const madeKey = ({ destination, id }: Made): string => hashOf('made', destination, id);

const sameKey = ({ full, id }: Made): string => hashOf('same', full, id);

/** The keys that tell what a post was created for. */
export const keysOfMade = (post: Made): string[] => [madeKey(post), sameKey(post)];

/**
 * What all executions of a node share in the log: which posts they have created, and what only one of
 * them may send.
 */
export class NodeLog {
  /** What only one execution of the node may send, and the number with which this one does, if it does. */
  private readonly alone = new Map<string, number | undefined>();

  /** The next number with which something is claimed. */
  private readonly next = new Map<string, number>();

  constructor(
    private readonly keys: LogKeys,
    private readonly execution: string,
  ) {}

  /**
   * Which of some writes an execution of the node was to send alone, and hasn't given up. From then on,
   * this one does so, too.
   *
   * @returns `now` for what another execution of this process may be sending
   * @throws what n8n's database threw
   */
  async wanted(said: readonly Said[]): Promise<ReadonlyMap<string, true | 'now'>> {
    const fulls = [...new Set(said.map(({ full }) => full))];
    for (const full of fulls) this.alone.set(full, undefined);
    const chains = fulls.flatMap((of) => [
      { kind: 'wants', of, from: 0 } as const,
      { kind: 'unwanted', of, from: 0 } as const,
    ]);
    const lengths = await this.keys.lengths(chains);
    const lengthOf = (chain: Chain): number => lengths.get(chainName(chain)) ?? 0;
    const isNow = (full: string): boolean => {
      const { execution = this.execution, at = 0 } = processMemory.claims.get(full) ?? {};
      return execution !== this.execution && performance.now() - at < UNDER_WAY_MS;
    };
    for (const of of fulls) this.next.set(of, lengthOf({ kind: 'wants', of }));
    return new Map(
      fulls
        .filter((of) => lengthOf({ kind: 'wants', of }) > lengthOf({ kind: 'unwanted', of }))
        .map((full) => [full, isNow(full) ? 'now' : true]),
    );
  }

  /**
   * Takes what this execution is to send alone.
   *
   * @returns what another execution has taken meanwhile
   * @throws what n8n's database threw
   */
  async claim(entries: readonly Entry[]): Promise<ReadonlySet<string>> {
    const { alone, keys, next } = this;
    const claims = [...new Set(entries.map(({ full }) => full))]
      .filter((full) => alone.has(full) && alone.get(full) === undefined)
      .map((full) => ({ full, number: next.get(full) ?? 0 }));
    if (claims.length === 0) return new Set();
    for (const { full, number } of claims) next.set(full, number + 1);
    const had = await keys.store.add(
      claims.flatMap(({ full, number }) => [
        keys.key('wants', full, number),
        ...(number === 0 ? [] : [keys.key('unwanted', full, number - 1)]),
      ]),
    );
    const isElsewhere = ({ full, number }: (typeof claims)[number]): boolean =>
      had.has(keys.key('wants', full, number));
    for (const one of claims) {
      if (isElsewhere(one)) continue;
      alone.set(one.full, one.number);
      processMemory.claims.keep(one.full, { execution: this.execution, at: performance.now() });
    }
    return new Set(claims.filter(isElsewhere).map(({ full }) => full));
  }

  /**
   * Gives up what this execution was to send alone.
   *
   * @returns the keys that say so
   */
  giveUp(full: string): string[] {
    const claimed = this.alone.get(full);
    if (claimed === undefined) return [];
    this.alone.set(full, undefined);
    return [this.keys.key('unwanted', full, claimed)];
  }

  /**
   * What this node has created each of some posts for, in any execution: for this, or for something else;
   * `undefined` where it doesn't know the post.
   *
   * @throws what n8n's database threw
   */
  async purposes(posts: readonly Made[]): Promise<ReadonlyArray<'this' | 'other' | undefined>> {
    const known = await this.keys.known(posts.flatMap(keysOfMade));
    return posts.map((post) =>
      known.has(sameKey(post)) ? 'this' : known.has(madeKey(post)) ? 'other' : undefined,
    );
  }
}
