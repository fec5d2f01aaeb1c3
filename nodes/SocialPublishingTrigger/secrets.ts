import type { IHookFunctions, INodeCredentialTestResult, IWebhookFunctions } from 'n8n-workflow';

import { explained, type Explanation } from './refusal';

const CREDENTIAL_TYPE = 'socialPublishingWebhookApi';

export const DASHBOARD = "the service's dashboard under Settings, Webhooks";

/** How many lines of Other Secrets are used. Each one costs an HMAC over every delivery. */
export const MAX_OTHER_SECRETS = 50;

/** The decrypted `socialPublishingWebhookApi` credential. */
export interface WebhookCredential {
  webhookSecret?: unknown;
  otherSecrets?: unknown;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

const isBlank = (text: string) => text.trim() === '';

/** The lines of Other Secrets that are not blank, with their line numbers, counted from 1. */
function linesOf({ otherSecrets }: WebhookCredential): Array<{ secret: string; line: number }> {
  return textOf(otherSecrets)
    .split(/\r\n|\r|\n/)
    .map((secret, index) => ({ secret, line: index + 1 }))
    .filter(({ secret }) => !isBlank(secret));
}

/**
 * The secrets that deliveries may be signed with, unaltered: Webhook Secret, and the first {@link
 * MAX_OTHER_SECRETS} of Other Secrets.
 */
export function listSecrets(credential: WebhookCredential): string[] {
  const others = linesOf(credential).slice(0, MAX_OTHER_SECRETS);
  const secrets = [textOf(credential.webhookSecret), ...others.map(({ secret }) => secret)];
  return [...new Set(secrets.filter((secret) => !isBlank(secret)))];
}

const hasSpaceAround = (secret: string) => secret !== secret.trim();

/** Finds what is wrong with the fields of a credential, as far as one can tell without an event. */
export function findProblem(credential: WebhookCredential): Explanation | undefined {
  const webhookSecret = textOf(credential.webhookSecret);
  const others = linesOf(credential);
  const padded = others.find(({ secret }) => hasSpaceAround(secret));
  if (isBlank(webhookSecret)) {
    return {
      code: 'blankSecret',
      message: 'The Webhook Secret is blank',
      description: `Copy it from ${DASHBOARD}.`,
    };
  }
  if (hasSpaceAround(webhookSecret)) {
    return {
      code: 'spaceAroundSecret',
      message: 'The Webhook Secret begins or ends with a space or a line break',
      description: 'Remove it.',
    };
  }
  if (padded) {
    return {
      code: 'spaceAroundOtherSecret',
      message: `Line ${padded.line} of Other Secrets begins or ends with a space`,
      description: 'Remove it.',
    };
  }
  if (others.length > MAX_OTHER_SECRETS) {
    return {
      code: 'tooManySecrets',
      message: `Other Secrets has ${others.length} lines, and only ${MAX_OTHER_SECRETS} are allowed`,
      description: 'Use a second workflow with its own credential for the rest.',
    };
  }
  return undefined;
}

const decryptSecrets = (context: Pick<IHookFunctions, 'getCredentials'>) =>
  context.getCredentials<WebhookCredential>(CREDENTIAL_TYPE);

const pendingReads = new Map<string, Promise<WebhookCredential>>();

/**
 * Reads the credential, once for deliveries that arrive meanwhile: n8n sets up a sandbox for its
 * expressions each time. Nothing is kept: a changed secret holds from the next read on.
 */
export function readSharedCredential(context: IWebhookFunctions): Promise<WebhookCredential> {
  const { id } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
  const key = JSON.stringify([context.getWorkflow().id, context.getMode(), id]);
  const read =
    pendingReads.get(key) ?? decryptSecrets(context).finally(() => pendingReads.delete(key));
  pendingReads.set(key, read);
  return read;
}

/** Lets a workflow be published or tested only with usable secrets. @throws NodeOperationError */
export async function requireSecrets(context: IHookFunctions): Promise<void> {
  const problem = findProblem(await decryptSecrets(context));
  if (!problem) return;
  const description = `${problem.description} The field is in the credential of this node.`;
  throw explained(context.getNode(), { ...problem, description });
}

/** Tests the fields alone: no request to the service would show whether a secret is correct. */
export function checkCredential(credential: WebhookCredential): INodeCredentialTestResult {
  const problem = findProblem(credential);
  return problem
    ? { status: 'Error', message: `${problem.message}. ${problem.description}` }
    : {
        status: 'OK',
        message: 'A secret is set. The first event will show whether it is correct.',
      };
}
