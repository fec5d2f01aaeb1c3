import { sleep } from 'n8n-workflow';

import { behind, type Call, type RootTry } from './calls';
import { type Chain, chainName, LogKeys } from './chains';
import type { NamedExecution } from './execution';
import type { Said } from './intent';
import { keysOfMade, NodeLog } from './nodeLog';
import { processMemory, type Unwritten } from './processMemory';
import type { Done, Results } from './results';
import {
  type Behind,
  type Entry,
  type EntryState,
  type Logged,
  nameOf,
  nothingBeyond,
  type Recallable,
  type Recalled,
  recallRule,
} from './rule';

/** How many keys of the store one post has, at most: this and what groups share is what MAX_KEYS holds. */
export const KEYS_PER_POST = 6;

/** How soon an answer stands in the log, in milliseconds: what n8n's death takes with it is uncertain. */
const ANSWERED_WITHIN_MS = 250;

/** After how many entries the log says how far it has come; before that, at each power of two. */
const REACH_STRIDE = 256;

/** How many entries an execution may have for it to show that n8n has dropped the oldest of them. */
const LONGEST_EXECUTION = 100_000;

/** When the execution wrote down what it sent. */
const SENDS = 'sends';

/** A time in which the execution wrote something down to send it, in Unix milliseconds. */
export interface Send {
  /** What it is near to. */
  readonly near: number;
  readonly from: number;
  readonly to: number;
}

/** How exactly the log says that, in milliseconds. */
const STEP_MS = 60_000;

/** How many entries the execution has, over all destinations. */
const REACH = 'reach';

/** At which counts of entries the log says that it has come so far. */
const reaches = (): number[] => [
  ...Array.from({ length: Math.log2(REACH_STRIDE) }, (_, power) => 2 ** power),
  ...Array.from({ length: LONGEST_EXECUTION / REACH_STRIDE }, (_, i) => (i + 1) * REACH_STRIDE),
];

const isReach = (count: number): boolean =>
  count < REACH_STRIDE ? Number.isInteger(Math.log2(count)) : count % REACH_STRIDE === 0;

/**
 * The write-ahead log of one execution with its retries and sub-executions: what they may have sent, and
 * what became of it. An entry stands in n8n's database before its request goes out. Nothing is ever
 * taken back.
 */
export class IntentLog {
  /** What all executions of the node share. */
  readonly ofNode: NodeLog;

  private readonly keys: LogKeys;

  readonly ofTry: RootTry;

  /** The sub-execution that writes; `undefined` at the top. */
  private readonly call: Call | undefined;

  private readonly unwritten: Unwritten;

  constructor(private readonly of: NamedExecution) {
    this.keys = new LogKeys(of.store, of.key);
    this.ofNode = new NodeLog(this.keys, of.key);
    this.ofTry = of.ofTry;
    this.call = of.path.at(-1);
    this.unwritten = processMemory.unwritten.take(of.key, () => ({ keys: [], planned: undefined }));
  }

  /**
   * Recalls what is wanted together. Where the log has nothing but what this try has written, it isn't
   * asked.
   *
   * @param others where items write to whose fields can't be read, as far as that is known
   * @throws what n8n's database threw
   */
  async recall(
    wanted: readonly Recallable[],
    others: ReadonlyArray<string | undefined>,
    results: Results,
  ): Promise<Recalled> {
    const { ofTry, of } = this;
    const destinations = [...wanted.map(({ destination }) => destination), ...others];
    const isClear = (one: string | undefined): boolean => one !== undefined && ofTry.clear.has(one);
    if (!ofTry.mayHaveMore || (destinations.every(isClear) && !ofTry.hasRepeated)) {
      return nothingBeyond(wanted);
    }
    // A try before this one, in this process, may have had answers that aren't written yet.
    await this.flush();
    await of.readKept();
    const left = await this.states(wanted.flatMap((one) => one.left ?? []));
    const own = results.entries().filter((entry) => left.get(nameOf(entry)) !== 'void');
    const isBehind = behind(ofTry, of.path, own);
    const known = new Set(destinations.filter((one) => one !== undefined));
    const logged = await this.read(wanted, [...known], isBehind);
    const states = new Map([...logged.states, ...left]);
    const recalled = recallRule(wanted, isBehind, { ...logged, states });
    for (const verdict of recalled.verdicts) if ('entry' in verdict) this.account(verdict.entry);
    for (const [destination, { voids }] of logged.counts) {
      const isAll = voids === 0 && recalled.unaccounted(destination) === 0;
      if (isAll && !logged.isCut && !isBehind.isUnread) ofTry.clear.add(destination);
    }
    return known.size > 0 || !(await this.hasEntries())
      ? recalled
      : { ...recalled, unaccounted: () => 1 };
  }

