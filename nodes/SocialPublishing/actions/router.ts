import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inParallel } from '../transport/bounded';
import { CREDENTIAL_TYPE, readCredential, type ServiceCredential } from '../transport/credential';
import { Ledger } from '../transport/ledger';
import { memoryOf } from '../transport/memory';
import { failed, type Outcome, type Quota } from '../transport/outcome';
import type { ServiceRequest } from '../transport/requests';
import { Service } from '../transport/service';
import { errorJson, fieldFailure, nodeError } from './errors';
import { FieldError } from './fieldError';
import { DEFAULT_CONCURRENCY } from './fields';
import { Item } from './item';
import type { Operation } from './operation';
import { operations } from './operations';
import { describeProgress } from './report';
import { readSettings, type Settings } from './settings';

/** An item that was checked and can be sent. */
interface Ready {
  readonly index: number;
  readonly credential: ServiceCredential;
  readonly request: ServiceRequest;
}

type Failed = Extract<Outcome<never>, { ok: false }>;

/** What is known of each item; `undefined` while nothing was sent for it. */
type Results = Array<Outcome<IDataObject[]> | undefined>;

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
  const results: Results = this.getInputData().map(() => undefined);
  const ready: Ready[] = [];
  let settings: Settings | undefined;
  const credentials = await credentialsOf(this, results.length);
  for (const [index, found] of credentials.entries()) {
    try {
      const credential = usable(found);
      const item = new Item(this, index, operation.fields, credential);
      settings ??= readSettings(item);
      ready.push({ index, credential, request: operation.request(item) });
    } catch (error) {
      results[index] = failed(fieldFailure(error));
    }
  }
  const memory = memoryOf(this);
  const ledger = new Ledger(memory, this.getWorkflowDataProxy(0).$runIndex as number);
  const [first] = ready;
  if (settings !== undefined && first !== undefined) {
    const service = new Service(this, settings, ledger, memory);
    fillInEarlier(service, settings, first.request, results);
    if (firstFailure(this, results) === -1) {
      await sendAll(this, service, settings, ready, results);
    }
  }
  const stopped = firstFailure(this, results);
  if (stopped === -1) return [output(results)];
  const { failure } = results[stopped] as Failed;
  const written = ledger.entries();
  const progress =
    written.size === 0 && ready.length < results.length
      ? 'Nothing was sent for any item.'
      : describeProgress(operation.did, results.length, written);
  const isBegun = [...written.values()].some(({ state }) => state === 'done');
  throw nodeError(this.getNode(), failure, stopped, isBegun ? `${GO_ON} ${progress}` : progress);
}

const GO_ON = 'To go on, retry this execution: a new one begins with the first item again.';

function chosenOperation(context: IExecuteFunctions): Operation {
  const resource = context.getNodeParameter('resource', 0);
  const name = context.getNodeParameter('operation', 0);
  const found = operations.find(
    (operation) => operation.resource === resource && operation.option.value === name,
  );
  if (found !== undefined) return found;
  const failure = {
    message: `There is no operation "${name}" for the resource "${String(resource)}"`,
    description: 'Choose the Resource and the Operation anew.',
    certainty: 'notSent',
  } as const;
  throw nodeError(context.getNode(), failure, 0, '');
}

/**
 * The credential of each item: its fields may hold expressions, so n8n resolves it for every item.
 * Some are resolved at the same time, as each is read from the database.
 */
async function credentialsOf(
  context: IExecuteFunctions,
  count: number,
): Promise<Array<PromiseSettledResult<IDataObject>>> {
  const found: Array<PromiseSettledResult<IDataObject>> = [];
  await inParallel(new Array(count).keys(), DEFAULT_CONCURRENCY, async (index) => {
    [found[index]] = await Promise.allSettled([context.getCredentials(CREDENTIAL_TYPE, index)]);
    return true;
  });
  return found;
}

/** @throws FieldError for a credential that cannot be used, or what n8n threw instead of it */
function usable(found: PromiseSettledResult<IDataObject>): ServiceCredential {
  if (found.status === 'rejected') throw found.reason;
  const credential = readCredential(found.value);
  if (!('problem' in credential)) return credential;
  const { field, problem } = credential;
  throw new FieldError(`${field} (in the credential)`, problem, 'Correct it in the credential.');
}

/** Fills in what earlier tries in this execution have settled, whatever the fields hold by now. */
function fillInEarlier(
  service: Service,
  settings: Settings,
  request: ServiceRequest,
  results: Results,
): void {
  for (const index of results.keys()) {
    const earlier = service.earlier(request, index);
    if (earlier !== undefined) results[index] = presented(earlier, request, settings);
  }
}

/** Sends what is ready and not settled yet, and fills in the results. */
async function sendAll(
  context: IExecuteFunctions,
  service: Service,
  settings: Settings,
  ready: readonly Ready[],
  results: Results,
): Promise<void> {
  const open = ready.filter(({ index }) => results[index] === undefined);
  await inParallel(open, settings.concurrency, async ({ request, credential, index }) => {
    const outcome = await service.send(request, credential, index);
    results[index] = presented(outcome, request, settings);
    return outcome.ok || context.continueOnFail();
  });
}

function presented(
  outcome: Outcome<IDataObject[]>,
  request: ServiceRequest,
  { includeQuota }: Settings,
): Outcome<IDataObject[]> {
  if (!outcome.ok) return outcome;
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

/** The index of the first item that stops the run; -1 when the run goes on. */
const firstFailure = (context: IExecuteFunctions, results: Results): number =>
  context.continueOnFail() ? -1 : results.findIndex((result) => result?.ok === false);

const output = (results: Results): INodeExecutionData[] =>
  results.flatMap((result, item) => {
    if (result === undefined) return [];
    const records = result.ok ? result.value : [errorJson(result.failure, item)];
    return records.map((json) => ({ json, pairedItem: { item } }));
  });
