/** How many entries are committed together: at least, and at most. */
export const SMALLEST = 8;
export const LARGEST = 64;

/** How far ahead of what has gone out a group is committed. */
export const AHEAD = 8;

/**
 * Splits entries into those that are committed together. n8n writes its whole log for each group, so a
 * large run has few of them. What is committed when n8n dies counts as sent, so a group is half as large
 * as all before it.
 */
export function groupsOf<T>(entries: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (let from = 0; from < entries.length;) {
    const size = Math.min(Math.max(SMALLEST, Math.floor(from / 2)), LARGEST);
    groups.push(entries.slice(from, from + size));
    from += size;
  }
  return groups;
}

/** How far the sending has come, for what is committed ahead of it. */
export class Progress {
  private readonly passed = new Set<unknown>();

  private isClosed = false;

  /** Lets whoever waits look again. */
  private wake = (): void => undefined;

  /** A write has gone out, or come to its end without a request: each counts once. */
  pass(write: unknown): void {
    this.passed.add(write);
    this.wake();
  }

  /** Waits until so many writes have gone out or ended; resolves to whether more will be sent. */
  async reach(count: number): Promise<boolean> {
    while (!this.isClosed && this.passed.size < count) {
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return !this.isClosed;
  }

  /** Ends all waiting: nothing more will be sent. */
  close(): void {
    this.isClosed = true;
    this.wake();
  }
}

/**
 * Commits groups one after the other, each a little before its first entry is sent, and gives out what
 * was committed: nothing else may be sent.
 *
 * @param commit commits one group; must not reject
 */
export async function* aheadOf<T, C>(
  entries: readonly T[],
  progress: Progress,
  commit: (group: readonly T[]) => Promise<readonly C[]>,
): AsyncGenerator<C> {
  let sent = 0;
  const commitNext = async (group: readonly T[] | undefined): Promise<readonly C[]> => {
    if (group === undefined) return [];
    return (await progress.reach(sent - AHEAD)) ? await commit(group) : [];
  };
  const groups = groupsOf(entries);
  let committed = commitNext(groups[0]);
  try {
    for (const [index, group] of groups.entries()) {
      const ready = await committed;
      sent += group.length;
      committed = commitNext(groups[index + 1]);
      yield* ready;
    }
  } finally {
    progress.close();
    await committed;
  }
}