  /**
   * Reads what the log has of some destinations, and of what is wanted there.
   *
   * @throws what n8n's database threw
   */
  private async read(
    wanted: readonly Said[],
    destinations: readonly string[],
    { entries: behind }: Behind,
  ): Promise<Logged> {
    const { ofTry } = this;
    const accounted = new Map<string, number>();
    for (const { destination, full, number } of behind.values()) {
      accounted.set(destination, (accounted.get(destination) ?? 0) + 1);
      ofTry.raise(chainName({ kind: 'full', of: full }), number + 1);
    }
    const fulls = [...new Set(wanted.map(({ full }) => full))];
    const chainsOf = (kind: Chain['kind'], values: readonly string[]): Chain[] =>
      values.map((of) => ({ kind, of }));
    const lengths = await this.lengths([
      ...chainsOf('any', destinations).map((one) => ({
        ...one,
        from: accounted.get(one.of) ?? 0,
      })),
      ...chainsOf('voids', destinations).map((one) => ({ ...one, from: 0 })),
      ...chainsOf('full', fulls).map((one) => ({ ...one, from: ofTry.nextOf(chainName(one)) })),
    ]);
    const lengthOf = (kind: Chain['kind'], of: string): number =>
      lengths.get(chainName({ kind, of })) ?? 0;
    const count = destinations.reduce((sum, one) => sum + lengthOf('any', one), 0);
    ofTry.raise(REACH, count);
    if (count > 0) ofTry.isContended ??= true;
    const numbered = fulls.flatMap((full) =>
      Array.from({ length: lengthOf('full', full) }, (_, number) => ({ full, number })),
    );
    return {
      lengths: new Map(fulls.map((full) => [full, lengthOf('full', full)])),
      states: await this.states(numbered.filter((entry) => !behind.has(nameOf(entry)))),
      counts: new Map(
        destinations.map((one) => [
          one,
          { entries: lengthOf('any', one), voids: lengthOf('voids', one) },
        ]),
      ),
      isCut: await this.isCut([...lengths.values()].some((length) => length > 0)),
    };
  }

  /**
   * What the log says of entries, by name.
   *
   * @throws what n8n's database threw
   */
  async states(
    entries: ReadonlyArray<Pick<Entry, 'full' | 'number'>>,
  ): Promise<Map<string, EntryState>> {
    const keyOf = (state: EntryState, { full, number }: (typeof entries)[number]): string =>
      this.keys.key(state, full, number);
    const found = await this.keys.store.find(
      entries.flatMap((entry) => [keyOf('done', entry), keyOf('void', entry)]),
    );
    return new Map(
      entries.map((entry) => {
        const isDone = found.has(keyOf('done', entry));
        const isVoid = found.has(keyOf('void', entry));
        // Both are seen only while another process asks for them.
        return [nameOf(entry), isDone === isVoid ? 'open' : isDone ? 'done' : 'void'];
      }),
    );
  }

  /** Whether the log has anything of this execution. */
  private async hasEntries(): Promise<boolean> {
    return (
      (await this.keys.store.find([this.keys.key(REACH, '', 1)])).size > 0 ||
      (await this.isCut(false))
    );
  }

  /**
   * Whether n8n has dropped the oldest entries of this execution.
   *
   * @param hasEntries whether others are there
   */
  private async isCut(hasEntries: boolean): Promise<boolean> {
    if (!(await this.keys.store.isFull())) return false;
    const [first = '', ...others] = reaches().map((count) => this.keys.key(REACH, '', count));
    if ((await this.keys.store.find([first])).size > 0) return false;
    return hasEntries || (await this.keys.store.find(others)).size > 0;
  }

  /** How long chains are, see {@link LogKeys.lengths}: each goes on there. */
  private async lengths(
    chains: Parameters<LogKeys['lengths']>[0],
  ): Promise<ReadonlyMap<string, number>> {
    const lengths = await this.keys.lengths(chains);
    for (const [chain, length] of lengths) this.ofTry.raise(chain, length);
    return lengths;
  }

  /** Finds out how long the chains are that are not known yet: what is sent again was never asked for. */
  private async findEnds(wanted: readonly Said[]): Promise<void> {
    const { ofTry } = this;
    if (!ofTry.mayHaveMore) return;
    const chains = wanted
      .filter(({ destination }) => !ofTry.clear.has(destination))
      .flatMap(({ destination, full }): Chain[] => [
        { kind: 'any', of: destination },
        { kind: 'voids', of: destination },
        { kind: 'full', of: full },
      ])
      .filter((chain) => !ofTry.knows(chainName(chain)));
    const once = new Map(chains.map((chain) => [chainName(chain), chain]));
    await this.lengths([...once.values()].map((chain) => ({ ...chain, from: 0 })));
  }

  /**
   * Writes down writes before they are sent.
   *
   * @returns their entries, without those that another execution sends; `undefined` when none may be
   * sent, as somebody else writes for this execution at the same time
   * @throws what n8n's database threw; then nothing may be sent
   */
  async commit(wanted: readonly Said[]): Promise<ReadonlyArray<Entry | undefined> | undefined> {
    if (this.ofTry.isElsewhere) return undefined;
    const entries = await this.writeDown(wanted);
    if (entries === undefined) return undefined;
    const [elsewhere] = await Promise.allSettled([this.ofNode.claim(entries)]);
    const isSent = ({ full }: Entry): boolean =>
      elsewhere.status === 'fulfilled' && !elsewhere.value.has(full);
    for (const entry of entries) if (!isSent(entry)) this.end(entry, 'void');
    if (elsewhere.status === 'rejected') throw elsewhere.reason;
    return entries.map((entry) => (isSent(entry) ? entry : undefined));
  }

