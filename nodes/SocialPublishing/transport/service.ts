import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Gate } from './bounded';
import { RequestBudget } from './budget';
import { Client } from './client';
import type { ServiceCredential } from './credential';
import { exchangeThrough } from './http';
import type { Ledger } from './ledger';
import { failed, type Failure, type Outcome } from './outcome';
import { QuotaMemory } from './quotaMemory';
import type { ServiceRequest, Write } from './requests';

/** What the user chose for all requests of one run of the node. */
export interface ServiceSettings {
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  /** How many requests of the quota must be left; `undefined` for no bound. */
  readonly keepRequests: number | undefined;
  /** Whether to send again what an earlier try may already have written. */
  readonly resendUncertain: boolean;
}

/** The failure for a write that an earlier try left open, with the message that it ended with. */
const leftOpen = (message?: string): Failure => ({
  message:
    'An earlier try in this execution may or may not have carried this out, so it was not sent again',
  description: `${message === undefined ? '' : `It ended with: "${message}". `}Look in the service. If it is missing there, turn on the option Send Uncertain Again and retry this execution with the saved workflow.`,
  certainty: 'uncertain',
});

/** The failure for a write that an earlier try left open, and that did not go well this time. */
const stillOpen = (failure: Failure): Failure => ({
  ...failure,
  description: `${failure.description} An earlier try in this execution may have carried this out: look in the service.`,
  certainty: 'uncertain',
});

/**
 * The service as one run of the node sees it: each read is requested once however many items ask
 * for it, and each write is sent once however often n8n runs the node in one execution.
 */
export class Service {
  private readonly clients = new Map<string, Client>();

  private readonly reads = new Map<string, Promise<Outcome<IDataObject[]>>>();

  private readonly gate: Gate;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly settings: ServiceSettings,
    private readonly ledger: Ledger,
    private readonly memory: IDataObject,
  ) {
    this.gate = new Gate(settings.concurrency);
  }

  /**
   * What an earlier try in this execution made of an item; nothing is sent.
   *
   * @param item the index of the input item
   * @returns the record that was written, or the failure for what may have been written;
   * `undefined` when the item is to be sent
   */
  earlier({ kind, path }: ServiceRequest, item: number): Outcome<IDataObject[]> | undefined {
    const entry = kind === 'write' ? this.ledger.find(item, path) : undefined;
    if (entry?.state === 'done') {
      return { ok: true, value: [structuredClone(entry.record)], quota: entry.quota };
    }
    return entry === undefined || this.settings.resendUncertain
      ? undefined
      : failed(leftOpen(entry.message));
  }

  /**
   * Carries out what an operation asks for one item.
   *
   * @param item the index of the input item
   * @returns the records as the service returned them; never shared between items
   */
  async send(
    request: ServiceRequest,
    credential: ServiceCredential,
    item: number,
  ): Promise<Outcome<IDataObject[]>> {
    return request.kind === 'write'
      ? await this.write(request, credential, item)
      : await this.readOnce(request, credential);
  }

  private async readOnce(
    request: Exclude<ServiceRequest, Write>,
    credential: ServiceCredential,
  ): Promise<Outcome<IDataObject[]>> {
    const { kind, path, query, field } = request;
    const span =
      kind === 'pages' ? [request.offset, request.take, request.pageSize].map(String) : [];
    const key = JSON.stringify([credential.baseUrl, credential.apiKey, path, query, field, span]);
    const underWay = this.reads.get(key);
    const reading = underWay ?? this.read(request, this.clientFor(credential));
    this.reads.set(key, reading);
    const outcome = await reading;
    if (!outcome.ok) return outcome;
    const records = underWay === undefined ? outcome.value : structuredClone(outcome.value);
    return { ...outcome, value: kind === 'list' ? records.slice(0, request.take) : records };
  }

  private async read(
    request: Exclude<ServiceRequest, Write>,
    client: Client,
  ): Promise<Outcome<IDataObject[]>> {
    if (request.kind === 'pages') return await client.readPages(request);
    if (request.kind === 'list') return await client.readList(request);
    const outcome = await client.readRecord(request);
    return outcome.ok ? { ...outcome, value: [outcome.value] } : outcome;
  }

  private async write(
    request: Write,
    credential: ServiceCredential,
    item: number,
  ): Promise<Outcome<IDataObject[]>> {
    const { path } = request;
    const wasLeftOpen =
      this.ledger.find(item, path) !== undefined || this.ledger.isLeftOpen(request);
    this.ledger.begin(item, path);
    if (wasLeftOpen && !this.settings.resendUncertain) return failed(leftOpen());
    const outcome = await this.clientFor(credential).write(request);
    if (outcome.ok) {
      this.ledger.done(item, path, outcome.value, outcome.quota);
      return { ...outcome, value: [structuredClone(outcome.value)] };
    }
    if (outcome.failure.certainty === 'uncertain') {
      this.ledger.leaveOpen(item, request, outcome.failure.message);
      return outcome;
    }
    if (wasLeftOpen) return failed(stillOpen(outcome.failure));
    this.ledger.undo(item, path);
    return outcome;
  }

  private clientFor(credential: ServiceCredential): Client {
    const key = JSON.stringify([credential.baseUrl, credential.apiKey]);
    const known = this.clients.get(key);
    if (known !== undefined) return known;
    const client = new Client(credential, exchangeThrough(this.context, credential), {
      gate: this.gate,
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
