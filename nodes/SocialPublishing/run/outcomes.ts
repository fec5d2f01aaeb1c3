import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemWrite } from '../operations/operation';
import type { Outcome } from '../service/outcome';

/** What came of each item; `undefined` while nothing was sent for it. */
export type ItemOutcomes = Array<Outcome<IDataObject[]> | undefined>;

/** What came of the writes of a run, by item. */
export type Outcomes = ReadonlyMap<number, Outcome<IDataObject>>;

/** What came of a run, by item. */
export interface Report {
  readonly results: ItemOutcomes;
  /** What was to be written for each item that was checked. */
  readonly writes: ReadonlyMap<number, ItemWrite>;
  /** The items that an earlier try of the execution has carried out. */
  readonly earlier: ReadonlySet<number>;
  /** The items whose post was there already. */
  readonly skipped: ReadonlySet<number>;
  /** The items whose moment has posts of this node for something else. */
  readonly besides: ReadonlySet<number>;
  /** The items whose post was found by looking. */
  readonly found: readonly number[];
  /** Whether a post that has the time of an item may not have been seen. */
  readonly mayMissPosts: boolean;
  /** The items that an earlier try has carried out, and of which only the log knows. */
  readonly withoutRecord: readonly number[];
  /** What each item is warned of that nothing was written for. */
  readonly warnings: ReadonlyMap<number, readonly string[]>;
  /** What is said of each item for which nothing is there. */
  readonly empty: readonly string[];
}

/** The report of a run of which no more is to be said than what came of each item. */
export const reportOf = (results: ItemOutcomes): Report => ({
  results,
  writes: new Map(),
  earlier: new Set(),
  skipped: new Set(),
  besides: new Set(),
  found: [],
  mayMissPosts: false,
  withoutRecord: [],
  warnings: new Map(),
  empty: [],
});

/** Whether nothing more is sent after this outcome. */
export const stopsSending = (
  context: IExecuteFunctions,
  outcome: Outcome<unknown> | undefined,
): boolean =>
  outcome?.ok === false && outcome.failure.concernsItemAlone !== true && !context.continueOnFail();

/** Whether nothing more is sent after these results. */
export const stopsRun = (
  context: IExecuteFunctions,
  results: Iterable<Outcome<unknown> | undefined>,
): boolean => [...results].some((result) => stopsSending(context, result));
