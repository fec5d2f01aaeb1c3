import { randomBytes } from 'node:crypto';

import type { Delivery, WebhookEndpoint } from '../records';
import type { Store } from '../records/store';
import { isHttpUrl } from '../urls';
import type { DeliveryQueue } from './delivery-queue';
import { encodeEnvelope } from './envelope';
import { sign } from './signature';

/** The webhook endpoints, and the events that are sent to them. */
export class Webhooks {
  constructor(
    private readonly store: Store,
    private readonly queue: DeliveryQueue,
  ) {}

  /** Every delivery since the start, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.store.deliveries;
  }

  /**
   * Adds an endpoint. Without `secret` it gets a random one; without `events` it receives all.
   * @throws TypeError when the URL isn't an http or https URL, or when the secret is empty
   */
  add(endpoint: { url: string; secret?: string; events?: readonly string[] }): WebhookEndpoint {
    const { url, secret = `whsec_${randomBytes(24).toString('hex')}`, events = [] } = endpoint;
    requireHttpUrl(url);
    if (secret.trim() === '') throw new TypeError('The secret of an endpoint must not be empty.');
    return this.store.addWebhookEndpoint({ url, secret, events: [...events] });
  }

  /**
   * Changes the address of an endpoint. Secret and events stay. What is still to be sent goes to the
   * new address.
   * @throws TypeError when the URL isn't an http or https URL
   */
  changeUrl(endpoint: WebhookEndpoint, url: string): void {
    requireHttpUrl(url);
    endpoint.url = url;
  }

  /** Removes an endpoint. Its pending deliveries fail. Returns whether it existed. */
  remove(id: number): boolean {
    return this.store.removeWebhookEndpoint(id);
  }

  /**
   * Sends an event to each endpoint that receives its kind. A kind that the specification doesn't
   * list goes to the endpoints that receive all.
   * @returns its deliveries, once each is delivered or has failed
   */
  async emit(event: string, data: object): Promise<Delivery[]> {
    const body = encodeEnvelope(event, data, new Date().toISOString());
    const receivers = this.store.webhookEndpoints.filter(
      ({ events }) => events.length === 0 || events.includes(event),
    );
    return Promise.all(
      receivers.map(({ id, url, secret }) =>
        this.#deliver({ endpointId: id, url, event, body, signature: sign(body, secret) }),
      ),
    );
  }

  /** Sends the same bytes with the same signature again, as a delivery of its own. */
  resend({ endpointId, url, event, body, signature }: Delivery): Promise<Delivery> {
    return this.#deliver({ endpointId, url, event, body, signature });
  }

  /** Resolves as soon as no delivery is pending. */
  settled(): Promise<void> {
    return this.queue.settled();
  }

  #deliver(delivery: Parameters<Store['addDelivery']>[0]): Promise<Delivery> {
    return this.queue.deliver(this.store.addDelivery(delivery));
  }
}

function requireHttpUrl(url: string): void {
  if (isHttpUrl(url)) return;
  throw new TypeError(`The address of an endpoint must be an http or https URL, not "${url}".`);
}
