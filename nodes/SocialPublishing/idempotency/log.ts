import { countBy } from './counts';
import { type Grain, GRAINS, hashOf, type Intent, momentAt, momentOf } from './intent';
import { type Logged, NOTHING_LOGGED, type Recognized, type Tally } from './recognize';
import type { Results } from './results';
import { type KeyStore, MAX_KEYS } from './store';

/** How long a step of the time of commits is, in milliseconds. */
const STEP_MS = 10_000;

/** A key for each of the three grains, and one for the moment. */
export const KEYS_PER_INTENT = 4;

/**
 * How far apart the numbers of `any` are that are looked up when the next one is missing. It is less
 * than the log holds, so that n8n can't drop the oldest entries of a long execution unnoticed.
 */
const STRIDE = Math.floor(MAX_KEYS / KEYS_PER_INTENT / 2);

/** Up to which number of one execution they are looked up. */
const LONGEST_EXECUTION = 100_000;

/** An intent with the number that it has among those with the same value of a grain. */
export interface Entry {
  readonly intent: Intent;
  readonly numbers: Readonly<Record<Grain, number>>;
  /** Whether it is the first of this execution for its moment. */
  readonly isFirstForMoment: boolean;
}

/** Numbers of one value of a grain. */
interface Range {
  readonly grain: Grain;
  readonly value: string;
  readonly from: number;
  readonly count: number;
}

/** What an intent is, in how many tries it was sent, to name one more. */
export interface Attempt {
  readonly full: string;
  readonly number: number;
  /** 1 for the first time that it is sent again. */
  readonly attempt: number;
}

const byGrain = <T>(): Record<Grain, Map<string, T>> => ({
  full: new Map(),
  content: new Map(),
  any: new Map(),
});

const steps = (from: number, to: number): number[] => {
  const first = Math.floor(from / STEP_MS);
  return Array.from({ length: Math.floor(to / STEP_MS) - first + 1 }, (_, index) => first + index);
};

/**
 * The write-ahead log of one execution and its retries: what they may have sent. An entry is a key for
 * each grain with its number, and stands in n8n's database before a request goes out.
 */
export class IntentLog {
  private readonly execution: string;

  /** The moments for which another execution had written before. */
  private readonly othersMoments = new Set<string>();

  /** The last entry of each value of `any` that no result accounted for when the log was read. */
  private lastUnaccounted: readonly string[] = [];

  /** @param executionKey what the execution shares with its retries */
  constructor(
    private readonly store: KeyStore,
    executionKey: string,
  ) {
    this.execution = hashOf('execution', executionKey);
  }

  /**
   * Reads what the log has of intents beyond what results account for.
   *
   * @param isExact whether more entries than there are intents are counted, too: what is sent again
   * without being identified is numbered after all of them
   * @throws what n8n's database threw
   */
  async read(intents: readonly Intent[], results: Results, isExact = false): Promise<Logged> {
    const anys = [...new Set(intents.map(({ grains }) => grains.any))];
    const pruned = await this.prunedOf(anys, results);
    if (pruned === undefined) return NOTHING_LOGGED;
    const tallies = byGrain<Tally>();
    const lastUnaccounted = new Map<string, string>();
    let ranges = GRAINS.flatMap((grain) =>
      [...countBy(intents.map(({ grains }) => grains[grain]))].map(([value, count]) => {
        const accounted = results.accounted(grain, value);
        // One more than the intents: whether a content stands once in the log must show.
        return { grain, value, accounted, from: accounted, count: count + 1 };
      }),
    );
    while (ranges.length > 0) {
      const asked = ranges.map((range) => ({ ...range, keys: this.keysIn(range) }));
      const found = await this.store.find(asked.flatMap(({ keys }) => keys));
      for (const { grain, value, accounted, keys } of asked) {
        const there = keys.filter((key) => found.has(key));
        const { unaccounted = 0 } = tallies[grain].get(value) ?? {};
        tallies[grain].set(value, { accounted, unaccounted: unaccounted + there.length });
        if (grain === 'any' && there.length > 0) lastUnaccounted.set(value, there.at(-1)!);
      }
      ranges = asked
        .filter(({ keys }) => isExact && keys.every((key) => found.has(key)))
        .map(({ from, count, ...range }) => ({ ...range, from: from + count, count: 2 * count }));
    }
    this.lastUnaccounted = [...lastUnaccounted.values()];
    return { tallies, pruned };
  }

