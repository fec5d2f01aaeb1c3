import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Client } from './client';
import { leftOpenFailure, stillOpenFailure } from './failures';
import type { ServiceCredential } from './http/credential';
import { exchangeWith } from './http/request';
import { type Entry, Ledger } from './ledger';
import { Concurrency } from './limiter';
import { memoryOf } from './memory';
import { failed, type Outcome, succeeded } from './outcome';
import { RequestBudget } from './quota/budget';
import { QuotaMemory } from './quota/memory';
import type { ReadEndpoint, ReadRequest, WriteEndpoint } from './requests';

/** What the user chose for all requests of one run of the node. */
export interface SessionSettings {
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  /** How many requests of the quota must be left; `undefined` for no bound. */
  readonly keepRequests: number | undefined;
  /** Whether to send again what an earlier try may already have written. */
  readonly resendUncertain: boolean;
}

/**
 * The service as one run of the node sees it: each read is requested once however many items ask
 * for it, and each write is sent once however often n8n runs the node in one execution.
 */
export class Session {
  private readonly clients = new Map<string, Client>();

  private readonly reads = new Map<string, Promise<Outcome<IDataObject[]>>>();

  private readonly concurrency: Concurrency;

  private readonly memory: IDataObject;

  private readonly ledger: Ledger;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly settings: SessionSettings,
  ) {
    this.concurrency = new Concurrency(settings.concurrency, context.getExecutionCancelSignal());
    this.memory = memoryOf(context);
    this.ledger = new Ledger(this.memory, Number(context.getWorkflowDataProxy(0).$runIndex));
  }

  /** What became of each item of this run for which something may have been written. */
  get written(): ReadonlyMap<number, Entry> {
    return this.ledger.entries();
  }

  /**
   * What an earlier try in this execution made of an item; nothing is sent.
   *
   * @param item the index of the input item
   * @returns the record that was written, or the failure for what may have been written;
   * `undefined` when the item is to be sent
   */
  earlierWrite({ path }: WriteEndpoint, item: number): Outcome<IDataObject> | undefined {
    const entry = this.ledger.find(item, path);
    if (entry?.state === 'done') return succeeded(structuredClone(entry.record), entry.quota);
    return entry === undefined || this.settings.resendUncertain
      ? undefined
      : failed(leftOpenFailure(entry.message));
  }

  /**
   * Reads what one item asks for.
   *
   * @returns the records as the service returned them; never shared between items
   */
  async read(
    endpoint: ReadEndpoint,
    request: ReadRequest,
    credential: ServiceCredential,
  ): Promise<Outcome<IDataObject[]>> {
    const { path, returns, field } = endpoint;
    const { query, range } = request;
    const { limit = Infinity, offset, pageSize } = range ?? {};
    const pages = returns === 'pages' ? [String(limit), offset, pageSize] : [];
    const key = JSON.stringify([credential.baseUrl, credential.apiKey, path, query, field, pages]);
    const underWay = this.reads.get(key);
    const reading = underWay ?? this.clientFor(credential).read(endpoint, request);
    this.reads.set(key, reading);
    const outcome = await reading;
    if (!outcome.ok) return outcome;
    const records = underWay === undefined ? outcome.value : structuredClone(outcome.value);
    return { ...outcome, value: records.slice(0, limit) };
  }

  /**
   * Writes what one item asks for.
   *
   * @param item the index of the input item
   * @returns the record as the service returned it
   */
  async write(
    endpoint: WriteEndpoint,
    body: IDataObject,
    credential: ServiceCredential,
    item: number,
  ): Promise<Outcome<IDataObject>> {
    const { path } = endpoint;
    const wasLeftOpen =
      this.ledger.find(item, path) !== undefined || this.ledger.isLeftOpen(path, body);
    this.ledger.begin(item, path);
    if (wasLeftOpen && !this.settings.resendUncertain) return failed(leftOpenFailure());
    const outcome = await this.clientFor(credential).write(endpoint, body);
    if (outcome.ok) {
      this.ledger.done(item, path, outcome.value, outcome.quota);
      return { ...outcome, value: structuredClone(outcome.value) };
    }
    if (outcome.failure.certainty === 'uncertain') {
      this.ledger.leaveOpen(item, path, body, outcome.failure.message);
      return outcome;
    }
    if (wasLeftOpen) return failed(stillOpenFailure(outcome.failure));
    this.ledger.undo(item, path);
    return outcome;
  }

  /** Sends nothing any more of what waits for its turn; what is under way comes to its end. */
  stop(): void {
    this.concurrency.stop();
  }

  /** Lets requests start again. */
  resume(): void {
    this.concurrency.resume();
  }

  private clientFor(credential: ServiceCredential): Client {
    const key = JSON.stringify([credential.baseUrl, credential.apiKey]);
    const known = this.clients.get(key);
    if (known !== undefined) return known;
    const client = new Client(credential, exchangeWith(this.context, credential), {
      limiter: this.concurrency.limiter(),
      budget: this.budgetFor(credential),
      cancelled: this.context.getExecutionCancelSignal(),
    });
    this.clients.set(key, client);
    return client;
  }

  private budgetFor(credential: ServiceCredential): RequestBudget {
    const { keepRequests } = this.settings;
    if (keepRequests === undefined) return new RequestBudget(undefined);
    return new RequestBudget(keepRequests, new QuotaMemory(this.memory, credential));
  }
}
