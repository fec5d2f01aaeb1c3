import type { ICredentialType, INodeType } from 'n8n-workflow';
import { SocialPublishingApi } from '../../../credentials/SocialPublishingApi.credentials';

/** What the package publishes, from its sources: the nodes and credential types under test. */
export const packageName = 'n8n-nodes-social-publishing';
export const nodes: INodeType[] = [];
export const credentialTypes: ICredentialType[] = [new SocialPublishingApi()];
