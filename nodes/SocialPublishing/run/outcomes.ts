import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemWrite } from '../operations/operation';
import type { Outcome } from '../service/outcome';

/** What came of each item; `undefined` while nothing was sent for it. */
export type ItemOutcomes = ReadonlyArray<Outcome<IDataObject[]> | undefined>;

/** Where a record comes from that is no answer to a request of this run. */
export type Whence =
  /** An earlier try of the execution has carried it out. */
  | 'earlier'
  /** It was found by looking. */
  | 'found'
  /** It was there already. */
  | 'skipped';

/** What came of one item of a run. */
export interface ItemReport {
  readonly outcome: Outcome<IDataObject[]> | undefined;
  readonly whence?: Whence | undefined;
  /** What was to be written, where the item was checked. */
  readonly write?: ItemWrite | undefined;
  /** Whether its moment has posts of this node for something else. */
  readonly isBeside?: boolean | undefined;
  /** Whether an earlier try has carried it out, and only the log knows of it. */
  readonly isUnseen?: boolean | undefined;
  /** What is warned of beside the warnings of a write. */
  readonly warnings?: readonly string[];
  /** What is said when nothing is there. */
  readonly whenEmpty?: string;
}

/** What came of a run, in the order of the items. */
export type Report = readonly ItemReport[];

/** The report of a run of which no more is to be said than what came of each item. */
export const reportOf = (results: ItemOutcomes): Report => results.map((outcome) => ({ outcome }));

/** Whether nothing more is sent after this outcome. */
export const stopsSending = (
  context: IExecuteFunctions,
  outcome: Outcome<unknown> | undefined,
): boolean =>
  outcome?.ok === false && outcome.failure.concernsItemAlone !== true && !context.continueOnFail();

/** Whether nothing more is sent after these results. */
export const stopsRun = (
  context: IExecuteFunctions,
  results: ReadonlyArray<Outcome<unknown> | undefined>,
): boolean => results.some((result) => stopsSending(context, result));
