import type { IHookFunctions, INodeCredentialTestResult, IWebhookFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

const CREDENTIAL_TYPE = 'socialPublishingWebhookApi';

const WHERE = "in the service's dashboard under Settings, Webhooks";

/** The decrypted `socialPublishingWebhookApi` credential. */
interface WebhookCredential {
  webhookSecret?: string;
}

/** The webhook secret of the node's credential, as the user wrote it. */
async function readSecret(context: Pick<IHookFunctions, 'getCredentials'>): Promise<string> {
  const { webhookSecret } = await context.getCredentials<WebhookCredential>(CREDENTIAL_TYPE);
  return webhookSecret ?? '';
}

const underWay = new Map<string, Promise<string>>();

/**
 * The webhook secret to verify a delivery with. Deliveries that come in while it is being read share
 * that read, since n8n sets up a sandbox for the expressions in a credential each time. Nothing is
 * kept beyond it: a secret that has been changed holds from the next read on.
 */
export function readSharedSecret(context: IWebhookFunctions): Promise<string> {
  const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
  const key = JSON.stringify([context.getWorkflow().id, context.getMode(), id]);
  const reading = underWay.get(key) ?? readSecret(context).finally(() => underWay.delete(key));
  underWay.set(key, reading);
  return reading;
}

/**
 * Lets a workflow become active, or a test begin, only with a secret to verify deliveries with.
 *
 * @throws NodeOperationError when the secret is blank
 */
export async function requireSecret(context: IHookFunctions): Promise<void> {
  if ((await readSecret(context)).trim() !== '') return;
  throw new NodeOperationError(context.getNode(), 'The Webhook Secret in the credential is blank', {
    description: `Without it no event can be verified, and none would start the workflow. Copy the secret of the endpoint, which is ${WHERE}, into the credential.`,
  });
}

/**
 * Tests the credential without a request, since the interface offers nothing to test it against:
 * there must be a secret, without blanks or line breaks that came along when it was copied.
 */
export function checkSecret(webhookSecret = ''): INodeCredentialTestResult {
  if (webhookSecret.trim() === '') {
    return { status: 'Error', message: `The Webhook Secret is blank. It is ${WHERE}.` };
  }
  if (webhookSecret !== webhookSecret.trim()) {
    return {
      status: 'Error',
      message: 'The Webhook Secret begins or ends with a blank or a line break. Remove it.',
    };
  }
  return {
    status: 'OK',
    message: 'There is a secret. Whether it is the right one shows with the first event.',
  };
}
