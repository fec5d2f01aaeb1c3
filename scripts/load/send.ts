import { once } from 'node:events';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One webhook delivery: the headers and the raw body to send. */
export interface DeliveryRequest {
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** The receiver's response to a delivery. */
export interface DeliveryResponse {
  status: number | undefined;
  contentType: string | undefined;
  body: string;
}

/** Gives each request a connection of its own: n8n may close an idle one just when it is used again. */
class Separately extends Agent {
  override keepSocketAlive(): boolean {
    return false;
  }
}

// Not "connection: close": n8n would then close before the whole body of a refused delivery is sent.
const separately = new Separately({ keepAlive: true });

/**
 * Sends a delivery by POST. The agent limits the number of connections. Without one, the delivery has
 * a connection of its own.
 */
export async function send(
  url: string,
  { headers, body }: DeliveryRequest,
  agent: Agent = separately,
): Promise<DeliveryResponse> {
  const outgoing = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    agent,
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return {
    status: incoming.statusCode,
    contentType: incoming.headers['content-type'],
    body: await text(incoming),
  };
}
