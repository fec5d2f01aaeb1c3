import {
  deepCopy,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import type { Failure, Outcome, Quota, Succeeded } from '../service/outcome';
import { errorJson, isTool, nodeError } from './errors';
import type { Settings } from './settings';

/** What came of each item; `undefined` while nothing was sent for it. */
export type ItemOutcomes = Array<Outcome<IDataObject[]> | undefined>;

/** What came of the writes of a run, by item. */
export type Outcomes = ReadonlyMap<number, Outcome<IDataObject>>;

/** The index of the item whose failure the node throws; -1 when it throws none. */
const firstFailure = (continueOnFail: boolean, results: ItemOutcomes): number =>
  continueOnFail ? -1 : results.findIndex((result) => result?.ok === false);

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

/** Item indexes, in ascending order, in words: `0, 2 to 5`. */
export function ranges(items: readonly number[]): string {
  const spans: Array<[number, number]> = [];
  for (const item of items) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === item - 1) last[1] = item;
    else spans.push([item, item]);
  }
  return spans.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

const nameOf = (record: IDataObject): string =>
  typeof record.id === 'number' || typeof record.id === 'string'
    ? `ID ${record.id}`
    : 'without an ID';

/** How many posts that may exist are listed with their times. */
const MAX_LISTED = 100;

/** The times of the items that are open, and what the service has for these, as far as known. */
function openTimes(open: ReadonlyArray<readonly [item: number, failure: Failure]>): string {
  const times = open.flatMap(([item, { lookFor }]) => {
    const { scheduledAt, candidates = [] } = lookFor ?? {};
    if (scheduledAt === undefined) return [];
    const has = candidates.length === 0 ? '' : ` (the service has ID ${candidates.join(', ')})`;
    return [`item ${item} at ${scheduledAt}${has}`];
  });
  if (times.length === 0) return '';
  const more = times.length > MAX_LISTED ? ` and ${times.length - MAX_LISTED} more` : '';
  return `Look for ${times.slice(0, MAX_LISTED).join(', ')}${more}.`;
}

/**
 * What a run that was stopped has written by then and what not, in sentences for the description of
 * an error; also what earlier tries of the same run have written.
 *
 * @param did what the operation does, in words
 */
export function describeProgress(did: string, results: ItemOutcomes): string {
  const done = results.flatMap((result, item) =>
    result?.ok === true ? [`item ${item} (${result.value.map(nameOf).join(', ')})`] : [],
  );
  const open = results.flatMap((result, item) =>
    result?.ok === false && result.failure.certainty === 'uncertain'
      ? [[item, result.failure] as const]
      : [],
  );
  const notDone = results.flatMap((result, item) =>
    result === undefined || (!result.ok && result.failure.certainty !== 'uncertain') ? [item] : [],
  );
  return [
    done.length === 0 ? '' : `${did[0]!.toUpperCase()}${did.slice(1)}: ${done.join(', ')}.`,
    open.length === 0
      ? ''
      : `May or may not have been ${did}: item ${ranges(open.map(([item]) => item))}.`,
    notDone.length === 0 ? '' : `Not ${did}: item ${ranges(notDone)}.`,
    openTimes(open),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const GO_ON =
  'To continue, retry this execution: a new execution begins with the first item again.';

function progress(operation: Operation, results: ItemOutcomes): string {
  const nothingSent = results.every(
    (result) => result === undefined || (!result.ok && result.failure.certainty === 'notSent'),
  );
  if (nothingSent) return 'Nothing was sent for any item.';
  if (operation.kind !== 'write') return '';
  const words = describeProgress(operation.did, results);
  return results.some((result) => result?.ok === true) ? `${GO_ON} ${words}` : words;
}

const withQuota = (record: IDataObject, { limit, remaining, reset }: Quota): IDataObject => ({
  ...record,
  quota: { limit: limit ?? null, remaining: remaining ?? null, reset: reset ?? null },
});

/**
 * A record followed by the fields of its input item; the record's own are kept. In Table view, n8n
 * shows the columns in the order in which the items bring them.
 */
const withInput = (record: IDataObject, input: IDataObject): IDataObject => ({
  ...record,
  ...deepCopy(input),
  ...record,
});

/** The records of the output. A model is given a list as one, with how many records there are. */
function recordsFor(
  node: INode,
  operation: Operation,
  { value, total = value.length }: Succeeded<IDataObject[]>,
): IDataObject[] {
  if (!isTool(node) || operation.kind !== 'read' || operation.endpoint.returns === 'record') {
    return value;
  }
  const note = value.length < total ? { note: `Only ${value.length} of ${total} are listed.` } : {};
  return [{ count: total, ...note, [operation.endpoint.field]: value }];
}

/**
 * Adds the error by which n8n before 2.34 sends an item to the error output. It is hidden from copies,
 * as n8n replaces the JSON of an item that still has one.
 */
const withError = (item: INodeExecutionData, error: INodeExecutionData['error']) =>
  Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });

/**
 * Turns the results of a run into the items of the output, each linked to its input item.
 *
 * @throws NodeOperationError or NodeApiError for the first item that failed, unless the node is set to
 * continue; it says what has been done by then
 */
export function report(
  context: IExecuteFunctions,
  operation: Operation,
  { includeQuota, includeInputFields }: Settings,
  results: ItemOutcomes,
  continueOnFail: boolean,
): INodeExecutionData[] {
  const stopped = firstFailure(continueOnFail, results);
  const node = context.getNode();
  const input = context.getInputData();
  const hasErrors = continueOnFail && node.onError !== 'continueErrorOutput' && !isTool(node);
  const itemWith = (item: number, record: IDataObject): INodeExecutionData => ({
    json: includeInputFields ? withInput(record, input[item]?.json ?? {}) : record,
    pairedItem: { item },
  });
  return results.flatMap((result, item) => {
    if (result === undefined) return [];
    if (result.ok) {
      return recordsFor(node, operation, result).map((record) => {
        // In Table view, the column of the errors is then the first, in sight.
        const own = hasErrors ? { error: null, ...record } : record;
        return itemWith(item, includeQuota ? withQuota(own, result.quota) : own);
      });
    }
    if (item === stopped) {
      throw nodeError(node, result.failure, item, progress(operation, results));
    }
    const { error, details } = errorJson(node, result.failure, item);
    const failedItem = itemWith(item, { error });
    failedItem.json.details = details;
    return [
      node.onError === 'continueErrorOutput'
        ? withError(failedItem, nodeError(node, result.failure, item, ''))
        : failedItem,
    ];
  });
}
