import type { IAuthenticate, ICredentialType, INodeProperties } from 'n8n-workflow';

import { bareKey } from '../nodes/shared/apiKey';
import { linkTo } from '../nodes/shared/documentation';

/**
 * Tells the node whether it can read the credential once for all items. n8n resolves it again for each
 * item, because a field may hold an expression. A node never sees that expression, but this one, in the
 * same credential, does. A field is the same for all items if it holds no expression, or nothing but a
 * secret or a variable of n8n.
 */
const SAME_FOR_ALL_ITEMS = `={{ (() => {
  try {
    return ['baseUrl', 'apiKey', 'workspaceId'].every((field) =>
      /^(?!=)|^=\\{\\{ *\\$(secrets|vars)(\\.\\w+)+ *\\}\\}$/.test($rawParameter['&' + field]));
  } catch {
    return false;
  }
})() }}`;

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
        "The number of your workspace in the service's dashboard. A node can use another workspace with its option Workspace ID.",
    },
    {
      displayName: `A test of this credential costs one request. More: ${linkTo('docs/quota.md', 'what requests cost')}, ${linkTo('docs/troubleshooting.md', 'when something goes wrong')}, ${linkTo('docs/service.md', 'how we read the interface of the service')}.`,
      name: 'testNotice',
      type: 'notice',
      default: '',
    },
    {
      displayName: 'Same for All Items',
      name: 'isSameForAllItems',
      type: 'hidden',
      default: SAME_FOR_ALL_ITEMS,
    },
  ];

  /** A function, because n8n would evaluate an expression again for each request. */
  authenticate: IAuthenticate = ({ apiKey }, request) => {
    if (typeof apiKey === 'string') {
      request.headers = { ...request.headers, Authorization: `Bearer ${bareKey(apiKey)}` };
    }
    return Promise.resolve(request);
  };
}
