import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeOperationError,
} from 'n8n-workflow';

import { inParallel } from '../transport/bounded';
import type { ServiceCredential } from '../transport/http/credential';
import { type Failed, failed, type Outcome } from '../transport/outcome';
import { Session } from '../transport/session';
import { fieldFailure } from './errors';
import { operations } from './index';
import { resolveCredentials } from './input/credentials';
import { Item } from './input/item';
import type { Operation } from './operation';
import { report, type Results, stopsRun } from './report';
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings';

/** Sends the request of an item that was checked. */
type Send = (session: Session) => Promise<Outcome<IDataObject[]>>;

interface Checked {
  readonly settings: Settings;
  /** For each item what sends its request, or why it cannot be sent. */
  readonly items: ReadonlyArray<Send | Failed>;
}

/**
 * Runs the chosen operation for every input item.
 *
 * All items are read and checked before the first request goes out. Requests then go out in the
 * order of the items, a bounded number at a time. Every output item is linked to its input item.
 *
 * @throws NodeOperationError or NodeApiError for the first item that failed, unless the node is set to
 * continue on fail; it says what has been done by then
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(this);
  const checked = await check(this, operation);
  const session = new Session(this, checked.settings);
  const results = await send(this, operation, checked, session);
  return [report(this, operation, checked.settings, results, session.written)];
}

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const found = operations.find(
    (operation) => operation.resource === resource && operation.option.value === name,
  );
  if (found !== undefined) return found;
  throw new NodeOperationError(
    context.getNode(),
    `There is no operation "${name}" for the resource "${String(resource)}"`,
    { description: 'Select the resource and the operation again.' },
  );
}

/** Reads every item, without sending anything. */
async function check(context: IExecuteFunctions, operation: Operation): Promise<Checked> {
  let settings: Settings | undefined;
  const credentials = await resolveCredentials(context, context.getInputData().length);
  const items = credentials.map((readCredential, index) => {
    try {
      const credential = readCredential();
      const item = new Item(context, index, operation.fields, credential);
      settings ??= readSettings(item);
      return prepare(operation, item, index, credential);
    } catch (error) {
      return failed(fieldFailure(error));
    }
  });
  return { settings: settings ?? DEFAULT_SETTINGS, items };
}

function prepare(
  operation: Operation,
  item: Item,
  index: number,
  credential: ServiceCredential,
): Send {
  if (operation.kind === 'write') {
    const body = operation.body(item);
    return async (session) =>
      mapValue(await session.write(operation.endpoint, body, credential, index), (one) => [one]);
  }
  const { output = asRead, ...request } = operation.request(item);
  return async (session) =>
    mapValue(await session.read(operation.endpoint, request, credential), output);
}

const asRead = (records: IDataObject[]): IDataObject[] => records;

const mapValue = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ...outcome, value: map(outcome.value) } : outcome;

/**
 * Sends what is ready. What earlier tries in this execution have settled comes first, whatever the
 * fields hold by now.
 */
async function send(
  context: IExecuteFunctions,
  operation: Operation,
  { settings, items }: Checked,
  session: Session,
): Promise<Results> {
  const results: Results = items.map((item, index) => {
    const earlier =
      operation.kind === 'write' ? session.earlierWrite(operation.endpoint, index) : undefined;
    if (earlier !== undefined) return mapValue(earlier, (one) => [one]);
    return typeof item === 'function' ? undefined : item;
  });
  if (stopsRun(context, results)) return results;
  const open = items.flatMap((item, index) =>
    typeof item === 'function' && results[index] === undefined ? [{ index, item }] : [],
  );
  await inParallel(open, settings.concurrency, async ({ index, item }) => {
    const outcome = await item(session);
    results[index] = outcome;
    return outcome.ok || context.continueOnFail();
  });
  return results;
}
