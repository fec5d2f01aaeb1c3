import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { sign } from '../../sandbox/signature';
import { send, type Delivery } from './send';

/** How many deliveries are under way at once. */
export const SENDERS = 16;

/** Makes a delivery that differs from all others. */
export type MakeDelivery = () => Delivery;

/** A delivery of a `post.published` event, signed with a secret. */
export function signedDelivery(secret: string): Delivery {
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

/** A delivery like those that the service makes, from somebody who doesn't know the secret. */
export const forgedDelivery: MakeDelivery = () => signedDelivery(randomUUID());

/** As many deliveries. */
export const times = (count: number, make: MakeDelivery): Delivery[] =>
  Array.from({ length: count }, make);

/** Deliveries for some seconds, each made when it is taken. */
export function* forSeconds(seconds: number, make: MakeDelivery): Generator<Delivery> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) yield make();
}

/**
 * Sends deliveries once each, {@link SENDERS} at a time, in their order.
 *
 * @returns the statuses of the answers, in the order of the deliveries
 * @throws Error when a delivery gets no answer
 */
export async function sendAll(url: string, deliveries: Iterable<Delivery>): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const statuses: number[] = [];
  const remaining = deliveries[Symbol.iterator]();
  let next = 0;
  const sender = async () => {
    for (let taken = remaining.next(); !taken.done; taken = remaining.next()) {
      const index = next++;
      const { status } = await send(url, taken.value, agent);
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
