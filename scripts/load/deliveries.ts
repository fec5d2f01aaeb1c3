import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { sign } from '../../sandbox/signature';

/** How many deliveries are under way at once. */
const SENDERS = 16;

/** A delivery of one event: the exact bytes and the value of its X-Service-Signature header. */
export interface SignedDelivery {
  body: Buffer;
  signature: string;
}

/** Makes a delivery that differs from all others. */
export type MakeDelivery = () => SignedDelivery;

/** A delivery of a `post.published` event, signed with a secret. */
export function signedDelivery(secret: string): SignedDelivery {
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
  return { body, signature: sign(body, secret) };
}

/** A delivery like those that the service makes, from somebody who doesn't know the secret. */
export const forgedDelivery: MakeDelivery = () => signedDelivery(randomUUID());

/** As many deliveries. */
export const times = (count: number, make: MakeDelivery): SignedDelivery[] =>
  Array.from({ length: count }, make);

/** Deliveries for some seconds, each made when it is taken. */
export function* forSeconds(seconds: number, make: MakeDelivery): Generator<SignedDelivery> {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) yield make();
}

async function send(
  url: string,
  { body, signature }: SignedDelivery,
  agent: Agent,
): Promise<number> {
  const outgoing = request(url, {
    method: 'POST',
    agent,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-Service-Signature': signature,
    },
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  await text(incoming);
  return incoming.statusCode ?? 0;
}

/**
 * Sends deliveries once each, 16 at a time, in their order.
 *
 * @returns the statuses of the answers, in the order of the deliveries
 * @throws Error when a delivery gets no answer
 */
export async function sendAll(
  url: string,
  deliveries: Iterable<SignedDelivery>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
  const statuses: number[] = [];
  const remaining = deliveries[Symbol.iterator]();
  let next = 0;
  const sender = async () => {
    for (let taken = remaining.next(); !taken.done; taken = remaining.next()) {
      const index = next++;
      statuses[index] = await send(url, taken.value, agent);
    }
  };
  try {
    await Promise.all(Array.from({ length: SENDERS }, sender));
  } finally {
    agent.destroy();
  }
  return statuses;
}
