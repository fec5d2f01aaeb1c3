import type { INodeProperties, INodePropertyOptions, INodePropertyTypeOptions } from 'n8n-workflow';

import { CUSTOM } from '../parameters/choice';
import type { FieldReader } from '../parameters/fieldReader';
import { PAGE_SIZE } from '../service/pages/pages';
import { filledByPeople, prefilledForTool } from './tool';

/** The fields that several operations share. */

const workspaceOption: INodeProperties = {
  displayName: 'Workspace ID',
  name: 'workspaceId',
  type: 'string',
  default: '',
  placeholder: "The credential's workspace",
  description: 'The number of another workspace than the one in the credential',
};

const returnAllField: INodeProperties = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
};

const limitField: INodeProperties = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: 50,
  description: 'Max number of results to return',
  displayOptions: { show: { returnAll: [false] } },
};

/** How many records of a list to return. A model is given all of them unless the user says otherwise. */
export const howMany: INodeProperties[] = [
  filledByPeople(returnAllField),
  prefilledForTool(returnAllField, true),
  limitField,
];

/** How many records Return All and Limit ask for; `Infinity` for all. */
export const recordLimit = (item: FieldReader): number =>
  item.switch('returnAll')
    ? Infinity
    : (item.positiveInteger('limit') ??
      item.refuse('limit', 'is empty', 'Enter a number, or turn on Return All.'));

export const pageSizeOption: INodeProperties = {
  displayName: 'Page Size',
  name: 'pageSize',
  type: 'number',
  typeOptions: { minValue: 1 },
  default: PAGE_SIZE,
  description:
    'How many posts to ask for in one request. A service that returns fewer is followed. Pages overlap by one post, so at least 2 are asked for.',
};

/** The field for the user's own value, shown when {@link CUSTOM} is chosen in the field `of`. */
export const customValueField = (
  of: string,
  field: Pick<INodeProperties, 'displayName' | 'name'>,
): INodeProperties => ({
  ...field,
  type: 'string',
  default: '',
  displayOptions: { show: { [of]: [CUSTOM] } },
  description: 'The value as the service writes it',
});

const customBodyOption: INodeProperties = {
  displayName: 'Custom Body Fields',
  name: 'customBodyFields',
  type: 'json',
  default: '{}',
  description:
    'For fields of the service that this node does not have: a JSON object, which is added to what is sent. A field of the same name replaces that of the node.',
};

/** The most requests that run at the same time, unless the user says fewer. */
export const MAX_CONCURRENCY = 256;

const concurrencyOption: INodeProperties = {
  displayName: 'Concurrency',
  name: 'concurrency',
  type: 'number',
  typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY },
  default: MAX_CONCURRENCY,
  description:
    'The most requests that may run at the same time. The node begins with 24 and finds out how many the service can take. Results keep their order.',
};

const includeInputFieldsOption: INodeProperties = {
  displayName: 'Include Other Input Fields',
  name: 'includeInputFields',
  type: 'boolean',
  default: false,
  description:
    'Whether to pass to the output all the input fields, after the fields of this node. A field of this node replaces an input field of the same name.',
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

const UNCERTAIN_HOLD: INodePropertyOptions = {
  name: 'Hold',
  value: 'hold',
  description: 'Do not send it again. The error says what to look for in the service.',
};

const UNCERTAIN_LOOK: INodePropertyOptions = {
  name: 'Look in the Service',
  value: 'look',
  description:
    'Look for a post with the same time. If there is none, send it again. If the result is unclear, hold it. Costs requests.',
};

const UNCERTAIN_SEND: INodePropertyOptions = {
  name: 'Send Again',
  value: 'send',
  description: 'Nothing is left out, but it may then exist twice',
};

/** What becomes of a post that an earlier try may have created (docs/service.md, "Uncertain writes"). */
export const uncertainPostsOption: INodeProperties = {
  displayName: 'Uncertain Posts',
  name: 'uncertain',
  type: 'options',
  default: 'hold',
  options: [UNCERTAIN_HOLD, UNCERTAIN_LOOK, UNCERTAIN_SEND],
  description:
    'What to do with a post that an earlier try in this execution may or may not have created, because no response came or n8n was interrupted',
};

/** What becomes of an agent that an earlier try may have written. */
export const uncertainAgentsOption: INodeProperties = {
  ...uncertainPostsOption,
  displayName: 'Uncertain Agents',
  options: [UNCERTAIN_HOLD, UNCERTAIN_SEND],
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

/**
 * Where a picker loads its list from. n8n's linter asks that such a field be named "Account Names or
 * IDs", which reads as if names were sent.
 *
 * @param loadOptionsMethod a method of the node
 * @param loadOptionsDependsOn the parameters that change the list, if any does
 */
export const loadedBy = (
  loadOptionsMethod: string,
  loadOptionsDependsOn?: string[],
): INodePropertyTypeOptions => ({
  loadOptionsMethod,
  ...(loadOptionsDependsOn && { loadOptionsDependsOn }),
});

/** A picker for one record: from a list that is read from the service, or by its ID. */
export const recordPicker = (
  field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required'>,
  searchListMethod: string,
): INodeProperties => ({
  ...field,
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      placeholder: 'Choose…',
      typeOptions: {
        searchListMethod,
        searchable: true,
        slowLoadNotice: {
          message: 'The service takes a while to send the list. By ID needs no list.',
          timeout: 5000,
        },
      },
    },
    {
      displayName: 'By ID',
      name: 'id',
      type: 'string',
      placeholder: 'e.g. 12',
      validation: [
        {
          type: 'regex',
          properties: { regex: '^\\s*[0-9]+\\s*$', errorMessage: 'An ID is a whole number' },
        },
      ],
    },
  ],
});

/** What is said of a workspace that has none of the records asked for: `No posts in workspace 1`. */
export const noneIn = (workspaceId: number, records: string): string =>
  `No ${records} in workspace ${workspaceId}`;