  private async writeDown(wanted: readonly Said[]): Promise<Entry[] | undefined> {
    const { ofTry } = this;
    await this.findEnds(wanted);
    const entries = wanted.map(({ destination, full }) => ({
      destination,
      full,
      number: ofTry.take(chainName({ kind: 'full', of: full })),
    }));
    const own = entries.flatMap(({ destination, full, number }) => [
      this.keys.key('any', destination, ofTry.take(chainName({ kind: 'any', of: destination }))),
      this.keys.key('full', full, number),
    ]);
    const reached = entries.map(() => ofTry.take(REACH) + 1).filter(isReach);
    const answers = this.unwritten.keys;
    this.unwritten.keys = [];
    const others = [
      ...answers,
      ...reached.map((count) => this.keys.key(REACH, '', count)),
      this.keys.key(SENDS, '', Math.floor(Date.now() / STEP_MS)),
    ];
    const [claimed] = await Promise.allSettled([
      this.keys.store.claim(own, [...new Set(others)], ofTry.isContended ?? false),
    ]);
    if (claimed.status === 'rejected') {
      this.unwritten.keys.push(...answers);
      throw claimed.reason;
    }
    if (!claimed.value) ofTry.isElsewhere = true;
    if (ofTry.isElsewhere) return undefined;
    ofTry.isContended = false;
    for (const entry of entries) this.account(entry);
    return entries;
  }

  private account(entry: Entry): void {
    this.call?.entries.set(nameOf(entry), entry);
  }

  /**
   * Writes down what became of an entry, with the next group, or soon.
   *
   * @param id that of the post that was created
   */
  end(entry: Entry, state: Exclude<EntryState, 'open'>, id?: unknown): void {
    const { unwritten } = this;
    const { destination, full, number } = entry;
    this.ofTry.leftOpen.delete(full);
    unwritten.keys.push(this.keys.key(state, full, number));
    if (state === 'void') {
      this.call?.entries.delete(nameOf(entry));
      const count = this.ofTry.take(chainName({ kind: 'voids', of: destination }));
      unwritten.keys.push(this.keys.key('voids', destination, count));
      unwritten.keys.push(...this.ofNode.giveUp(full));
    }
    if (id !== undefined) unwritten.keys.push(...keysOfMade({ ...entry, id }));
    unwritten.planned ??= sleep(ANSWERED_WITHIN_MS).then(async () => {
      unwritten.planned = undefined;
      await this.flush();
    });
  }

  /**
   * Takes notice that a post was found for an item whose entry nobody knows.
   *
   * @returns what accounts for one entry of its destination
   */
  find(said: Said, id: unknown): Entry {
    const { found } = this.ofTry;
    found.add(id);
    const entry = { destination: said.destination, full: said.full, number: -found.size };
    this.account(entry);
    return entry;
  }

  /** Writes down all that became of entries. Where that fails, a retry holds what it could return. */
  private async flush(): Promise<void> {
    const keys = [...new Set(this.unwritten.keys)];
    this.unwritten.keys = [];
    if (keys.length > 0) await Promise.allSettled([this.keys.store.add(keys)]);
  }

  /**
   * When the execution wrote down what it was to send, near some moments.
   *
   * @param times Unix milliseconds
   * @param before how far before them that matters, in milliseconds
   * @param after how far after them, in milliseconds
   * @returns for each of them the times of which the log knows
   * @throws what n8n's database threw
   */
  async sends(times: readonly number[], before: number, after: number): Promise<readonly Send[]> {
    const asked = times.flatMap((time) => {
      const first = Math.floor((time - before) / STEP_MS);
      const count = Math.floor((time + after) / STEP_MS) - first + 1;
      return Array.from({ length: count }, (_, index) => ({ time, step: first + index }));
    });
    const keyOf = ({ step }: { readonly step: number }): string => this.keys.key(SENDS, '', step);
    const found = await this.keys.store.find([...new Set(asked.map(keyOf))]);
    return asked
      .filter((one) => found.has(keyOf(one)))
      .map(({ time, step }) => ({ near: time, from: step * STEP_MS, to: (step + 1) * STEP_MS }));
  }

  /** Remembers what was written for an entry, for as long as this process lives. */
  remember(entry: Entry, written: Done): void {
    processMemory.records.keep(`${this.of.key} ${nameOf(entry)}`, written);
  }

  /** What was written for an entry, where this process remembers it. */
  remembered(entry: Entry): Done | undefined {
    return processMemory.records.get(`${this.of.key} ${nameOf(entry)}`);
  }
}
