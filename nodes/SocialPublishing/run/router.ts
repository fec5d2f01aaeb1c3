import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  NodeOperationError,
} from 'n8n-workflow';

import { type PlannedWrite, UNCERTAIN_CHOICES } from '../idempotency/writes';
import { operations } from '../operations/index';
import type {
  ItemRead,
  ItemWrite,
  Operation,
  ReadOperation,
  WriteOperation,
} from '../operations/operation';
import { resolveCredentials } from '../parameters/credentials';
import { Item, type ReadAccounts } from '../parameters/item';
import { Parameters } from '../parameters/parameters';
import { isStopped } from '../service/client';
import type { ServiceCredential } from '../service/http/credential';
import { inParallel } from '../service/inParallel';
import { type Failed, failed, type Outcome, succeeded } from '../service/outcome';
import { fieldFailure, LookupError, withFieldNames } from './errors';
import { type RunFacts, runHints } from './notices';
import { report, type Results, stopsRun, stopsSending } from './report';
import { Session } from './session';
import { DEFAULT_SETTINGS, readSettings, type Settings } from './settings';
import { settleSlots, sharedOutcome, type SlotItem } from './slots';

const ACCOUNTS = { path: '/accounts', returns: 'list', field: 'accounts' } as const;

/** How many items are checked at the same time: some read what their fields name. */
const CHECKED_AT_ONCE = 8;

/** An item whose fields were read. */
interface Ready<Asked> {
  readonly index: number;
  readonly item: Item;
  readonly credential: ServiceCredential;
  readonly asked: Asked;
}

/**
 * Runs the chosen operation for every input item.
 *
 * All items are read and checked before the first write goes out. Requests then go out in the order
 * of the items, a bounded number at a time. Every output item is linked to its input item.
 *
 * @throws NodeOperationError or NodeApiError for the first item that failed, unless the node is set to
 * continue on fail; it says what has been done by then
 */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const operation = chosenOperation(this);
  const run = await Run.begin(this, operation);
  return [operation.kind === 'write' ? await run.write(operation) : await run.read(operation)];
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

const mapValue = <T, U>(outcome: Outcome<T>, map: (value: T) => U): Outcome<U> =>
  outcome.ok ? { ...outcome, value: map(outcome.value) } : outcome;

/** One run of the node: its items and what is known of each. */
class Run {
  private constructor(
    private readonly context: IExecuteFunctions,
    private readonly operation: Operation,
    private readonly session: Session,
    private readonly settings: Settings,
    private readonly items: ReadonlyArray<{ item: Item; credential: ServiceCredential } | Failed>,
    private readonly results: Results,
  ) {}

  static async begin(context: IExecuteFunctions, operation: Operation): Promise<Run> {
    let settings: Settings | undefined;
    const credentials = await resolveCredentials(context, context.getInputData().length);
    const readAccounts: ReadAccounts = async (workspaceId, credential) => {
      const outcome = await session.read(ACCOUNTS, { query: { workspaceId } }, credential);
      if (outcome.ok) return outcome.value;
      throw new LookupError(outcome.failure);
    };
    const { fields } = operation;
    const run = { context, parameters: new Parameters(context), fields, readAccounts };
    const items = credentials.map((readCredential, index) => {
      try {
        const credential = readCredential();
        const item = new Item(run, index, credential);
        settings ??= readSettings(item);
        return { item, credential };
      } catch (error) {
        return failed(fieldFailure(error));
      }
    });
    const session = new Session(context, settings ?? DEFAULT_SETTINGS);
    const results: Results = items.map((item) => ('ok' in item ? item : undefined));
    return new Run(context, operation, session, settings ?? DEFAULT_SETTINGS, items, results);
  }

  /** Reads the fields of every item; writes nothing. */
  private async check<Asked>(ask: (item: Item) => Asked | Promise<Asked>): Promise<Ready<Asked>[]> {
    const ready: Array<Ready<Asked> | undefined> = [];
    await inParallel(this.items.entries(), CHECKED_AT_ONCE, async ([index, found]) => {
      if ('ok' in found) return true;
      try {
        ready[index] = { index, ...found, asked: await ask(found.item) };
      } catch (error) {
        this.results[index] = failed(fieldFailure(error));
      }
      return true;
    });
    return ready.filter((one) => one !== undefined);
  }

  async read(operation: ReadOperation): Promise<INodeExecutionData[]> {
    const ready = await this.check<ItemRead>((item) => operation.request(item));
    if (!stopsRun(this.context, this.results)) {
      await this.sendAll(ready, async ({ asked: { output, ...request }, credential }) => {
        const outcome = await this.session.read(operation.endpoint, request, credential);
        try {
          return mapValue(outcome, (records) => output?.(records) ?? records);
        } catch (error) {
          return failed({ ...fieldFailure(error), certainty: 'failed' });
        }
      });
    }
    return this.end({
      writes: new Map(),
      earlier: new Set(),
      skipped: new Set(),
      mayMissPosts: false,
    });
  }

