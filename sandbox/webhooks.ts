import { randomBytes } from 'node:crypto';
import type { Agenda } from './agenda';
import { sign } from './signature';
import type { Delivery, DeliveryAttempt, Store, WebhookEndpoint } from './store';
import { isHttpUrl } from './urls';

export interface WebhookRetry {
  /** How often a delivery is attempted at most, the first attempt included. */
  attempts: number;
  /** The wait after the first attempt, in milliseconds; it doubles after every further one. */
  baseDelayMs: number;
  /** How long a receiver may take to answer, in milliseconds. */
  timeoutMs: number;
}

/** Eight attempts within about two minutes. */
export const defaultWebhookRetry: WebhookRetry = {
  attempts: 8,
  baseDelayMs: 1_000,
  timeoutMs: 10_000,
};

/** How many deliveries to one endpoint are under way at once. */
const concurrencyPerEndpoint = 16;

/** Sends events to the webhook endpoints, signed, and again until they are acknowledged. */
export class Webhooks {
  readonly #lanes = new Map<number, { underWay: number; waiting: Delivery[] }>();
  readonly #onceOver = new Map<Delivery, () => void>();
  #onceSettled: Array<() => void> = [];

  constructor(
    private readonly store: Store,
    private readonly agenda: Agenda,
    private readonly retry: WebhookRetry,
    private readonly closing: AbortSignal,
  ) {
    closing.addEventListener('abort', () => this.#giveUpWaiting());
  }

  /** Every delivery since the start, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.store.deliveries;
  }

  /**
   * Adds an endpoint. Without a secret it gets one; without events it receives all of them.
   * @throws TypeError when the URL isn't an http or https one, or the secret is empty
   */
  add(endpoint: { url: string; secret?: string; events?: readonly string[] }): WebhookEndpoint {
    const { url, secret = `whsec_${randomBytes(24).toString('hex')}`, events = [] } = endpoint;
    if (!isHttpUrl(url)) {
      throw new TypeError(`The address of an endpoint must be an http or https URL, not "${url}".`);
    }
    if (secret.trim() === '') throw new TypeError('The secret of an endpoint must not be empty.');
    return this.store.addWebhookEndpoint({ url, secret, events: [...events] });
  }

  /** Takes an endpoint away; what is still to be sent to it fails. */
  remove(id: number): boolean {
    return this.store.removeWebhookEndpoint(id);
  }

  /**
   * Sends an event to every endpoint that receives its kind. A kind that the specification doesn't
   * list goes to the endpoints that receive all.
   * @returns its deliveries, once each of them is delivered or given up
   */
  async emit(event: string, data: object): Promise<Delivery[]> {
    const timestamp = new Date().toISOString();
    const body = Buffer.from(JSON.stringify({ event, data, timestamp }));
    const receivers = this.store.webhookEndpoints.filter(
      ({ events }) => events.length === 0 || events.includes(event),
    );
    return Promise.all(
      receivers.map(({ id, url, secret }) =>
        this.#deliver({ endpointId: id, url, event, body, signature: sign(body, secret) }),
      ),
    );
  }

  /** Sends the same bytes with the same signature once more, as a delivery of its own. */
  repeat({ endpointId, url, event, body, signature }: Delivery): Promise<Delivery> {
    return this.#deliver({ endpointId, url, event, body, signature });
  }

  /** Resolves as soon as no delivery is pending. */
  settled(): Promise<void> {
    if (this.#onceOver.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onceSettled.push(resolve));
  }

  #deliver(message: Parameters<Store['addDelivery']>[0]): Promise<Delivery> {
    const delivery = this.store.addDelivery(message);
    return new Promise((resolve) => {
      this.#onceOver.set(delivery, () => resolve(delivery));
      this.#enqueue(delivery);
    });
  }

  #enqueue(delivery: Delivery): void {
    this.#laneOf(delivery).waiting.push(delivery);
    this.#advance(delivery);
  }

  /** Starts what may start of the deliveries that wait for the same endpoint as this one. */
  #advance(delivery: Delivery): void {
    const lane = this.#laneOf(delivery);
    while (lane.underWay < concurrencyPerEndpoint && !this.closing.aborted) {
      const next = lane.waiting.shift();
      if (!next) return;
      lane.underWay += 1;
      void this.#attempt(next).finally(() => {
        lane.underWay -= 1;
        this.#advance(next);
      });
    }
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const at = new Date().toISOString();
    delivery.nextAttemptAt = null;
    if (!this.store.webhookEndpoint(delivery.endpointId)) {
      delivery.attempts.push({ at, error: 'The endpoint has been removed.' });
      return this.#end(delivery, 'failed');
    }
    const outcome = await this.#send(delivery);
    if (this.closing.aborted) return;
    delivery.attempts.push({ at, ...outcome });
    const { status = 0 } = outcome;
    if (status >= 200 && status < 300) return this.#end(delivery, 'delivered');
    if (delivery.attempts.length >= this.retry.attempts) return this.#end(delivery, 'failed');

    const next = Date.now() + this.retry.baseDelayMs * 2 ** (delivery.attempts.length - 1);
    delivery.nextAttemptAt = new Date(next).toISOString();
    this.agenda.at(next, () => this.#enqueue(delivery));
  }

  async #send({ url, body, signature }: Delivery): Promise<Omit<DeliveryAttempt, 'at'>> {
    const timeout = AbortSignal.timeout(this.retry.timeoutMs);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'social-publishing-sandbox',
          'X-Service-Signature': signature,
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.closing, timeout]),
      });
      await response.arrayBuffer();
      return { status: response.status };
    } catch (error) {
      const late = `No answer within ${this.retry.timeoutMs} ms.`;
      return { error: timeout.aborted ? late : reasonOf(error) };
    }
  }

  #end(delivery: Delivery, status: 'delivered' | 'failed'): void {
    delivery.status = status;
    this.#onceOver.get(delivery)?.();
    this.#onceOver.delete(delivery);
    if (this.#onceOver.size > 0) return;
    for (const resolve of this.#onceSettled.splice(0)) resolve();
  }

  #giveUpWaiting(): void {
    for (const resolve of this.#onceOver.values()) resolve();
    this.#onceOver.clear();
    for (const resolve of this.#onceSettled.splice(0)) resolve();
  }

  #laneOf({ endpointId }: Delivery) {
    let lane = this.#lanes.get(endpointId);
    if (!lane) this.#lanes.set(endpointId, (lane = { underWay: 0, waiting: [] }));
    return lane;
  }
}

/** The words of what lies behind an error of fetch, such as "connect ECONNREFUSED 127.0.0.1:5678". */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: string; message?: string };
  return message || code || String(cause);
}
