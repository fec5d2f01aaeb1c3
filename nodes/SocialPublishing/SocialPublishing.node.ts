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
import { getAccounts, getTimeZones, searchAccounts, searchAgents } from './methods/listSearch';

export class SocialPublishing implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing',
    name: 'socialPublishing',
    icon: { light: 'file:socialPublishing.svg', dark: 'file:socialPublishing.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle:
      '={{ ({ account: { getAll: "Get many accounts" }, agent: { create: "Create an agent", getAll: "Get many agents", update: "Update an agent" }, analytics: { get: "Get analytics" }, post: { create: "Schedule a post", getAll: "Get many posts" } }[$parameter.resource] ?? {})[$parameter.operation] ?? "" }}',
    description:
      'Schedule social media posts for Instagram, LinkedIn, X, Facebook and more, read accounts and analytics, and run AI agents',
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
    loadOptions: { getAccounts, getTimeZones },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await router.call(this);
  }
}
