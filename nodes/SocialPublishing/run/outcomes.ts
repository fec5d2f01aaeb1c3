import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Outcome } from '../service/outcome';

/** What came of each item; `undefined` while nothing was sent for it. */
export type ItemOutcomes = Array<Outcome<IDataObject[]> | undefined>;

/** What came of the writes of a run, by item. */
export type Outcomes = ReadonlyMap<number, Outcome<IDataObject>>;

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
