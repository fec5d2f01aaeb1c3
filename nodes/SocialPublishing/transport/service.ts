import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Gate } from './bounded';
import { RequestBudget } from './budget';
import { Client } from './client';
import type { ServiceCredential } from './credential';
import { exchangeThrough } from './http';
import { Ledger } from './ledger';
import { failed, type Outcome } from './outcome';
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

/**
 * The service as one run of the node sees it: each read is requested once however many items ask
 * for it, and each write is sent once however often n8n runs the node in one execution.
 */
export class Service {
  private readonly clients = new Map<string, Client>();

  private readonly reads = new Map<string, Promise<Outcome<IDataObject[]>>>();

  private readonly ledger: Ledger;

  private readonly gate: Gate;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly settings: ServiceSettings,
  ) {
    this.gate = new Gate(settings.concurrency);
    this.ledger = new Ledger(
      context.getContext('node'),
      context.getWorkflowDataProxy(0).$runIndex as number,
    );
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
      ? await this.writeOnce(request, credential, item)
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

  private async writeOnce(
    request: Write,
    credential: ServiceCredential,
    item: number,
  ): Promise<Outcome<IDataObject[]>> {
    const { path } = request;
    const entry = this.ledger.find(item, path);
    if (entry?.state === 'done') {
      return { ok: true, value: [structuredClone(entry.record)], quota: {} };
    }
    if (entry?.state === 'uncertain' && !this.settings.resendUncertain) {
      return failed({
        message:
          'An earlier try in this execution may or may not have carried this out, so it was not sent again',
        description:
          'Look in the service. If it is missing there, run the workflow anew, or turn on the option Send Uncertain Again.',
        certainty: 'uncertain',
      });
    }
    this.ledger.begin(item, path);
    const outcome = await this.clientFor(credential).write(request);
    if (outcome.ok) {
      this.ledger.done(item, path, outcome.value);
      return { ...outcome, value: [structuredClone(outcome.value)] };
    }
    if (outcome.failure.certainty !== 'uncertain') this.ledger.undo(item, path);
    return outcome;
  }

  private clientFor(credential: ServiceCredential): Client {
    const key = JSON.stringify([credential.baseUrl, credential.apiKey]);
    const known = this.clients.get(key);
    if (known !== undefined) return known;
    const client = new Client(credential, exchangeThrough(this.context, credential), {
      gate: this.gate,
      budget: new RequestBudget(this.settings.keepRequests),
      cancelled: this.context.getExecutionCancelSignal(),
    });
    this.clients.set(key, client);
    return client;
  }
}
