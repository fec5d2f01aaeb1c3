import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';

import { MAIN_CONNECTION } from '../shared/connection';
import { operationFields } from './actions';
import { router } from './actions/router';
import { socialPublishingApiTest } from './methods/credentialTest';
import { searchAccounts, searchAgents } from './methods/listSearch';

export class SocialPublishing implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing',
    name: 'socialPublishing',
    icon: { light: 'file:socialPublishing.svg', dark: 'file:socialPublishing.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description:
      'Schedule social media posts, read accounts and analytics, and run AI agents with the Social Publishing Service',
    defaults: { name: 'Social Publishing' },
    usableAsTool: true,
    inputs: [MAIN_CONNECTION],
    outputs: [MAIN_CONNECTION],
    credentials: [
      { name: 'socialPublishingApi', required: true, testedBy: 'socialPublishingApiTest' },
    ],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Account', value: 'account' },
          { name: 'Agent', value: 'agent' },
          { name: 'Analytics', value: 'analytics' },
          { name: 'Post', value: 'post' },
        ],
        default: 'post',
      },
      ...operationFields,
    ],
  };

  methods = {
    credentialTest: { socialPublishingApiTest },
    listSearch: { searchAccounts, searchAgents },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await router.call(this);
  }
}
