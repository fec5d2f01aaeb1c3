import { randomBytes } from 'node:crypto';

import type { Sandbox } from '../../sandbox';
import { type N8nApi, webhookUrl } from '../n8n/rest';
import { readExample } from '../n8n/workflow-files';

/** The example that schedules a post, with the names of its nodes. */
export const scheduling = {
  example: 'schedule-a-post',
  trigger: 'When clicking ‘Execute workflow’',
  node: 'Schedule a post',
} as const;

/** The example that starts when a post is published, with the names of its nodes. */
export const reacting = {
  example: 'analytics-after-publishing',
  trigger: 'When a post is published',
  node: 'Read analytics',
} as const;

/**
 * Saves credentials and example workflows in n8n and publishes the workflow that starts with an
 * event. Registers its production URL as a webhook endpoint of the sandbox.
 *
 * @returns the workflow IDs
 */
export async function importExamples(api: N8nApi, sandbox: Sandbox) {
  const webhookSecret = randomBytes(24).toString('hex');
  const credentialIds = {
    socialPublishingApi: await api.saveCredential({
      name: 'Social Publishing account',
      type: 'socialPublishingApi',
      data: {
        baseUrl: sandbox.baseUrl,
        apiKey: sandbox.keys.pro,
        workspaceId: String(sandbox.workspaceId),
      },
    }),
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
  sandbox.webhooks.add({
    url: webhookUrl(api.origin, react, reacting.trigger, 'production'),
    secret: webhookSecret,
    events: ['post.published'],
  });
  return { scheduleId: schedule.id, reactId: react.id };
}
