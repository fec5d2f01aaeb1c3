import { once } from 'node:events';
import { request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

/** What a sender puts on the wire. */
export interface Delivery {
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** What it gets back. */
export interface Answer {
  status: number | undefined;
  contentType: string | undefined;
  body: string;
}

/** Sends a delivery. The agent decides how many connections are used at once. */
export async function send(
  url: string,
  { headers, body }: Delivery,
  agent?: Agent,
): Promise<Answer> {
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
