import type { IAuthenticateGeneric, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * The API key of the Social Publishing Service, sent as `Authorization: Bearer <key>`
 * (docs/service.md, "Authentication"). The action node tests it: see `methods/credentialTest.ts`.
 */
export class SocialPublishingApi implements ICredentialType {
  name = 'socialPublishingApi';

  displayName = 'Social Publishing API';

  icon = {
    light: 'file:socialPublishing.svg',
    dark: 'file:socialPublishing.dark.svg',
  } as const;

  documentationUrl =
    'https://github.com/n8n-nodes-social-publishing/n8n-nodes-social-publishing#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://social.example.com/api/v1',
      description: 'The address of the service, which ends in /api/v1',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        "Created in the service's dashboard under Settings, API Keys. The free Creator plan has no API access.",
    },
    {
      displayName: 'Workspace ID',
      name: 'workspaceId',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. 1',
      description:
        "The number of your workspace in the service's dashboard. A node can use another one with an option of its own.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };
}
