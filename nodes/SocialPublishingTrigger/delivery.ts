import type { IWebhookFunctions } from 'n8n-workflow';

import { Refusal } from './refusal';
import { readSharedSecret } from './secret';
import { verify } from './signature';

/** What this node uses of the request that n8n received. */
interface Delivery {
  headers: Record<string, string | string[] | undefined>;
  /** The bytes of the body after gzip or deflate decoding, once they are read. */
  rawBody?: Buffer;
  /** Reads the body, up to n8n's limit for payloads. */
  readRawBody(): Promise<void>;
}

async function readBody(delivery: Delivery): Promise<Uint8Array> {
  await delivery.readRawBody();
  return delivery.rawBody ?? new Uint8Array();
}

/**
 * Takes in the bytes of a delivery and verifies them, before anything else looks at them
 * (specification: Events, Signature). Without a signature they are not even read, nor are the parts
 * of a multipart body, since the service sends JSON. Whatever keeps them from being verified is a
 * reason to refuse: n8n would otherwise record a failed execution for it.
 *
 * @returns the raw request body
 * @throws Refusal with status 401, which tells the sender nothing of the reason; n8n's log does
 */
export async function receiveVerified(context: IWebhookFunctions): Promise<Uint8Array> {
  const delivery = context.getRequestObject() as Delivery;
  const unauthorized = new Refusal(401, 'Unauthorized');
  const { 'x-service-signature': signature, 'content-type': contentType } = delivery.headers;
  const isMultipart = /^\s*multipart\//i.test(String(contentType));
  if (signature === undefined || isMultipart) throw unauthorized;
  try {
    const secret = await readSharedSecret(context);
    const body = await readBody(delivery);
    if (verify(body, signature, secret)) return body;
  } catch (error) {
    const reason = (error as Error).message;
    context.logger.warn(`${context.getNode().name} could not verify a delivery: ${reason}`);
  }
  throw unauthorized;
}
