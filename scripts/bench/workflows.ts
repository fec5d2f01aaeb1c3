import type { INodeParameters } from 'n8n-workflow';

import type { Step } from '../n8n/chain';

/** Our node. */
export const ours = (parameters: INodeParameters): Step => ({
  name: 'Social Publishing',
  type: 'n8n-nodes-social-publishing.socialPublishing',
  typeVersion: 1,
  parameters,
  credential: 'socialPublishingApi',
});

/** How the HTTP Request node logs in: with our credential, or with n8n's own for a header. */
export type Login = 'predefined' | 'header';

const loginOf: Record<Login, { credential: string; parameters: INodeParameters }> = {
  predefined: {
    credential: 'socialPublishingApi',
    parameters: {
      authentication: 'predefinedCredentialType',
      nodeCredentialType: 'socialPublishingApi',
    },
  },
  header: {
    credential: 'httpHeaderAuth',
    parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
  },
};

/** n8n's HTTP Request node. */
export const httpRequest = (login: Login, parameters: INodeParameters): Step => ({
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: { ...loginOf[login].parameters, ...parameters },
  credential: loginOf[login].credential,
});

/** n8n's Split Out node, which makes an item of each record of an answer. */
export const splitOut = (field: string): Step => ({
  name: 'Split Out',
  type: 'n8n-nodes-base.splitOut',
  typeVersion: 1,
  parameters: { fieldToSplitOut: field, options: {} },
});
