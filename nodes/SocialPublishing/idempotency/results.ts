import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import type { Quota } from '../service/outcome';
import type { Intent } from './intent';
import type { Entry } from './rule';

/** A write that was carried out. */
export interface Done {
  readonly state: 'done';
  /** The record as the service returned it; absent where only the log knows that it was written. */
  readonly record?: IDataObject;
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
  /** The IDs of the posts that may be this one, once the service was asked. */
  readonly candidates?: readonly unknown[];
}

/** A write that was left open, with its entry of the log. */
export type Left = Open & { readonly entry: Entry };

/** What this execution has got of one write so far. */
export type Result = (Done | Open) & {
  readonly item: number;
  /** The entry of the log that it accounts for; absent where nobody knows which. */
  readonly entry: Entry;
  /** What it says apart from the time, hashed. */
  readonly timeless: string;
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

/** Where a result stands among those of a node. */
export type Place = Pick<Intent, 'item' | 'destination' | 'full' | 'timeless'>;

const isResult = (value: unknown): value is Result =>
  isObject(value) &&
  isObject(value.entry) &&
  typeof value.entry.full === 'string' &&
  (value.state === 'open' || value.state === 'done');

/** Where the nodes of this package keep what they have got, in n8n's context of the flow. */
export const RESULTS_ROOM = 'socialPublishing';

function child(parent: IDataObject, name: string): IDataObject {
  const existing = parent[name];
  if (isObject(existing)) return existing;
  const made: IDataObject = {};
  parent[name] = made;
  return made;
}

/** The entries of the log that the results of a node account for, in a saved context of the flow. */
export function entriesIn(flow: unknown, node: string): Entry[] {
  const room = isObject(flow) ? flow[RESULTS_ROOM] : undefined;
  const results = isObject(room) && isObject(room[node]) ? room[node] : {};
  return Object.values(results)
    .filter(isResult)
    .map(({ entry }) => entry);
}

/**
 * What the nodes of this package have got so far in one (sub-)execution: by node, run, item and
 * destination.
 *
 * It stands in n8n's context of the flow, which Retry On Fail, a wait and the retry of a failed
 * execution keep, and a crash or a stop does not. A new execution begins with none: it is a new intent.
 */
export class Results {
  /** @param flow n8n's context of the flow */
  constructor(
    private readonly flow: IDataObject,
    private readonly asking: Asking,
  ) {}

  private get own(): IDataObject {
    return child(child(this.flow, RESULTS_ROOM), this.asking.node);
  }

  private get all(): Result[] {
    return Object.values(this.own).filter(isResult);
  }

  /** Several calls of a tool may share a run: what tells them apart is what they say. */
  private keyOf({ item, destination, full }: Place): string {
    const { run, isTool } = this.asking;
    return isTool ? full : `${run}:${item}:${destination}`;
  }

  /** The result of an item at a destination. */
  find(place: Place): Result | undefined {
    const result = this.own[this.keyOf(place)];
    return isResult(result) ? result : undefined;
  }

  /** The results of the items of this run, wherever they were written; a tool's calls have no place. */
  byItem(): Map<number, Result> {
    const { run, isTool } = this.asking;
    const ofRun = this.all.filter((result) => !isTool && result.run === run);
    return new Map(ofRun.map((result) => [result.item, result]));
  }

  /**
   * The entries of the log that the results account for. For an agent that started over, what an
   * earlier try wrote is not accounted for until the agent asks again.
   */
  entries(): Entry[] {
    const { isTool, execution } = this.asking;
    return this.all
      .filter((result) => !isTool || result.execution === execution)
      .map(({ entry }) => entry);
  }

  /** Whether an earlier call of a tool may have written the same, perhaps for another time. */
  mayHave({ timeless }: Place): boolean {
    const says = (one: Result): boolean => one.state === 'open' && one.timeless === timeless;
    return this.asking.isTool && this.all.some(says);
  }

  /** What all nodes of the execution have at a destination. */
  at(destination: string): Result[] {
    return Object.values(child(this.flow, RESULTS_ROOM)).flatMap((results) =>
      Object.values(isObject(results) ? results : {})
        .filter(isResult)
        .filter(({ entry }) => entry.destination === destination),
    );
  }

  /** Keeps what became of an item, in place of what was there. */
  keep(place: Place, entry: Entry, became: Done | Open): void {
    const { item, timeless } = place;
    const { run, execution } = this.asking;
    const result: Result = { ...became, item, entry, timeless, run, execution };
    this.own[this.keyOf(place)] = result;
  }

  /** Takes a result of an earlier call as that of this execution, too. */
  claim(place: Place, result: Result): void {
    this.own[this.keyOf(place)] = { ...result, execution: this.asking.execution };
  }

  /** Forgets an item of which it is certain that nothing was written. */
  forget(place: Place): void {
    delete this.own[this.keyOf(place)];
  }
}
