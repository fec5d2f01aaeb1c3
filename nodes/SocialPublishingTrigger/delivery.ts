import type { IWebhookFunctions } from 'n8n-workflow';

import { type Explanation, RefusedDelivery } from './refusal';
import { DASHBOARD, findProblem, listSecrets, readSharedCredential } from './secrets';
import { verify } from './signature';

interface WebhookRequest {
  headers: Record<string, string | string[] | undefined>;
  /** The bytes of the body after gzip or deflate decoding, once `readRawBody` has read them. */
  rawBody?: Buffer;
  /** Reads the body, up to n8n's limit for payloads. */
  readRawBody(): Promise<void>;
}

const unauthorized = (explanation: Explanation) =>
  new RefusedDelivery(401, explanation, 'Unauthorized');

const UNSIGNED: Explanation = {
  code: 'notSigned',
  message: 'An event came, but the service did not sign it',
  description:
    'The service signs every event, so this one came from somewhere else. Test this trigger again, and make an event happen in the service.',
};

const WRONGLY_SIGNED: Explanation = {
  code: 'wronglySigned',
  message: 'An event came, but it was not signed with this secret',
  description: `Open ${DASHBOARD}, copy the secret of the endpoint that has the Test URL, and paste it into the credential of this node. Then test this trigger again.`,
};

/**
 * Verifies the bytes of a delivery before this node looks at anything in them (docs/service.md,
 * "Signature"); a multipart body isn't even read. Every error is a refusal: for any other, n8n
 * would record a failed execution.
 * @throws RefusedDelivery with status 401, which does not tell the sender why
 */
export async function receiveVerified(context: IWebhookFunctions): Promise<Uint8Array> {
  const request = context.getRequestObject() as WebhookRequest;
  const { 'x-service-signature': signature, 'content-type': contentType } = request.headers;
  const isMultipart = /^\s*multipart\//i.test(String(contentType));
  if (signature === undefined || isMultipart) throw unauthorized(UNSIGNED);
  const unverifiable = (reason: string, explanation: Explanation) => {
    context.logger.warn(`${context.getNode().name} could not verify a delivery: ${reason}`);
    return unauthorized(explanation);
  };
  let problem: Explanation | undefined;
  try {
    const credential = await readSharedCredential(context);
    await request.readRawBody();
    const body = request.rawBody ?? new Uint8Array();
    if (verify(body, signature, listSecrets(credential))) return body;
    problem = findProblem(credential);
  } catch (error) {
    const reason = (error as Error).message;
    throw unverifiable(reason, {
      code: 'notVerified',
      message: 'An event came, but this node could not verify it',
      description: reason,
    });
  }
  throw problem ? unverifiable(problem.message, problem) : unauthorized(WRONGLY_SIGNED);
}