  /**
   * How many writes of one kind the log has beyond what results account for, up to `most`.
   *
   * @throws what n8n's database threw
   */
  async countUnaccounted(any: string, results: Results, most: number): Promise<number> {
    const next = results.accounted('any', any);
    const near = this.keysIn({ grain: 'any', value: any, from: next, count: most });
    return (await this.store.find([...near, ...this.farKeys(any, next + most - 1)])).size;
  }

  /**
   * Whether the log has anything of this execution.
   *
   * @throws what n8n's database threw
   */
  async hasEntries(): Promise<boolean> {
    return (await this.store.find([this.entriesKey])).size > 0;
  }

  /**
   * Which of the values of `any` n8n has dropped the oldest entries of.
   *
   * @returns `undefined` where the log has nothing that results don't account for
   */
  private async prunedOf(
    anys: readonly string[],
    results: Results,
  ): Promise<ReadonlySet<string> | undefined> {
    const asked = anys.map((any) => {
      const next = results.accounted('any', any);
      return { any, next: this.key('any', any, next), far: this.farKeys(any, next) };
    });
    const found = await this.store.find(asked.flatMap(({ next, far }) => [next, ...far]));
    const isPruned = ({ next, far }: (typeof asked)[number]): boolean =>
      !found.has(next) && far.some((key) => found.has(key));
    const pruned = new Set(asked.filter(isPruned).map(({ any }) => any));
    return pruned.size === 0 && !asked.some(({ next }) => found.has(next)) ? undefined : pruned;
  }

  /**
   * Numbers intents, each after those that the log has.
   *
   * @param unaccounted the entries of the log that nobody accounts for
   */
  static number(
    intents: readonly Intent[],
    results: Results,
    unaccounted: Recognized['unaccounted'],
  ): Entry[] {
    const given = byGrain<number>();
    const next = (grain: Grain, value: string): number => {
      const number =
        given[grain].get(value) ??
        results.accounted(grain, value) + (unaccounted[grain].get(value) ?? 0);
      given[grain].set(value, number + 1);
      return number;
    };
    const moments = new Set<string>();
    return intents.map((intent) => {
      const { full, content, any } = intent.grains;
      const moment = momentOf(intent);
      const isFirstForMoment =
        moment !== undefined && !moments.has(moment) && results.accounted('moment', moment) === 0;
      if (moment !== undefined) moments.add(moment);
      return {
        intent,
        numbers: {
          full: next('full', full),
          content: next('content', content),
          any: next('any', any),
        },
        isFirstForMoment,
      };
    });
  }

  /**
   * Writes down entries before they are sent.
   *
   * @param now Unix milliseconds
   * @returns whether they may be sent. They may not when somebody else writes for this execution at the
   * same time: has written one of them, or taken back what they are counted after. Then none of them
   * stays, as a gap in the numbers would hide what stands behind it
   * @throws what n8n's database threw; then nothing may be sent
   */
  async commit(entries: readonly Entry[], now: number): Promise<boolean> {
    const keys = entries.flatMap((entry) => this.keysOf(entry));
    const moments = entries.flatMap(({ intent, isFirstForMoment }) =>
      isFirstForMoment ? [momentOf(intent)!] : [],
    );
    const before = this.lastUnaccounted.filter((key) => !keys.includes(key));
    this.lastUnaccounted = [];
    const had = await this.store.add([
      ...keys,
      ...before,
      ...moments.map(momentKey),
      this.entriesKey,
      this.stepKey(Math.floor(now / STEP_MS)),
    ]);
    if (keys.some((key) => had.has(key)) || before.some((key) => !had.has(key))) {
      const written = [...keys, ...before, ...moments.map(momentKey)];
      const inVain = written.filter((key) => !had.has(key));
      if (inVain.length > 0) await this.store.remove(inVain);
      return false;
    }
    const others = moments.filter((moment) => had.has(momentKey(moment)));
    for (const moment of others) this.othersMoments.add(moment);
    if (others.length > 0) await this.store.add(others.map(sharedMomentKey));
    return true;
  }

  /**
   * Writes down that an intent is sent once more.
   *
   * @param now Unix milliseconds
   * @returns whether it may be sent: nobody else has written down the same attempt
   * @throws what n8n's database threw; then nothing may be sent
   */
  async attempt({ full, number, attempt }: Attempt, now: number): Promise<boolean> {
    const key = hashOf(this.execution, 'attempt', full, number, attempt);
    return !(await this.store.add([key, this.stepKey(Math.floor(now / STEP_MS))])).has(key);
  }

