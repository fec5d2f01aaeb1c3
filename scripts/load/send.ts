import { once } from 'node:events';
import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** One webhook delivery: the headers and the raw body to send. */
export interface Delivery {
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** The receiver's response to a delivery. */
export interface DeliveryResponse {
  status: number | undefined;
  contentType: string | undefined;
  body: string;
}

/** Sends a delivery by POST. The agent limits the number of connections. */
export async function send(
  url: string,
  { headers, body }: Delivery,
  agent?: Agent,
): Promise<DeliveryResponse> {
  const outgoing = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': body.length },
    ...(agent && { agent }),
  });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return {
    status: incoming.statusCode,
    contentType: incoming.headers['content-type'],
    body: await text(incoming),
  };
}
