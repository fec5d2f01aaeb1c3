import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';

import { sign } from '../../sandbox/webhooks/signature';
import { type DeliveryRequest, send } from './send';

/** The number of deliveries that are sent at the same time. */
export const SENDERS = 16;

/** Creates a delivery. No two are the same. */
export type CreateDelivery = () => DeliveryRequest;

/** Creates a delivery of a `post.published` event, signed with `secret`. */
export function signedDelivery(secret: string): DeliveryRequest {
  const platformPostId = randomUUID();
  const data = {
    postId: 1,
    variantId: 1,
    platform: 'instagram',
    content: 'Fresh sourdough, straight from the oven. Come by before eleven!',
    platformUrl: `https://instagram.example/p/${platformPostId}`,
    platformPostId,
  };
  const timestamp = new Date().toISOString();
  const body = Buffer.from(JSON.stringify({ event: 'post.published', data, timestamp }));
  const signature = sign(body, secret);
  return {
    headers: { 'content-type': 'application/json', 'x-service-signature': signature },
    body,
  };
}

/** Creates a delivery that looks like the service's own but is signed with a wrong secret. */
export const forgedDelivery: CreateDelivery = () => signedDelivery(randomUUID());

/** Creates `count` deliveries. */
export const repeat = (count: number, create: CreateDelivery): DeliveryRequest[] =>
  Array.from({ length: count }, create);

/** Yields deliveries for some seconds, each created when it is about to be sent. */
export function* forSeconds(seconds: number, create: CreateDelivery): Generator<DeliveryRequest> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) yield create();
}

/**
 * Sends each delivery once, in order, {@link SENDERS} at a time.
 *
 * @returns the HTTP status of each response, in the order of the deliveries
 * @throws Error when a delivery gets no response
 */
export async function sendAll(
  url: string,
  deliveries: Iterable<DeliveryRequest>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const statuses: number[] = [];
  const remaining = deliveries[Symbol.iterator]();
  let next = 0;
  const sender = async () => {
    for (let delivery = remaining.next(); !delivery.done; delivery = remaining.next()) {
      const index = next++;
      const { status } = await send(url, delivery.value, agent);
      statuses[index] = status ?? 0;
    }
  };
  try {
    await Promise.all(Array.from({ length: SENDERS }, sender));
  } finally {
    agent.destroy();
  }
  return statuses;
}
