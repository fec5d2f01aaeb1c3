import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inParallel } from '../transport/bounded';
import { CREDENTIAL_TYPE, readCredential, type ServiceCredential } from '../transport/credential';
import { credentialFailure } from '../transport/failures';
import type { Failure, Outcome, Quota } from '../transport/outcome';
import type { ServiceRequest } from '../transport/requests';
import { Service } from '../transport/service';
import { errorJson, fieldFailure, nodeError } from './errors';
import { DEFAULT_CONCURRENCY } from './fields';
import { Item } from './item';
import type { Operation } from './operation';
import { operations } from './operations';
import { describeProgress } from './report';

/** An item that can be sent. */
interface Ready {
  readonly index: number;
  readonly credential: ServiceCredential;
  readonly request: ServiceRequest;
}

/** What is known of one item; `undefined` while nothing was sent for it. */
type Result = Outcome<IDataObject[]> | undefined;

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
  const items = this.getInputData();
  const operation = chosenOperation(this);
  const results: Result[] = new Array<Result>(items.length).fill(undefined);
  const ready: Ready[] = [];
  for (const index of items.keys()) {
    const prepared = await prepare(this, operation, index);
    if ('request' in prepared) ready.push(prepared);
    else if (this.continueOnFail()) results[index] = { ok: false, failure: prepared };
    else throw nodeError(this.getNode(), prepared, index, nothingSent(index));
  }
  if (ready.length > 0) await sendAll(this, operation, ready, results);
  return [output(this, results)];
}

const nothingSent = (index: number): string =>
  index === 0 ? '' : 'Nothing was sent, not for the items before it either.';

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const found = operations.find(
    (operation) => operation.resource === resource && operation.option.value === name,
  );
  if (found !== undefined) return found;
  throw nodeError(
    context.getNode(),
    {
      message: `There is no operation "${name}" for the resource "${String(resource)}"`,
      description: 'Choose the Resource and the Operation anew.',
      certainty: 'notSent',
    },
    0,
    '',
  );
}

async function prepare(
  context: IExecuteFunctions,
  operation: Operation,
  index: number,
): Promise<Ready | Failure> {
  try {
    const credential = readCredential(await context.getCredentials(CREDENTIAL_TYPE, index));
    if ('problem' in credential) return credentialFailure(credential);
    const item = new Item(context, index, operation.fields, credential);
    return { index, credential, request: operation.request(item) };
  } catch (error) {
    return fieldFailure(error);
  }
}

async function sendAll(
  context: IExecuteFunctions,
  operation: Operation,
  ready: readonly Ready[],
  results: Result[],
): Promise<void> {
  const settings = readSettings(new Item(context, 0, operation.fields, ready[0]!.credential));
  const service = new Service(context, settings);
  const goOnAfterFailure = context.continueOnFail();
  await inParallel(ready, settings.concurrency, async ({ request, credential, index }) => {
    const outcome = await service.send(request, credential, index);
    results[index] = outcome.ok ? presented(outcome, request, settings.includeQuota) : outcome;
    return outcome.ok || goOnAfterFailure;
  });
  const stopped = results.findIndex((result) => result?.ok === false);
  if (stopped === -1 || goOnAfterFailure) return;
  const { failure } = results[stopped] as Extract<Outcome<never>, { ok: false }>;
  const writes = ready[0]!.request.kind === 'write';
  throw nodeError(context.getNode(), failure, stopped, writes ? progress(results) : '');
}

function readSettings(item: Item) {
  const keepRequests = item.integer('options.keepRequests');
  return {
    concurrency: item.positiveInteger('options.concurrency') ?? DEFAULT_CONCURRENCY,
    keepRequests,
    includeQuota: item.value('options.includeQuota') === true,
    resendUncertain: item.value('options.resendUncertain') === true,
  };
}

function presented(
  outcome: Extract<Outcome<IDataObject[]>, { ok: true }>,
  request: ServiceRequest,
  includeQuota: boolean,
): Outcome<IDataObject[]> {
  const split = request.kind === 'record' ? request.split : undefined;
  const records = split === undefined ? outcome.value : outcome.value.flatMap(split);
  return {
    ...outcome,
    value: includeQuota ? records.map((record) => withQuota(record, outcome.quota)) : records,
  };
}

const withQuota = (record: IDataObject, { limit, remaining, reset }: Quota): IDataObject => ({
  ...record,
  quota: { limit: limit ?? null, remaining: remaining ?? null, reset: reset ?? null },
});

function progress(results: readonly Result[]): string {
  const indexes = [...results.keys()];
  const uncertain = indexes.filter((index) => {
    const result = results[index];
    return result?.ok === false && result.failure.certainty === 'uncertain';
  });
  const done = indexes.flatMap((item) => {
    const result = results[item];
    return result?.ok === true ? result.value.map((record) => ({ item, record })) : [];
  });
  const settled = new Set([...uncertain, ...done.map(({ item }) => item)]);
  return describeProgress({
    done,
    uncertain,
    notDone: indexes.filter((item) => !settled.has(item)),
  });
}

function output(context: IExecuteFunctions, results: readonly Result[]): INodeExecutionData[] {
  return results.flatMap((result, item) => {
    if (result === undefined) return [];
    const records = result.ok ? result.value : [errorJson(result.failure, item)];
    return context.helpers.constructExecutionMetaData(context.helpers.returnJsonArray(records), {
      itemData: { item },
    });
  });
}
