import {
  deepCopy,
  type IDataObject,
  type IExecuteFunctions,
  type INode,
  type INodeExecutionData,
} from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import type { Quota, Succeeded } from '../service/outcome';
import { errorJson, isTool, nodeError } from './errors';
import type { Report } from './outcomes';
import type { Settings } from './settings';
import { stopError } from './stopped';

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
  if (!isTool(node) || operation.kind !== 'read' || operation.endpoint.answer === 'record') {
    return value;
  }
  const note = value.length < total ? { note: `Only ${value.length} of ${total} are listed.` } : {};
  return [{ count: total, ...note, [operation.endpoint.field]: value }];
}

/**
 * A record as an item that didn't fail: its own `error`, if it has one, goes by another name. In Table
 * view, the column of the errors is then the first, in sight.
 */
const withoutFailure = ({ error, ...record }: IDataObject): IDataObject => ({
  error: null,
  ...record,
  ...(error === undefined ? {} : { recordError: error }),
});

/**
 * Adds the error by which n8n before 2.34 sends an item to the error output. It is hidden from copies,
 * as n8n replaces the JSON of an item that still has one.
 */
const withError = (item: INodeExecutionData, error: INodeExecutionData['error']) =>
  Object.defineProperty(item, 'error', { value: error, writable: true, enumerable: false });

/**
 * Turns the results of a run into the items of the output, each linked to its input item.
 * @throws NodeOperationError or NodeApiError for the first item that failed, unless the node is set to
 * continue; it says what has been done by then
 */
export function outputOf(
  context: IExecuteFunctions,
  operation: Operation,
  { includeQuota, includeInputFields }: Settings,
  report: Report,
  continueOnFail: boolean,
): INodeExecutionData[] {
  const results = report.map(({ outcome }) => outcome);
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
        const own = hasErrors ? withoutFailure(record) : record;
        return itemWith(item, includeQuota ? withQuota(own, result.quota) : own);
      });
    }
    if (!continueOnFail) throw stopError(node, operation, results, [item, result.failure]);
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
