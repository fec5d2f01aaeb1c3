import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemWrite } from '../operations/operation';
import { failed, type Outcome } from '../service/outcome';
import type { Refused } from './check';

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
  /** What is said when nothing is there. */
  readonly whenEmpty?: string;
}

/** What came of a run, in the order of the items. */
export type Report = readonly ItemReport[];

/** The report of a run in which nothing has come of items yet, but that some were refused. */
export function reportOf(count: number, refused: readonly Refused[]): ItemReport[] {
  const reports = Array.from({ length: count }, (): ItemReport => ({ outcome: undefined }));
  for (const { index, failure } of refused) reports[index] = { outcome: failed(failure) };
  return reports;
}

/** Whether nothing more is sent after this outcome. */
export const stopsSending = (
  context: IExecuteFunctions,
  outcome: Outcome<unknown> | undefined,
): boolean =>
  outcome?.ok === false && outcome.failure.concernsItemAlone !== true && !context.continueOnFail();

/** Whether nothing more is sent after what came of these items. */
export const stopsRun = (
  context: IExecuteFunctions,
  items: ReadonlyArray<{ readonly outcome?: Outcome<unknown> | undefined }>,
): boolean => items.some(({ outcome }) => stopsSending(context, outcome));
