import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import type { Quota } from '../service/outcome';
import { type Grain, GRAINS } from './intent';

/** What results are counted by. */
const COUNTED = [...GRAINS, 'moment'] as const;

type Counted = Grain | 'moment';

/** A write that was carried out. */
export interface Done {
  readonly state: 'done';
  readonly record: IDataObject;
  readonly quota: Quota;
}

/** A write that may or may not have been carried out. */
export interface Open {
  readonly state: 'open';
  /** The message that it ended with; absent when it did not end. */
  readonly message?: string;
  /** When it was sent first, in Unix milliseconds; absent when that is not known. */
  readonly sentAt?: number;
  /** When it ended, in Unix milliseconds; absent when that is not known. */
  readonly endedAt?: number;
  /** The time that it was sent with; absent when that is not known, or there was none. */
  readonly scheduledAt?: string;
  /** Whether it was recognized in the log as what an earlier try of the execution had left. */
  readonly isFromLog?: true;
  /** The IDs of the posts that may be this one, once the service was asked. */
  readonly candidates?: readonly unknown[];
}

/** Which write it is. */
export interface About {
  readonly item: number;
  readonly destination: string;
  /** The entry of the intent log that it accounts for: the value of each grain, and its moment. */
  readonly entry: Readonly<Partial<Record<Counted, string>>>;
  /** Which of the log's entries with the same value of `full` it is. */
  readonly number: number;
  /** How often it was sent again. */
  readonly attempts: number;
  /** What it says in words alone, by which a later run recognizes it. */
  readonly text: string;
  /** What it says in full, by which a later call of a tool recognizes it. */
  readonly full: string;
  /** The API key, hashed. */
  readonly key: string;
}

/** Where the result of a write is kept. */
export type Place = Pick<About, 'item' | 'destination' | 'full'>;

/** What this execution has got of one write so far. */
export type Result = About &
  (Done | Open) & {
    /** Which run of the node wrote it, as n8n counts. */
    readonly run: number;
    /** The execution that wrote it or was last answered with it: a retry has another. */
    readonly execution: string;
  };

/** Who asks for results. */
export interface Asking {
  /** n8n's ID of the node. */
  readonly node: string;
  readonly run: number;
  readonly execution: string;
  /** Whether the node works for an AI agent, which starts over when the execution is retried. */
  readonly isTool: boolean;
}

const isResult = (value: unknown): value is Result =>
  isObject(value) &&
  isObject(value.entry) &&
  typeof value.destination === 'string' &&
  (value.state === 'open' || (value.state === 'done' && isObject(value.record)));

const ROOM = 'socialPublishing';

function child(parent: IDataObject, name: string): IDataObject {
  const existing = parent[name];
  if (isObject(existing)) return existing;
  const made: IDataObject = {};
  parent[name] = made;
  return made;
}

/**
 * What the nodes of this package have got so far in one execution: by node, run, item and destination.
 *
 * It stands in n8n's context of the flow, which Retry On Fail, a wait and the retry of a failed
 * execution keep, and a crash or a stop does not. A new execution begins with none: it is a new intent.
 */
export class Results {
  private readonly nodes: IDataObject;

  private readonly own: IDataObject;

  /** How many results account for an entry of the log, by what they are counted by. */
  private readonly counts: Record<Counted, Map<string, number>> = {
    full: new Map(),
    content: new Map(),
    any: new Map(),
    moment: new Map(),
  };

  /** @param flow n8n's context of the flow */
  constructor(
    flow: IDataObject,
    private readonly asking: Asking,
  ) {
    this.nodes = child(child(flow, ROOM), 'results');
    this.own = child(this.nodes, asking.node);
    for (const [, result] of this.all()) this.count(result, 1);
  }

  private all(): Array<[string, Result]> {
    return Object.entries(this.own).filter((entry): entry is [string, Result] =>
      isResult(entry[1]),
    );
  }

