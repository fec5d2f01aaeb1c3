import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';

import { MAIN_CONNECTION } from '../shared/connection';
import { socialPublishingApiTest } from './methods/credentialTest';
import { getAccounts, getTimeZones, searchAccounts, searchAgents } from './methods/pickers';
import { chosenAction, properties } from './operations';
import { run } from './run/run';

export class SocialPublishing implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Social Publishing',
    name: 'socialPublishing',
    icon: { light: 'file:socialPublishing.svg', dark: 'file:socialPublishing.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: chosenAction,
    description:
      'Schedule social media posts for Instagram, LinkedIn, X, Facebook and more, read accounts and analytics, and run AI agents',
    defaults: { name: 'Social Publishing' },
    usableAsTool: true,
    inputs: [MAIN_CONNECTION],
    outputs: [MAIN_CONNECTION],
    builderHint: {
      searchHint:
        'Schedules social media posts through the Social Publishing Service. Account, agent and workspace IDs differ for each user: never make them up. Leave them empty for the user to select, or read the accounts with resource "account", operation "getAll". Media must be public URLs or binary fields of the input.',
      relatedNodes: [
        {
          nodeType: 'n8n-nodes-social-publishing.socialPublishingTrigger',
          relationHint: 'Starts a workflow when a post is published or fails, or a comment arrives',
        },
      ],
    },
    credentials: [
      { name: 'socialPublishingApi', required: true, testedBy: 'socialPublishingApiTest' },
    ],
    properties,
  };

  methods = {
    credentialTest: { socialPublishingApiTest },
    listSearch: { searchAccounts, searchAgents },
    loadOptions: { getAccounts, getTimeZones },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return await run(this, this.continueOnFail());
  }
}
