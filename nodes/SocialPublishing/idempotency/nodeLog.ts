import { chain, type LogKeys } from './chains';
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
  /** What only one execution may send: the next number of its claims, and that of this execution's own. */
  private readonly alone = new Map<string, { next: number; own?: number }>();

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
    const chains = fulls.flatMap((full) => [chain('wants', full), chain('unwanted', full)]);
    const lengths = await this.keys.lengths(new Map(chains.map((name) => [name, 0])));
    const sent = new Map<string, true | 'now'>();
    for (const full of fulls) {
      const next = lengths.get(chain('wants', full)) ?? 0;
      this.alone.set(full, { next });
      const isWanted = next > (lengths.get(chain('unwanted', full)) ?? 0);
      if (isWanted) sent.set(full, this.isUnderWay(full) ? 'now' : true);
    }
    return sent;
  }

  private isUnderWay(full: string): boolean {
    const { execution = this.execution, at = 0 } = processMemory.claims.get(full) ?? {};
    return execution !== this.execution && performance.now() - at < UNDER_WAY_MS;
  }

  /**
   * Takes what this execution is to send alone.
   *
   * @returns what another execution has taken meanwhile
   * @throws what n8n's database threw
   */
  async claim(entries: readonly Entry[]): Promise<ReadonlySet<string>> {
    const { keys } = this;
    const claims = [...new Set(entries.map(({ full }) => full))].flatMap((full) => {
      const one = this.alone.get(full);
      return one === undefined || one.own !== undefined ? [] : [{ full, one, number: one.next++ }];
    });
    if (claims.length === 0) return new Set();
    const had = await keys.store.add(
      claims.flatMap(({ full, number }) => [
        keys.key(chain('wants', full), number),
        ...(number === 0 ? [] : [keys.key(chain('unwanted', full), number - 1)]),
      ]),
    );
    const elsewhere = new Set<string>();
    for (const { full, one, number } of claims) {
      if (had.has(keys.key(chain('wants', full), number))) elsewhere.add(full);
      else {
        one.own = number;
        processMemory.claims.keep(full, { execution: this.execution, at: performance.now() });
      }
    }
    return elsewhere;
  }

  /**
   * Gives up what this execution was to send alone.
   *
   * @returns the keys that say so
   */
  giveUp(full: string): string[] {
    const one = this.alone.get(full);
    if (one?.own === undefined) return [];
    const { own } = one;
    delete one.own;
    return [this.keys.key(chain('unwanted', full), own)];
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
