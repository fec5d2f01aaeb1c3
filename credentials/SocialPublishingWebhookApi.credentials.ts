import type { ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * The secret of one webhook endpoint (docs/service.md, "Signature"). It is not part of the API
 * credential: each endpoint has its own secret, and a plan without API access has events too. The
 * trigger node tests it.
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
  ];
}
