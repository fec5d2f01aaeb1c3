import type { Left } from './results';
import { type Behind, type Entry, nameOf } from './rule';

/** How a sub-execution ended; `unknown` where n8n hasn't saved it. */
export type End = 'ok' | 'failed' | 'running' | 'unknown';

/** A sub-execution of a try, as far as this process has seen it. */
export interface Call {
  readonly id: string;
  /** The execution that called it. */
  readonly parent: string;
  /** What it was given, hashed. */
  readonly input: string;
  /** Whether the calling node waits for it. */
  readonly isAwaited: boolean;
  /** What it has written, by name. */
  readonly entries: Map<string, Entry>;
  end: End;
  /** Whether n8n may be calling again what this has done. */
  isRepeated: boolean;
}

/** One level of a sub-execution: what called it, and with what. */
type Level = Pick<Call, 'id' | 'parent' | 'input' | 'isAwaited'>;

/** The execution that everything began with, and the way from there. */
export interface Line {
  readonly root: string;
  readonly token: string | undefined;
  /** From the root's sub-execution to this one. */
  readonly levels: readonly Level[];
  /** Whether n8n has nothing of what called the root: its log may stand under another name. */
  readonly isOrphan: boolean;
}

/** One execution of a workflow from its start to its end, with all of its sub-executions: a retry is another. */
export class RootTry {
  /** The sub-executions by ID, in the order in which they were seen. */
  readonly calls = new Map<string, Call>();

  /** The entries of the sub-executions that n8n had kept when this try began; `undefined` for what can't be read. */
  readonly kept = new Map<string, readonly Entry[] | undefined>();

  /** n8n's context of the flow, where the node stands at the top. */
  flow: object | undefined;

  /** Whether the log may have what neither the results nor this process know. */
  mayHaveMore = false;

  /** The destinations where the log has nothing but what this try has written, or n8n has kept. */
  readonly clear = new Set<string>();

  /** The next number of each chain of the log. */
  private readonly next = new Map<string, number>();

  /** Whether somebody else may be writing for the same execution, until one group shows otherwise. */
  isContended: boolean | undefined;

  /** Whether somebody else was found to write for the same execution: this try sends nothing more. */
  isElsewhere = false;

  /** What was left open, by what it says: another round that says the same may mean the same. */
  readonly leftOpen = new Map<string, Left>();

  /** Whether n8n may have called again what a call has done. */
  hasRepeated = false;

  /** Takes notice that a chain is so long. */
  raise(chain: string, length: number): void {
    this.next.set(chain, Math.max(length, this.nextOf(chain)));
  }

  /** The next number of a chain. */
  nextOf(chain: string): number {
    return this.next.get(chain) ?? 0;
  }

  /** Whether it was found out how long a chain is. */
  knows(chain: string): boolean {
    return this.next.has(chain);
  }

  /** Takes notice that nothing got a number of a chain, nor those behind it. */
  giveBack(chain: string, number: number): void {
    this.next.set(chain, number);
  }

  /** Takes the next number of a chain. */
  take(chain: string): number {
    const number = this.nextOf(chain);
    this.next.set(chain, number + 1);
    return number;
  }

  /**
   * Takes notice of a call.
   *
   * @param endOf how a call ended
   * @returns the call; whether n8n repeats an earlier one shows in those
   */
  async enter(seen: Level, endOf: (call: Call) => Promise<End>): Promise<Call> {
    const known = this.calls.get(seen.id);
    if (known !== undefined) return known;
    const call: Call = { ...seen, entries: new Map(), end: 'running', isRepeated: false };
    const siblings = [...this.calls.values()].filter(({ parent }) => parent === call.parent);
    this.calls.set(call.id, call);
    const first = siblings.findIndex(({ input }) => input === call.input);
    const since = first === -1 ? [] : siblings.slice(first);
    for (const one of since) if (one.end !== 'ok') one.end = await endOf(one);
    const from = since.findIndex(
      ({ input }, index) =>
        input === call.input &&
        (!call.isAwaited || since.slice(index).some(({ end }) => end !== 'ok')),
    );
    for (const one of from === -1 ? [] : since.slice(from)) {
      one.isRepeated = true;
      this.hasRepeated = true;
    }
    return call;
  }
}

/**
 * What is behind a call of a try: what n8n has kept, and what the calls of the try have written. What a
 * call has written that failed and is repeated is asked for again: it isn't behind.
 *
 * @param path the calls that lead to the one that asks, that one included
 * @param own what the execution has written that asks
 */
export function behind(
  { calls, kept }: RootTry,
  path: readonly Call[],
  own: readonly Entry[],
): Behind {
  const lineOf = (call: Call): Call[] => {
    const above = calls.get(call.parent);
    return above === undefined ? [call] : [call, ...lineOf(above)];
  };
  const sure = [...own, ...[...kept.values()].flatMap((entries) => entries ?? [])];
  const repeated = new Set<string>();
  let isRunning = false;
  for (const call of calls.values()) {
    const line = lineOf(call);
    if (path.includes(call) || line.some(({ id }) => kept.get(id) !== undefined)) continue;
    const others = line.filter((one) => !path.includes(one));
    if (!others.some(({ isRepeated }) => isRepeated)) sure.push(...call.entries.values());
    else if (!others.some(({ end }) => end === 'failed')) {
      for (const entry of call.entries.values()) repeated.add(nameOf(entry));
      isRunning ||= others.some((one) => one.isRepeated && one.end === 'running');
    }
  }
  return {
    entries: new Map(sure.map((entry) => [nameOf(entry), entry])),
    repeated,
    isRunning,
    isUnread: [...kept].some(([id, entries]) => entries === undefined && !calls.has(id)),
  };
}
