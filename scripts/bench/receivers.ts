import { randomUUID } from 'node:crypto';

import { chain, type Step } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { webhookUrl, type WorkflowFile } from '../n8n/rest';

/** A published workflow that lets only signed deliveries through. */
export interface Receiver {
  workflowId: string;
  /** Its production URL. */
  url: string;
}

/** The node that correctly signed deliveries reach. */
export const ACCEPTED = 'Accepted';

const accepted: Step = {
  name: ACCEPTED,
  type: 'n8n-nodes-base.noOp',
  typeVersion: 1,
  parameters: {},
};

async function publish(
  { api }: N8nInstance,
  steps: Step[],
  credentialIds: Record<string, string>,
  urlOf: (workflow: WorkflowFile) => string,
): Promise<Receiver> {
  const workflow = chain([...steps, accepted]);
  await api.saveWorkflow(workflow, credentialIds);
  await api.publishWorkflow(workflow.id);
  const url = urlOf(workflow);
  await api.listening(url);
  return { workflowId: workflow.id, url };
}

/** Our trigger. */
export async function publishOurs(n8n: N8nInstance, webhookSecret: string): Promise<Receiver> {
  const type = 'socialPublishingWebhookApi';
  const id = await n8n.api.saveCredential({ name: 'Endpoint', type, data: { webhookSecret } });
  const trigger: Step = {
    name: 'Social Publishing Trigger',
    type: 'n8n-nodes-social-publishing.socialPublishingTrigger',
    typeVersion: 1.1,
    parameters: { events: ['post.published'] },
    credential: type,
  };
  return publish(n8n, [trigger], { [type]: id }, (workflow) =>
    webhookUrl(n8n.origin, workflow, trigger.name, 'production'),
  );
}

/** What you would build without our trigger: n8n's own nodes, each in its latest version. */
export async function publishOthers(n8n: N8nInstance, hmacSecret: string): Promise<Receiver> {
  const type = 'crypto';
  const id = await n8n.api.saveCredential({ name: 'Endpoint', type, data: { hmacSecret } });
  const path = randomUUID();
  const steps: Step[] = [
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2.1,
      parameters: { httpMethod: 'POST', path, options: { rawBody: true } },
    },
    {
      name: 'Extract from File',
      type: 'n8n-nodes-base.extractFromFile',
      typeVersion: 1.1,
      parameters: {
        operation: 'text',
        binaryPropertyName: 'data',
        destinationKey: 'raw',
        options: { keepSource: 'json', stripBOM: false },
      },
    },
    {
      name: 'Crypto',
      type: 'n8n-nodes-base.crypto',
      typeVersion: 2,
      parameters: {
        action: 'hmac',
        type: 'SHA256',
        value: '={{ $json.raw }}',
        dataPropertyName: 'digest',
        encoding: 'hex',
      },
      credential: type,
    },
    {
      name: 'If',
      type: 'n8n-nodes-base.if',
      typeVersion: 2.3,
      parameters: {
        conditions: {
          options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 3 },
          combinator: 'and',
          conditions: [
            {
              id: randomUUID(),
              leftValue: "={{ $json.headers['x-service-signature'] }}",
              rightValue: '=sha256={{ $json.digest }}',
              operator: { type: 'string', operation: 'equals' },
            },
          ],
        },
        options: {},
      },
    },
  ];
  return publish(n8n, steps, { [type]: id }, () => `${n8n.origin}/webhook/${path}`);
}
