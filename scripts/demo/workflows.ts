import { randomBytes } from 'node:crypto';

import { type N8nApi, webhookUrl } from '../n8n/rest';
import { type SandboxAddress, saveServiceCredential } from '../n8n/service-credential';
import { readExample } from '../n8n/workflow-files';

/** The example that schedules a post, with the names of its nodes. */
export const scheduling = {
  example: 'schedule-a-post',
  trigger: 'Start by hand',
  node: 'Schedule a post',
} as const;

/** The example that starts when a post is published, with the names of its nodes. */
export const reacting = {
  example: 'analytics-after-publishing',
  trigger: 'When a post is published',
  node: 'Read analytics',
} as const;

/** A secret for an endpoint of the sandbox. */
export const newSecret = (): string => randomBytes(24).toString('hex');

/** An endpoint of the service's dashboard: where to send which events, signed with what. */
export interface Endpoint {
  url: string;
  secret: string;
  events: string[];
}

/**
 * Saves credentials and example workflows in n8n, and publishes the workflow that starts with an
 * event.
 *
 * @returns the workflow IDs, and the endpoint that the sandbox needs for that workflow
 */
export async function importExamples(api: N8nApi, sandbox: SandboxAddress) {
  const webhookSecret = newSecret();
  const credentialIds = {
    socialPublishingApi: await saveServiceCredential(api, sandbox),
    socialPublishingWebhookApi: await api.saveCredential({
      name: 'Social Publishing Webhook account',
      type: 'socialPublishingWebhookApi',
      data: { webhookSecret },
    }),
  };
  const schedule = await readExample(scheduling.example);
  await api.saveWorkflow(schedule, credentialIds);
  const react = await readExample(reacting.example);
  await api.saveWorkflow(react, credentialIds);
  await api.publishWorkflow(react.id);
  const endpoint: Endpoint = {
    url: webhookUrl(api.origin, react, reacting.trigger, 'production'),
    secret: webhookSecret,
    events: ['post.published'],
  };
  return { scheduleId: schedule.id, reactId: react.id, endpoint };
}
