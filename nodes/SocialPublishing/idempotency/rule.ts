import type { Said } from './intent';

/** One entry of the log: the number of a write among those of the execution that say the same. */
export interface Entry extends Said {
  readonly number: number;
  /** The ID of the post that was found for an item whose number nobody knows. */
  readonly post?: unknown;
}

/** Names an entry of the log. */
export const nameOf = ({ full, number }: Pick<Entry, 'full' | 'number'>): string =>
  `${full}#${number}`;

/** What an item of a call asks for. */
export interface Recallable extends Said {
  /** The entry of its own result, by place, that was left open. */
  readonly left?: Entry | undefined;
}

/** What the log says of an entry: it was answered, it was certainly not created, or it may exist. */
export type EntryState = 'done' | 'void' | 'open';

/** What n8n has kept of the execution, and what this try has written so far: it is not asked for again. */
export interface Behind {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The entries of calls that ended well and that n8n may be repeating: nobody can tell. */
  readonly repeated: ReadonlySet<string>;
  /** Whether a call that n8n may be repeating is still running. */
  readonly isRunning: boolean;
  /** Whether there are calls that n8n has kept and whose results can't be read. */
  readonly isUnread: boolean;
}

/** What the log has of the execution. */
export interface Logged {
  /** How many entries say the same. */
  readonly lengths: ReadonlyMap<string, number>;
  /** What is known of entries, by name; nothing of those behind. */
  readonly states: ReadonlyMap<string, EntryState>;
  /** How many entries a destination has, and how many of them are void. */
  readonly counts: ReadonlyMap<string, { readonly entries: number; readonly voids: number }>;
  /** Whether n8n has dropped the oldest entries. */
  readonly isCut: boolean;
}

/** Why it can't be told whether an item was written. */
export type Why =
  /** n8n may be repeating a call that has written this. */
  | 'repeatedCall'
  /** The call that n8n may be repeating is still running. */
  | 'runningCall'
  /** It was written, perhaps by a call whose results can't be read. */
  | 'unreadCall'
  /** An earlier try wrote something that no item accounts for: it may be this, in other words. */
  | 'otherWords'
  /** n8n has dropped the oldest entries of the log: it isn't known any more what was written. */
  | 'cutLog';

/** What becomes of an item. */
export type Verdict =
  /** It was written: `entry` says what it is. */
  | { readonly kind: 'return'; readonly entry: Entry }
  /** It may have been written. */
  | { readonly kind: 'open'; readonly entry: Entry }
  | { readonly kind: 'held'; readonly why: Why }
  | { readonly kind: 'new' };

/** What the log has beyond what is behind. */
class Beyond {
  private readonly claimed: Set<string>;

  private readonly left = new Map<string, number>();

  constructor(
    private readonly logged: Logged,
    behind: Behind,
  ) {
    this.claimed = new Set(behind.entries.keys());
    for (const [destination, { entries, voids }] of logged.counts) {
      this.left.set(destination, entries - voids);
    }
    for (const { destination } of behind.entries.values()) this.take(destination);
  }

  /** How many entries of a destination nobody accounts for. */
  at(destination: string): number {
    return Math.max(0, this.left.get(destination) ?? 0);
  }

  /** The entries that say this and that nobody accounts for, those that were answered first. */
  saying({ full, destination }: Said): Array<Entry & { readonly state: EntryState }> {
    const { lengths, states } = this.logged;
    return Array.from({ length: lengths.get(full) ?? 0 }, (_, number) => {
      const state = states.get(nameOf({ full, number })) ?? 'void';
      return { full, destination, number, state };
    })
      .filter((entry) => entry.state !== 'void' && !this.claimed.has(nameOf(entry)))
      .sort((a, b) => Number(a.state === 'open') - Number(b.state === 'open'));
  }

  claim(entry: Entry): void {
    this.claimed.add(nameOf(entry));
    this.take(entry.destination);
  }

  private take(destination: string): void {
    this.left.set(destination, (this.left.get(destination) ?? 0) - 1);
  }
}

/** What becomes of the items of a call. */
export interface Recalled {
  /** In the order of the items. */
  readonly verdicts: readonly Verdict[];
  /** How many entries nobody accounts for, where they write to. */
  readonly unaccounted: number;
}

/** The log has nothing that the results don't have. */
export const nothingBeyond = (wanted: readonly Recallable[]): Recalled => ({
  verdicts: wanted.map(({ left }) =>
    left === undefined ? { kind: 'new' } : { kind: 'open', entry: left },
  ),
  unaccounted: 0,
});

/**
 * Says what becomes of the items of a call (docs/architecture.md, "The way of a write"). What n8n has
 * kept is behind us; what the log has beyond it may be asked for again.
 *
 * @param wanted the items of the call, in their order, without those whose own result by place is done
 */
export function recallRule(
  wanted: readonly Recallable[],
  behind: Behind,
  logged: Logged,
): Recalled {
  const beyond = new Beyond(logged, behind);
  const told = wanted.map(({ left, ...said }): Verdict | undefined => {
    const state = left && logged.states.get(nameOf(left));
    // Another retry may have got an answer since, or have sent it again.
    if (left !== undefined && state !== 'void') {
      return { kind: state === 'done' ? 'return' : 'open', entry: left };
    }
    const same = beyond.saying(said);
    const free = same.find((entry) => !behind.repeated.has(nameOf(entry)));
    if (free !== undefined) {
      if (free.state === 'done' && behind.isUnread) return { kind: 'held', why: 'unreadCall' };
      beyond.claim(free);
      return { kind: free.state === 'done' ? 'return' : 'open', entry: free };
    }
    return same.length > 0 ? { kind: 'held', why: 'repeatedCall' } : undefined;
  });
  const verdicts = wanted.map(({ destination }, index): Verdict => {
    const verdict = told[index];
    if (verdict !== undefined) return verdict;
    if (logged.isCut) return { kind: 'held', why: 'cutLog' };
    if (beyond.at(destination) > 0) return { kind: 'held', why: 'otherWords' };
    return behind.isRunning ? { kind: 'held', why: 'runningCall' } : { kind: 'new' };
  });
  const left = [...logged.counts.keys()].map((destination) => beyond.at(destination));
  return { verdicts, unaccounted: left.reduce((sum, count) => sum + count, 0) };
}
