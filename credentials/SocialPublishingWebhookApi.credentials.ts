import type { ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * The secrets of webhook endpoints (docs/service.md, "Signature"). They are not part of the API
 * credential: each endpoint has its own secret, and a plan without API access has events too. The
 * trigger node tests the fields.
 */
export class SocialPublishingWebhookApi implements ICredentialType {
  name = 'socialPublishingWebhookApi';

  displayName = 'Social Publishing Webhook API';

  icon = {
    light: 'file:socialPublishing.svg',
    dark: 'file:socialPublishing.dark.svg',
  } as const;

  documentationUrl =
    'https://github.com/n8n-nodes-social-publishing/n8n-nodes-social-publishing#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Webhook Secret',
      name: 'webhookSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        "The secret of your endpoint in the service's dashboard under Settings, Webhooks. Only events signed with it start a workflow.",
    },
    {
      displayName: 'Other Secrets',
      name: 'otherSecrets',
      type: 'string',
      typeOptions: { password: true, rows: 4 },
      default: '',
      description:
        'Secrets of other endpoints that send their events to the same workflow, one per line, at most 50. To change a secret without losing events, enter the new one here first.',
    },
    {
      displayName:
        'n8n only checks whether the fields are filled in correctly, even if it says that it tested the connection. The first event shows whether a secret is correct.',
      name: 'testNotice',
      type: 'notice',
      default: '',
    },
  ];
}
