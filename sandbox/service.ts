import { setMaxListeners } from 'node:events';

import { AgentRunner } from './activity/agent-runner';
import { Inbox } from './activity/inbox';
import { PostGenerator } from './activity/post-generator';
import { Publisher } from './activity/publisher';
import { Faults } from './faults/faults';
import type { Emit } from './records';
import { Store } from './records/store';
import { RequestLog } from './request-log';
import { Scheduler } from './time/scheduler';
import { defaultWebhookRetry, DeliveryQueue, type WebhookRetry } from './webhooks/delivery-queue';
import { Webhooks } from './webhooks/webhooks';

export interface SandboxServiceOptions {
  /** The maximum number of posts per page; 100 by default. */
  maxPageSize?: number;
  /** The minimum duration of every API request, in milliseconds; 0 by default. */
  latencyMs?: number;
  /** How far the clock of the service is ahead of this machine's, in milliseconds; 0 by default. */
  clockOffsetMs?: number;
  /** Whether agents run on their schedule; false by default, so that no event comes unasked. */
  agentsRun?: boolean;
  /** How failed webhook deliveries are retried. */
  webhookRetry?: Partial<WebhookRetry>;
  /** How many of the latest API requests to keep; all by default. */
  requestLogSize?: number;
}

/**
 * The simulated service: its records, its faults, and what happens over time. The API and the
 * dashboard both work on it.
 */
export class SandboxService {
  readonly store = new Store();
  readonly faults = new Faults();
  readonly scheduler = new Scheduler();
  readonly log: RequestLog;
  readonly webhooks: Webhooks;
  readonly inbox: Inbox;
  readonly agentRunner: AgentRunner;
  readonly publisher: Publisher;
  readonly postGenerator: PostGenerator;
  readonly maxPageSize: number;
  readonly latencyMs: number;
  /** Its address, such as http://127.0.0.1:4010. Empty until it listens. */
  origin = '';
  readonly #clockOffsetMs: number;
  readonly #closing = new AbortController();

  constructor(options: SandboxServiceOptions) {
    const { store, scheduler, closing } = this;
    setMaxListeners(0, closing);
    const emit: Emit = (event, data) => void this.webhooks.emit(event, data);
    const retry = { ...defaultWebhookRetry, ...options.webhookRetry };
    this.maxPageSize = options.maxPageSize ?? 100;
    this.latencyMs = options.latencyMs ?? 0;
    this.#clockOffsetMs = options.clockOffsetMs ?? 0;
    this.log = new RequestLog(options.requestLogSize);
    this.webhooks = new Webhooks(store, new DeliveryQueue(store, scheduler, retry, closing));
    this.inbox = new Inbox(store, emit);
    this.agentRunner = new AgentRunner(scheduler, emit, options.agentsRun ?? false);
    this.publisher = new Publisher(store, scheduler, emit, () => this.origin);
    this.postGenerator = new PostGenerator(store, this.publisher, scheduler, () => this.now());
  }

  /** The time by the clock of the service, as its responses and new posts show it. */
  now(): Date {
    return new Date(Date.now() + this.#clockOffsetMs);
  }

  /** Aborts when the service closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Cancels everything that is scheduled or in flight. */
  close(): void {
    this.#closing.abort();
    this.scheduler.close();
  }
}