  private plan({ endpoint }: WriteOperation, ready: Ready<ItemWrite>): PlannedWrite {
    const { index, item, credential, asked } = ready;
    return {
      item: index,
      endpoint,
      path: endpoint.path,
      body: asked.body,
      complete: async () => {
        try {
          return succeeded((await asked.complete?.()) ?? asked.body, {});
        } catch (error) {
          return failed(fieldFailure(error));
        }
      },
      credential,
      uncertain: item.oneOf('options.uncertain', UNCERTAIN_CHOICES) ?? 'hold',
    };
  }

  /**
   * What earlier tries in this execution have settled comes first, whatever the fields hold by now.
   */
  async write(operation: WriteOperation): Promise<INodeExecutionData[]> {
    const { context, results } = this;
    const { writes } = this.session;
    await writes.begin();
    const ready = await this.check<ItemWrite>(async (item) => await operation.write(item));
    const planned = ready.flatMap((one) => {
      try {
        return [this.plan(operation, one)];
      } catch (error) {
        results[one.index] = failed(fieldFailure(error));
        return [];
      }
    });
    writes.plan(planned);
    const earlier = new Set<number>();
    for (const index of results.keys()) {
      const outcome = writes.earlier(operation.endpoint, index);
      if (outcome === undefined) continue;
      results[index] = mapValue(outcome, (record) => [record]);
      earlier.add(index);
    }
    const skipped = new Set<number>();
    let mayMissPosts = false;
    if (!stopsRun(context, results)) {
      const slots = await settleSlots(this.session, this.slotItems(ready));
      const { settled: taken, shared } = slots;
      ({ mayMissPosts } = slots);
      for (const [index, outcome] of taken) {
        results[index] = outcome;
        if (outcome.ok) skipped.add(index);
      }
      const open = ready.filter(({ index }) => results[index] === undefined && !shared.has(index));
      if (!stopsRun(context, results)) {
        writes.prepare(open.map(({ index }) => index));
        await this.sendAll(open, async (one) => this.written(one, await writes.send(one.index)));
        const settled = await writes.finish(!stopsRun(context, results));
        for (const one of ready) {
          const outcome = settled.get(one.index);
          if (outcome !== undefined) results[one.index] = this.written(one, outcome);
        }
      }
      for (const [index, other] of shared) {
        const outcome = results[other];
        if (outcome === undefined) continue;
        results[index] = sharedOutcome(other, outcome);
        if (outcome.ok) skipped.add(index);
      }
    }
    return this.end({
      writes: new Map(ready.map(({ index, asked }) => [index, asked])),
      earlier,
      skipped,
      mayMissPosts,
    });
  }

  /** What was written for an item, or why not, in the words of its fields. */
  private written(
    { asked: { fieldFor }, item }: Ready<ItemWrite>,
    outcome: Outcome<IDataObject>,
  ): Outcome<IDataObject[]> {
    if (outcome.ok || isStopped(outcome)) return mapValue(outcome, (record) => [record]);
    return failed(
      withFieldNames(outcome.failure, (path) =>
        path === 'workspaceId' ? item.workspaceField() : fieldFor?.(path),
      ),
    );
  }

  /** The items that take a slot, in their order. */
  private slotItems(ready: ReadonlyArray<Ready<ItemWrite>>): SlotItem[] {
    return ready.flatMap(({ index, asked: { slot }, credential }) => {
      const result = this.results[index];
      const isDone = result?.ok === true;
      const service = credential.baseUrl;
      return slot === undefined
        ? []
        : [{ index, slot, service, isDone, isOpen: result === undefined, credential }];
    });
  }

  private async sendAll<Asked>(
    ready: ReadonlyArray<Ready<Asked>>,
    send: (one: Ready<Asked>) => Promise<Outcome<IDataObject[]>>,
  ): Promise<void> {
    await inParallel(ready, this.settings.concurrency, async (one) => {
      const outcome = await send(one);
      if (isStopped(outcome)) return false;
      this.results[one.index] = outcome;
      if (!stopsSending(this.context, outcome)) return true;
      this.session.stop();
      return false;
    });
    this.session.resume();
  }

  private end(facts: Omit<RunFacts, 'operation' | 'results' | 'notes'>): INodeExecutionData[] {
    const { context, operation, settings, results, session } = this;
    const items = report(context, operation, settings, results, session.writes);
    const { notes } = session.writes;
    // An old n8n shows no lines above the output.
    const lines: Partial<Pick<IExecuteFunctions, 'addExecutionHints'>> = context;
    lines.addExecutionHints?.(...runHints({ operation, results, notes, ...facts }, Date.now()));
    return items;
  }
}
