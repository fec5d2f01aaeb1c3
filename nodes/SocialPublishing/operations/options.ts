import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { PAGE_SIZE } from '../service/pages';

/** The options that several operations share. */

const workspaceOption: INodeProperties = {
  displayName: 'Workspace ID',
  name: 'workspaceId',
  type: 'string',
  default: '',
  placeholder: "The credential's workspace",
  description: 'The number of the workspace, if it is not the one in the credential',
};

const customBodyOption: INodeProperties = {
  displayName: 'Custom Body Fields',
  name: 'customBodyFields',
  type: 'json',
  default: '{}',
  description:
    'A JSON object of more fields to send, which this node does not have. A field of the same name replaces the one of the node.',
};

/** The most requests that run at the same time, unless the user says fewer. */
export const MAX_CONCURRENCY = 128;

const concurrencyOption: INodeProperties = {
  displayName: 'Concurrency',
  name: 'concurrency',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
  default: MAX_CONCURRENCY,
  description:
    'The most requests that may run at the same time. The node begins with 30 and finds out how many the service can take. Results keep their order.',
};

const includeInputFieldsOption: INodeProperties = {
  displayName: 'Include Other Input Fields',
  name: 'includeInputFields',
  type: 'boolean',
  default: false,
  description:
    'Whether to add all input fields to the output, after the fields of this node. A field of this node replaces an input field of the same name.',
};

const includeQuotaOption: INodeProperties = {
  displayName: 'Include Quota',
  name: 'includeQuota',
  type: 'boolean',
  default: false,
  description:
    'Whether to add a "quota" field with the limit, the remaining requests and the reset time, as the service reports them',
};

const keepRequestsOption: INodeProperties = {
  displayName: 'Keep Requests',
  name: 'keepRequests',
  type: 'number',
  typeOptions: { minValue: 0 },
  default: 0,
  description:
    'Stop when only this many requests of the monthly quota remain. Costs no extra request.',
};

export const pageSizeOption: INodeProperties = {
  displayName: 'Page Size',
  name: 'pageSize',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: PAGE_SIZE,
  description:
    'How many posts to ask for in one request. If the service returns fewer, the node goes on with that number. Pages overlap by one post, so at least 2 are asked for.',
};

const UNCERTAIN: INodePropertyOptions[] = [
  {
    name: 'Hold',
    value: 'hold',
    description: 'Do not send it again. The error says what to look for in the service.',
  },
  {
    name: 'Look in the Service',
    value: 'look',
    description:
      'Look for a post with the same time. If there is none, send it again. If the result is unclear, hold it. Costs requests.',
  },
  {
    name: 'Send Again',
    value: 'send',
    description: 'Send it again, so that nothing is left out. It may then exist twice.',
  },
];

/** What becomes of a post that an earlier try may have created (docs/service.md, "Uncertain writes"). */
export const uncertainPostsOption: INodeProperties = {
  displayName: 'Uncertain Posts',
  name: 'uncertain',
  type: 'options',
  default: 'hold',
  options: UNCERTAIN,
  description:
    'What to do with a post that an earlier try in this execution may or may not have created, because no response came or n8n was interrupted',
};

/** What becomes of an agent that an earlier try may have written: the service lists none to look for. */
export const uncertainAgentsOption: INodeProperties = {
  ...uncertainPostsOption,
  displayName: 'Uncertain Agents',
  options: UNCERTAIN.filter(({ value }) => value !== 'look'),
  description:
    'What to do with an agent that an earlier try in this execution may or may not have created or changed, because no response came or n8n was interrupted',
};

/** Options in the order of use: those that most people want first, those that only developers need last. */
const optionsField = (options: INodeProperties[]): INodeProperties => ({
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add Option',
  default: {},
  options,
});

/** The options of an operation that reads, with its own by how often they are used. */
export const readOptions = (
  often: INodeProperties[] = [],
  seldom: INodeProperties[] = [],
): INodeProperties =>
  optionsField([
    ...often,
    includeInputFieldsOption,
    workspaceOption,
    keepRequestsOption,
    includeQuotaOption,
    ...seldom,
    concurrencyOption,
  ]);

/** The options of an operation that writes, with its own by how often they are used. */
export const writeOptions = (
  often: INodeProperties[],
  sometimes: INodeProperties[],
  seldom: INodeProperties[],
): INodeProperties =>
  optionsField([
    ...often,
    includeInputFieldsOption,
    ...sometimes,
    workspaceOption,
    keepRequestsOption,
    includeQuotaOption,
    concurrencyOption,
    ...seldom,
    customBodyOption,
  ]);
