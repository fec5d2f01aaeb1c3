import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ServiceClock } from '../idempotency/clock';
import { memoryOf } from '../idempotency/memory';
import { Writes } from '../idempotency/writes';
import { Client } from '../service/client';
import type { ServiceCredential } from '../service/http/credential';
import { type Exchange, exchangeWith } from '../service/http/request';
import { Concurrency } from '../service/limiter/limiter';
import type { Outcome } from '../service/outcome';
import { RequestBudget } from '../service/quota/budget';
import { QuotaMemory } from '../service/quota/memory';
import type { ReadEndpoint, ReadRequest } from '../service/requests';

/** What the user chose for all requests of one run of the node. */
export interface SessionSettings {
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  /** How many requests of the quota must be left; `undefined` for no bound. */
  readonly keepRequests: number | undefined;
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

  private readonly clock = new ServiceClock();

  /** The writes of the run. */
  readonly writes: Writes;

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly settings: SessionSettings,
  ) {
    this.concurrency = new Concurrency(settings.concurrency, context.getExecutionCancelSignal());
    this.memory = memoryOf(context);
    this.writes = new Writes(
      context,
      this.memory,
      (credential) => this.clientFor(credential),
      this.clock,
      settings.concurrency,
    );
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
    const client = new Client(credential, this.exchangeFor(credential), {
      limiter: this.concurrency.limiter(),
      budget: this.budgetFor(credential),
      zone: this.context.getTimezone(),
      cancelled: this.context.getExecutionCancelSignal(),
    });
    this.clients.set(key, client);
    return client;
  }

  /** Exchanges that tell the service's time, and of writes put on record that they go out. */
  private exchangeFor(credential: ServiceCredential): Exchange {
    const exchange = exchangeWith(this.context, credential);
    return async (request) => {
      if (request.method === 'POST') await this.writes.mark();
      const result = await exchange(request);
      if (result.responded) this.clock.observe(result.headers.date, Date.now());
      return result;
    };
  }

  private budgetFor(credential: ServiceCredential): RequestBudget {
    const { keepRequests } = this.settings;
    if (keepRequests === undefined) return new RequestBudget(undefined);
    return new RequestBudget(keepRequests, new QuotaMemory(this.memory, credential));
  }
}
