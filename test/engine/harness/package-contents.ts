import type { ICredentialType, INodeType } from 'n8n-workflow';

import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';
import { SocialPublishingWebhookApi } from '../../../credentials/SocialPublishingWebhookApi.credentials';
import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { ObservedNode } from './under-way';

/** What the package publishes, loaded from the sources: the nodes and credential types under test. */
export const packageName = 'n8n-nodes-social-publishing';
export const nodes: INodeType[] = [new ObservedNode(), new SocialPublishingTrigger()];
export const credentialTypes: ICredentialType[] = [
  new SocialPublishingApi(),
  new SocialPublishingWebhookApi(),
];
