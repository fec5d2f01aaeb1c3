import type { IWebhookFunctions } from 'n8n-workflow';

import { Refusal } from './refusal';
import { findProblem, listSecrets, readSharedCredential } from './secrets';
import { verify } from './signature';

/** What this node uses of the HTTP request that n8n received. */
interface HttpRequest {
  headers: Record<string, string | string[] | undefined>;
  /** The bytes of the body after gzip or deflate decoding, once `readRawBody` has read them. */
  rawBody?: Buffer;
  /** Reads the body, up to n8n's limit for payloads. */
  readRawBody(): Promise<void>;
}

async function readBody(request: HttpRequest): Promise<Uint8Array> {
  await request.readRawBody();
  return request.rawBody ?? new Uint8Array();
}

/**
 * Reads the bytes of a delivery and verifies them before anything else looks at them (docs/service.md,
 * "Signature"). It reads no body without a signature and no multipart body, since the service
 * sends JSON. Any error on the way is a reason to refuse: n8n would record a failed execution for it.
 *
 * @returns the raw request body
 * @throws Refusal with status 401, which hides the reason from the sender; n8n's log has it
 */
export async function receiveVerified(context: IWebhookFunctions): Promise<Uint8Array> {
  const request = context.getRequestObject() as HttpRequest;
  const unauthorized = new Refusal(401, 'Unauthorized');
  const { 'x-service-signature': signature, 'content-type': contentType } = request.headers;
  const isMultipart = /^\s*multipart\//i.test(String(contentType));
  if (signature === undefined || isMultipart) throw unauthorized;
  let problem: string | undefined;
  try {
    const credential = await readSharedCredential(context);
    const body = await readBody(request);
    if (verify(body, signature, listSecrets(credential))) return body;
    problem = findProblem(credential)?.message;
  } catch (error) {
    problem = (error as Error).message;
  }
  if (problem !== undefined) {
    context.logger.warn(`${context.getNode().name} could not verify a delivery: ${problem}`);
  }
  throw unauthorized;
}
