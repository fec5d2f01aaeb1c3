import type {
  IExecuteFunctions,
  INodeExecutionData,
  INodeType,
  INodeTypeDescription,
} from 'n8n-workflow';

import { MAIN_CONNECTION } from '../shared/connection';
import { socialPublishingApiTest } from './methods/credentialTest';
import { getAccounts, getTimeZones, searchAccounts, searchAgents } from './methods/listSearch';
import { chosenAction, properties } from './operations';
import { run } from './run/run';

/** When a hint about the time of a post shows: `time` in the condition is that time. */
const whenScheduled = (condition: string): string =>
  `={{ (() => { if ($parameter.resource !== "post" || !["create", "preview"].includes($parameter.operation) || $parameter.publish !== "at") return false; const time = DateTime.fromISO(String($parameter.scheduledAt).replace(" ", "T"), { zone: $parameter.timeZone || $now.zoneName }); return ${condition}; })() }}`;

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
    hints: [
      {
        message:
          'The date and time have passed in the time zone of the node. Choose a later time, or add the option <i>If the Time Has Passed</i>.',
        type: 'warning',
        location: 'outputPane',
        whenToDisplay: 'always',
        displayCondition: whenScheduled(
          '($parameter.options?.ifPast ?? "fail") === "fail" && time < $now.minus({ minutes: 5 })',
        ),
      },
      {
        message: 'Clocks skip this time in the time zone of the node. Choose another time.',
        type: 'warning',
        location: 'outputPane',
        whenToDisplay: 'always',
        displayCondition: whenScheduled(
          '/^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d)?$/.test($parameter.scheduledAt) && time.isValid && time.toFormat("HH:mm") !== $parameter.scheduledAt.slice(11, 16)',
        ),
      },
      {
        message:
          'Clocks show this time twice in the time zone of the node. The first of the two is sent. For the second, add its offset after the time.',
        type: 'info',
        location: 'outputPane',
        whenToDisplay: 'always',
        displayCondition: whenScheduled(
          '/^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d)?$/.test($parameter.scheduledAt) && time.getPossibleOffsets().length > 1',
        ),
      },
    ],
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
    return await run(this);
  }
}