  /** For an agent that started over, what an earlier try wrote is open until the agent asks again. */
  private isAccounted({ execution }: Result): boolean {
    return !this.asking.isTool || execution === this.asking.execution;
  }

  private count(result: Result, by: 1 | -1): void {
    if (!this.isAccounted(result)) return;
    for (const grain of COUNTED) {
      const value = result.entry[grain];
      if (value === undefined) continue;
      this.counts[grain].set(value, this.accounted(grain, value) + by);
    }
  }

  /** Several calls of a tool may share a run: what tells them apart is what they say. */
  private keyOf({ item, destination, full }: Place): string {
    const { run, execution, isTool } = this.asking;
    return isTool ? `${execution}:${full}` : `${run}:${item}:${destination}`;
  }

  /** The result of an item at a destination. */
  find(place: Place): Result | undefined {
    const result = this.own[this.keyOf(place)];
    return isResult(result) ? result : undefined;
  }

  /** The result of an item, wherever it was written. */
  findAnywhere(item: number): Result | undefined {
    return this.all().find(
      ([, result]) => result.item === item && result.run === this.asking.run && !this.asking.isTool,
    )?.[1];
  }

  /**
   * What another run of the node sent and left open that says the same, media and time aside. What was
   * recognized in the log is not meant: the log tells how many there are.
   *
   * A tool's calls have no place that tells whether n8n or the model repeats one, so that any call that
   * ended open is meant, and what was recognized in the log, too.
   */
  openElsewhere(text: string): Result | undefined {
    const { run, isTool } = this.asking;
    return this.all().find(
      ([, result]) =>
        result.state === 'open' &&
        (result.endedAt !== undefined || (isTool && result.isFromLog === true)) &&
        result.text === text &&
        (isTool || result.run !== run),
    )?.[1];
  }

  /** What an earlier call of a tool wrote that says exactly the same. */
  sameCall(full: string): Result | undefined {
    return this.all().find(([, result]) => result.full === full)?.[1];
  }

  /** How many entries of the log the results account for, or have for a moment. */
  accounted(grain: Counted, value: string): number {
    return this.counts[grain].get(value) ?? 0;
  }

  /** What all nodes of the execution have at a destination. */
  at(destination: string): Result[] {
    return Object.values(this.nodes).flatMap((results) =>
      Object.values(isObject(results) ? results : {})
        .filter(isResult)
        .filter((result) => result.destination === destination),
    );
  }

  /**
   * The moments that nodes of the execution have posts for at a destination, or may have.
   *
   * @returns by Unix milliseconds, whether the post is there or may be
   */
  momentsAt(destination: string): Map<number, Result['state']> {
    const moments = this.at(destination).map((one): [number, Result['state']] => {
      const time = one.state === 'done' ? one.record.scheduledAt : one.scheduledAt;
      return [typeof time === 'string' ? Date.parse(time) : NaN, one.state];
    });
    return new Map(moments.filter(([moment]) => !Number.isNaN(moment)));
  }

  /** Whether a result is that of an item of this run. */
  isOwn(result: Result): boolean {
    return this.own[this.keyOf(result)] === result;
  }

  /** Keeps what became of an item, in place of what was there. */
  keep(about: About, became: Done | Open): void {
    const { run, execution } = this.asking;
    this.forget(about);
    const result: Result = { ...about, ...became, run, execution };
    this.own[this.keyOf(about)] = result;
    this.count(result, 1);
  }

  /** Takes a result of an earlier call as that of this execution, too. */
  claim(result: Result): void {
    const [key] = this.all().find(([, one]) => one === result) ?? [];
    if (key === undefined || this.isAccounted(result)) return;
    const claimed: Result = { ...result, execution: this.asking.execution };
    this.own[key] = claimed;
    this.count(claimed, 1);
  }

  /** Forgets an item of which it is certain that nothing was written. */
  forget(place: Place): void {
    const result = this.find(place);
    if (result === undefined) return;
    delete this.own[this.keyOf(place)];
    this.count(result, -1);
  }
}
