import type { Delivery } from '../records';
import type { Store } from '../records/store';
import type { Scheduler } from '../time/scheduler';
import { sendDelivery } from './send';

export interface WebhookRetry {
  /** The maximum number of attempts per delivery, including the first. */
  attempts: number;
  /** The delay after the first attempt, in milliseconds. It doubles after each further attempt. */
  baseDelayMs: number;
  /** How long a receiver may take to respond, in milliseconds. */
  timeoutMs: number;
}

/** Eight attempts within about two minutes. */
export const defaultWebhookRetry: WebhookRetry = {
  attempts: 8,
  baseDelayMs: 1_000,
  timeoutMs: 10_000,
};

/** How many deliveries to one endpoint are in flight at most. */
const maxInFlightPerEndpoint = 16;

/** Sends deliveries until the receiver acknowledges them or the attempts are used up. */
export class DeliveryQueue {
  readonly #endpoints = new Map<number, { inFlight: number; waiting: Delivery[] }>();
  /** The pending deliveries, each with the function that resolves its promise. */
  readonly #pending = new Map<Delivery, () => void>();
  #whenSettled: Array<() => void> = [];

  constructor(
    private readonly store: Store,
    private readonly scheduler: Scheduler,
    private readonly retry: WebhookRetry,
    private readonly closing: AbortSignal,
  ) {
    closing.addEventListener('abort', () => this.#abandonAll());
  }

  /** Sends a delivery. Resolves once it is delivered or has failed, or when the sandbox closes. */
  deliver(delivery: Delivery): Promise<Delivery> {
    return new Promise((resolve) => {
      this.#pending.set(delivery, () => resolve(delivery));
      this.#enqueue(delivery);
    });
  }

  /** Resolves as soon as no delivery is pending. */
  settled(): Promise<void> {
    if (this.#pending.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenSettled.push(resolve));
  }

  #enqueue(delivery: Delivery): void {
    this.#endpoint(delivery.endpointId).waiting.push(delivery);
    this.#sendWaiting(delivery.endpointId);
  }

  #sendWaiting(endpointId: number): void {
    const endpoint = this.#endpoint(endpointId);
    while (endpoint.inFlight < maxInFlightPerEndpoint && !this.closing.aborted) {
      const next = endpoint.waiting.shift();
      if (!next) return;
      endpoint.inFlight += 1;
      void this.#attempt(next).finally(() => {
        endpoint.inFlight -= 1;
        this.#sendWaiting(endpointId);
      });
    }
  }

  /** Makes one attempt at the endpoint's present address, and schedules the next if it fails. */
  async #attempt(delivery: Delivery): Promise<void> {
    const at = new Date().toISOString();
    delivery.nextAttemptAt = null;
    const endpoint = this.store.webhookEndpoint(delivery.endpointId);
    if (!endpoint) {
      delivery.attempts.push({ at, error: 'The endpoint was removed.' });
      return this.#end(delivery, 'failed');
    }
    delivery.url = endpoint.url;
    const outcome = await sendDelivery(delivery, this.retry.timeoutMs, this.closing);
    if (this.closing.aborted) return;
    delivery.attempts.push({ at, ...outcome });
    const { status = 0 } = outcome;
    if (status >= 200 && status < 300) return this.#end(delivery, 'delivered');
    if (delivery.attempts.length >= this.retry.attempts) return this.#end(delivery, 'failed');

    const next = Date.now() + this.retry.baseDelayMs * 2 ** (delivery.attempts.length - 1);
    delivery.nextAttemptAt = new Date(next).toISOString();
    this.scheduler.at(next, () => this.#enqueue(delivery));
  }

  #end(delivery: Delivery, status: 'delivered' | 'failed'): void {
    delivery.status = status;
    this.#pending.get(delivery)?.();
    this.#pending.delete(delivery);
    if (this.#pending.size === 0) this.#resolveSettled();
  }

  #abandonAll(): void {
    for (const resolve of this.#pending.values()) resolve();
    this.#pending.clear();
    this.#resolveSettled();
  }

  #resolveSettled(): void {
    for (const resolve of this.#whenSettled.splice(0)) resolve();
  }

  #endpoint(id: number) {
    let endpoint = this.#endpoints.get(id);
    if (!endpoint) this.#endpoints.set(id, (endpoint = { inFlight: 0, waiting: [] }));
    return endpoint;
  }
}