  /**
   * Takes entries back that were certainly not sent: of each value the highest numbers, as what counts
   * is how many there are. Where another retry has written behind them, they stay, and are held.
   *
   * @param results what is accounted for without them
   * @throws what n8n's database threw
   */
  async takeBack(
    entries: readonly Entry[],
    results: Results,
    unaccounted: Recognized['unaccounted'],
  ): Promise<void> {
    if (entries.length === 0) return;
    const last = IntentLog.number(
      entries.map(({ intent }) => intent),
      results,
      unaccounted,
    );
    const moments = last.flatMap(({ intent, isFirstForMoment }) => {
      const moment = momentOf(intent);
      return isFirstForMoment && moment !== undefined && !this.othersMoments.has(moment)
        ? [momentKey(moment)]
        : [];
    });
    const keys = [...last.flatMap((entry) => this.keysOf(entry)), ...moments];
    await this.store.remove(keys);
    const behind = new Map(
      last.map(({ intent: { grains }, numbers }) => [grains.any, numbers.any + 1]),
    );
    const next = [...behind].map(([any, number]) => this.key('any', any, number));
    if ((await this.store.find(next)).size > 0) await this.store.add(keys);
  }

  /**
   * When an earlier try may have committed something last.
   *
   * @param now Unix milliseconds
   * @param horizon how far back that matters, in milliseconds
   * @returns Unix milliseconds; 0 when it was too long ago to matter
   * @throws what n8n's database threw
   */
  async lastCommit(now: number, horizon: number): Promise<number> {
    const asked = steps(now - horizon, now);
    const found = await this.store.find(asked.map((step) => this.stepKey(step)));
    const last = asked.findLast((step) => found.has(this.stepKey(step)));
    return last === undefined ? 0 : Math.min(now, (last + 1) * STEP_MS);
  }

  /**
   * The items for whose moment another execution of this workflow has written, too.
   *
   * @throws what n8n's database threw
   */
  async shared(intents: readonly Intent[]): Promise<ReadonlySet<number>> {
    const keyOf = (intent: Intent): string => sharedMomentKey(momentOf(intent) ?? '');
    const timed = intents.filter((intent) => momentOf(intent) !== undefined);
    const found = await this.store.find([...new Set(timed.map(keyOf))]);
    return new Set(timed.filter((intent) => found.has(keyOf(intent))).map(({ item }) => item));
  }

  /**
   * Those of some moments, in Unix milliseconds, for which any execution of the node has written.
   *
   * @throws what n8n's database threw
   */
  async writtenFor(destination: string, moments: readonly number[]): Promise<ReadonlySet<number>> {
    const keyOf = (moment: number): string => momentKey(momentAt(destination, moment));
    const found = await this.store.find(moments.map(keyOf));
    return new Set(moments.filter((moment) => found.has(keyOf(moment))));
  }

  /**
   * Takes a post of the service as the result of an intent.
   *
   * @returns whether it is: no other intent has taken it
   * @throws what n8n's database threw
   */
  async take(intent: Intent, number: number, id: unknown): Promise<boolean> {
    const post = hashOf('post', intent.destination, id);
    const own = hashOf(this.execution, 'post', intent.grains.full, number, id);
    const had = await this.store.add([post, own]);
    return !had.has(post) || had.has(own);
  }

  /** The keys of numbers of `any` beyond one, in strides. */
  private farKeys(any: string, beyond: number): string[] {
    const keys: string[] = [];
    for (let number = STRIDE; number < LONGEST_EXECUTION; number += STRIDE) {
      if (number > beyond) keys.push(this.key('any', any, number));
    }
    return keys;
  }

  private get entriesKey(): string {
    return hashOf(this.execution, 'entries');
  }

  private keysOf({ intent, numbers }: Entry): string[] {
    return GRAINS.map((grain) => this.key(grain, intent.grains[grain], numbers[grain]));
  }

  private keysIn({ grain, value, from, count }: Range): string[] {
    return Array.from({ length: count }, (_, index) => this.key(grain, value, from + index));
  }

  private key(grain: Grain, value: string, number: number): string {
    return hashOf(this.execution, grain, value, number);
  }

  private stepKey(step: number): string {
    return hashOf(this.execution, 'step', step);
  }
}

/** All executions of the node share these: the second to write for a moment says so. */
const momentKey = (moment: string): string => hashOf('moment', moment);

const sharedMomentKey = (moment: string): string => hashOf('moment', moment, 'shared');
