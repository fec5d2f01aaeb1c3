import type { INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';

import type { FieldReader } from '../parameters/fieldReader';
import { filledByPeople, prefilledForTool } from './tool';

/** The fields that several operations share. */

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

/**
 * Where a picker loads its list from. n8n's linter asks that such a field be named "Account Names or
 * IDs", which reads as if names were sent.
 *
 * @param loadOptionsMethod a method of the node
 * @param loadOptionsDependsOn the parameters that change the list
 */
export const loadedBy = (
  loadOptionsMethod: string,
  loadOptionsDependsOn: string[],
): INodePropertyTypeOptions => ({
  loadOptionsMethod,
  loadOptionsDependsOn,
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
