import { sleep } from 'n8n-workflow';

import { behind, type Call, type RootTry } from './calls';
import { chain, LogKeys } from './chains';
import type { NamedExecution } from './execution';
import type { Said } from './intent';
import { keysOfMade, NodeLog } from './nodeLog';
import { processMemory, type Unwritten } from './processMemory';
import type { Done, Results } from './results';
import {
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

/** A time in which the execution wrote something down to send it, in Unix milliseconds. */
export interface Send {
  /** What it is near to. */
  readonly near: number;
  readonly from: number;
  readonly to: number;
}

/** When the execution wrote down what it sent: one key for each of these, in milliseconds. */
const SENDS = 'sends';
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
    this.unwritten = processMemory.unwritten.take(of.key, () => ({
      keys: new Set(),
      planned: undefined,
    }));
  }

  /**
   * Recalls what is wanted together. Where the log has nothing but what this try has written, it isn't
   * asked.
   *
   * @param others where items write to that can't be read, as far as that is known
   * @throws what n8n's database threw
   */
  async recall(
    wanted: readonly Recallable[],
    others: ReadonlyArray<string | undefined>,
    results: Results,
  ): Promise<Recalled> {
    const { ofTry, of } = this;
    const all = [...wanted.map(({ destination }) => destination), ...others];
    const destinations = [...new Set(all.filter((one) => one !== undefined))];
    const isClear = all.every((one) => one !== undefined && ofTry.clear.has(one));
    if (!ofTry.mayHaveMore || (isClear && !ofTry.hasRepeated)) return nothingBeyond(wanted);
    if (destinations.length === 0) {
      return { verdicts: [], unaccounted: Number(await this.hasEntries()) };
    }
    await of.readKept();
    const left = await this.states(wanted.flatMap((one) => one.left ?? []));
    const own = results.entries().filter((entry) => left.get(nameOf(entry)) !== 'void');
    const isBehind = behind(ofTry, of.path, own);
    const logged = await this.read(wanted, destinations, isBehind.entries);
    const states = new Map([...logged.states, ...left]);
    const { verdicts, unaccounted } = recallRule(wanted, isBehind, { ...logged, states });
    for (const verdict of verdicts) if ('entry' in verdict) this.account(verdict.entry);
    const hasVoids = [...logged.counts.values()].some(({ voids }) => voids > 0);
    if (unaccounted === 0 && !hasVoids && !logged.isCut && !isBehind.isUnread) {
      for (const one of destinations) ofTry.clear.add(one);
    }
    return { verdicts, unaccounted };
  }

  /**
   * Reads what the log has of some destinations, and of what is wanted there.
   *
   * @throws what n8n's database threw
   */
  private async read(
    wanted: readonly Said[],
    destinations: readonly string[],
    behind: ReadonlyMap<string, Entry>,
  ): Promise<Logged> {
    const { ofTry } = this;
    const accounted = new Map<string, number>();
    for (const { destination, full, number } of behind.values()) {
      accounted.set(destination, (accounted.get(destination) ?? 0) + 1);
      ofTry.raise(chain('full', full), number + 1);
    }
    const fulls = [...new Set(wanted.map(({ full }) => full))];
    const lengths = await this.lengths(
      new Map([
        ...destinations.map((one) => [chain('any', one), accounted.get(one) ?? 0] as const),
        ...destinations.map((one) => [chain('voids', one), 0] as const),
        ...fulls.map((one) => [chain('full', one), ofTry.nextOf(chain('full', one))] as const),
      ]),
    );
    const lengthOf = (name: string): number => lengths.get(name) ?? 0;
    const count = destinations.reduce((sum, one) => sum + lengthOf(chain('any', one)), 0);
    ofTry.raise(REACH, count);
    if (count > 0) ofTry.isContended ??= true;
    const numbered = fulls.flatMap((full) =>
      Array.from({ length: lengthOf(chain('full', full)) }, (_, number) => ({ full, number })),
    );
    return {
      lengths: new Map(fulls.map((full) => [full, lengthOf(chain('full', full))])),
      states: await this.states(numbered.filter((entry) => !behind.has(nameOf(entry)))),
      counts: new Map(
        destinations.map((one) => [
          one,
          { entries: lengthOf(chain('any', one)), voids: lengthOf(chain('voids', one)) },
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
      this.keys.key(`${state} ${full}`, number);
    const found = await this.keys.known(
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
      (await this.keys.store.find([this.keys.key(REACH, 1)])).size > 0 || (await this.isCut(false))
    );
  }

  /**
   * Whether n8n has dropped the oldest entries of this execution.
   *
   * @param hasEntries whether others are there
   */
  private async isCut(hasEntries: boolean): Promise<boolean> {
    if (!(await this.keys.store.isFull())) return false;
    const [first = '', ...others] = reaches().map((count) => this.keys.key(REACH, count));
    if ((await this.keys.store.find([first])).size > 0) return false;
    return hasEntries || (await this.keys.store.find(others)).size > 0;
  }

  /** How long chains are, see {@link LogKeys.lengths}: each goes on there. */
  private async lengths(chains: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const lengths = await this.keys.lengths(chains);
    for (const [name, length] of lengths) this.ofTry.raise(name, length);
    return lengths;
  }

  /** Finds out how long the chains are that are not known yet: what is sent again was never asked for. */
  private async findEnds(wanted: readonly Said[]): Promise<void> {
    const { ofTry } = this;
    if (!ofTry.mayHaveMore) return;
    const chains = wanted
      .filter(({ destination }) => !ofTry.clear.has(destination))
      .flatMap(({ destination, full }) => [
        chain('any', destination),
        chain('voids', destination),
        chain('full', full),
      ])
      .filter((name) => !ofTry.knows(name));
    await this.lengths(new Map(chains.map((name) => [name, 0])));
  }

  /** The next key of a chain, which nothing else gets. */
  private nextKey(name: string): string {
    return this.keys.key(name, this.ofTry.take(name));
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

  /** One group after the other: where one can't be written, its numbers go to the next. */
  private async writeDown(wanted: readonly Said[]): Promise<Entry[] | undefined> {
    const { ofTry, keys, of } = this;
    await this.findEnds(wanted);
    const chains = wanted.flatMap(({ destination, full }) => [
      chain('any', destination),
      chain('full', full),
    ]);
    return await processMemory.rows.take(of.key, async () => {
      const before = [REACH, ...chains].map((name) => [name, ofTry.nextOf(name)] as const);
      const entries = wanted.map(({ destination, full }) => ({
        destination,
        full,
        number: ofTry.take(chain('full', full)),
      }));
      const own = entries.flatMap(({ destination, full, number }) => [
        this.nextKey(chain('any', destination)),
        keys.key(chain('full', full), number),
      ]);
      const reached = entries.map(() => ofTry.take(REACH) + 1).filter(isReach);
      const others = [
        ...reached.map((count) => keys.key(REACH, count)),
        keys.key(SENDS, Math.floor(Date.now() / STEP_MS)),
      ];
      const isContended = ofTry.isContended ?? false;
      const [claimed] = await Promise.allSettled([
        this.withAnswers(async (answers) =>
          keys.store.claim(own, [...answers, ...others], isContended),
        ),
      ]);
      if (claimed.status === 'rejected') {
        for (const [name, number] of before) ofTry.giveBack(name, number);
        throw claimed.reason;
      }
      if (!claimed.value) ofTry.isElsewhere = true;
      if (ofTry.isElsewhere) return undefined;
      ofTry.isContended = false;
      for (const entry of entries) this.account(entry);
      return entries;
    });
  }

  private account(entry: Entry): void {
    this.call?.entries.set(nameOf(entry), entry);
  }

  /** Writes what became of entries since the last time. Where that fails, it is written the next time. */
  private async withAnswers<T>(write: (answers: readonly string[]) => Promise<T>): Promise<T> {
    const answers = [...this.unwritten.keys];
    const written = await write(answers);
    for (const key of answers) this.unwritten.keys.delete(key);
    return written;
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
    const keys = [this.keys.key(`${state} ${full}`, number)];
    if (state === 'void') {
      this.call?.entries.delete(nameOf(entry));
      keys.push(this.nextKey(chain('voids', destination)), ...this.ofNode.giveUp(full));
    }
    if (id !== undefined) keys.push(...keysOfMade({ ...entry, id }));
    for (const key of keys) unwritten.keys.add(key);
    unwritten.planned ??= sleep(ANSWERED_WITHIN_MS).then(async () => {
      unwritten.planned = undefined;
      await this.flush();
    });
  }

  /** Writes down all that became of entries, if n8n's database takes it. */
  private async flush(): Promise<void> {
    if (this.unwritten.keys.size === 0) return;
    await Promise.allSettled([
      this.withAnswers(async (answers) => await this.keys.store.add(answers)),
    ]);
  }

  /**
   * Takes notice that a post was found for an item whose entry nobody knows.
   *
   * @returns what accounts for one entry of its destination
   */
  find({ destination, full }: Said, id: unknown): Entry {
    // The log has no number below 0.
    const entry = { destination, full, number: -Number(id) || -1, post: id };
    this.account(entry);
    return entry;
  }

  /** The IDs of posts that were found so for what isn't asked for again. */
  found(results: Results): unknown[] {
    const { entries } = behind(this.ofTry, this.of.path, results.entries());
    return [...entries.values()].flatMap(({ post }) => post ?? []);
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
    const keyOf = ({ step }: { readonly step: number }): string => this.keys.key(SENDS, step);
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
