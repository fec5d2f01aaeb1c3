import { setMaxListeners } from 'node:events';
import { Agenda } from './agenda';
import { AgentRunner } from './agents';
import type { Emit } from './events';
import { Faults } from './faults';
import { Inbox } from './inbox';
import { Publisher } from './publisher';
import { RequestLog } from './requests';
import { Store } from './store';
import { Webhooks, defaultWebhookRetry, type WebhookRetry } from './webhooks';

export interface ServiceOptions {
  /** How many posts a page holds at most; 100 unless given. */
  maxPageSize?: number;
  /** How long every API request takes at least, in milliseconds; 0 unless given. */
  latencyMs?: number;
  /** How webhook deliveries are repeated. */
  webhookRetry?: Partial<WebhookRetry>;
  /** How many of the latest requests to the API are kept at least; all of them unless given. */
  keepRequests?: number;
}

/** The service itself, which the API and the dashboard are two faces of. */
export class Service {
  readonly store = new Store();
  readonly faults = new Faults();
  readonly agenda = new Agenda();
  readonly log: RequestLog;
  readonly webhooks: Webhooks;
  readonly inbox: Inbox;
  readonly agentRunner: AgentRunner;
  readonly publisher: Publisher;
  readonly maxPageSize: number;
  readonly latencyMs: number;
  /** Where it is reached, such as http://127.0.0.1:4010; known once it listens. */
  origin = '';
  readonly #closing = new AbortController();

  constructor(options: ServiceOptions) {
    const { store, agenda, closing } = this;
    setMaxListeners(0, closing);
    const emit: Emit = (event, data) => void this.webhooks.emit(event, data);
    const retry = { ...defaultWebhookRetry, ...options.webhookRetry };
    this.maxPageSize = options.maxPageSize ?? 100;
    this.latencyMs = options.latencyMs ?? 0;
    this.log = new RequestLog(options.keepRequests);
    this.webhooks = new Webhooks(store, agenda, retry, closing);
    this.inbox = new Inbox(store, emit);
    this.agentRunner = new AgentRunner(agenda, emit);
    this.publisher = new Publisher(store, agenda, emit, () => this.origin);
  }

  /** Aborts when the service closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends whatever it waits for. */
  close(): void {
    this.#closing.abort();
    this.agenda.close();
  }
}
