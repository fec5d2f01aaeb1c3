import type { IHookFunctions, INodeCredentialTestResult, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

const CREDENTIAL_TYPE = 'socialPublishingWebhookApi';

const DASHBOARD = "the service's dashboard under Settings, Webhooks";

/** The decrypted `socialPublishingWebhookApi` credential. */
interface WebhookCredential {
  webhookSecret?: string;
}

/** Reads the webhook secret from the node's credential, as the user entered it. */
async function readSecret(context: Pick<IHookFunctions, 'getCredentials'>): Promise<string> {
  const { webhookSecret } = await context.getCredentials<WebhookCredential>(CREDENTIAL_TYPE);
  return webhookSecret ?? '';
}

const pendingReads = new Map<string, Promise<string>>();

/**
 * Reads the webhook secret to verify a delivery with. Deliveries that arrive during the read share
 * it, because n8n sets up a sandbox for the credential's expressions on each read. Nothing is cached
 * afterwards: a changed secret applies from the next read on.
 */
export function readSharedSecret(context: IWebhookFunctions): Promise<string> {
  const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
  const key = JSON.stringify([context.getWorkflow().id, context.getMode(), id]);
  const read = pendingReads.get(key) ?? readSecret(context).finally(() => pendingReads.delete(key));
  pendingReads.set(key, read);
  return read;
}

/**
 * Lets a workflow be published, or a test begin, only with a secret to verify deliveries with.
 *
 * @throws NodeOperationError when the secret is blank
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
  if ((await readSecret(context)).trim() !== '') return;
  throw new NodeOperationError(context.getNode(), 'The Webhook Secret in the credential is blank', {
    description: `Without a secret, no event can be verified and none starts the workflow. Copy the endpoint's secret from ${DASHBOARD} into the credential.`,
  });
}

/**
 * Tests the credential without a request, because the service has none for this: there must be a
 * secret, without spaces or line breaks that came along when it was copied.
 */
export function checkSecret(webhookSecret: unknown): INodeCredentialTestResult {
  if (typeof webhookSecret !== 'string' || webhookSecret.trim() === '') {
    return {
      status: 'Error',
      message: `The Webhook Secret is blank. Copy it from ${DASHBOARD}.`,
    };
  }
  if (webhookSecret !== webhookSecret.trim()) {
    return {
      status: 'Error',
      message: 'The Webhook Secret begins or ends with a space or a line break. Remove it.',
    };
  }
  return {
    status: 'OK',
    message: 'A secret is set. The first event will show whether it is correct.',
  };
}
