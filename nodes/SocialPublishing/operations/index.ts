import type { INodeProperties } from 'n8n-workflow';

import { asExpression } from '../../shared/expressions';
import * as account from './account/getAll.operation';
import * as agentCreate from './agent/create.operation';
import * as agentGetAll from './agent/getAll.operation';
import * as agentUpdate from './agent/update.operation';
import * as analytics from './analytics/get.operation';
import { shown, toolDescription } from './fields';
import type { Operation } from './operation';
import * as postCreate from './post/create.operation';
import * as postGetAll from './post/getAll.operation';
import * as postPreview from './post/preview.operation';

/** Every operation of the node, in the order of the pickers. */
export const operations: readonly Operation[] = [
  account.getAll,
  agentCreate.create,
  agentGetAll.getAll,
  agentUpdate.update,
  analytics.get,
  postCreate.create,
  postGetAll.getAll,
  postPreview.preview,
];

const actions = Object.fromEntries(
  operations.map(({ resource, option }) => [`${resource} ${option.value}`, option.action]),
);

const actionOf = (
  { resource, operation }: { readonly resource: string; readonly operation: string },
  actionsByName: Readonly<Record<string, string>>,
): string => actionsByName[`${resource} ${operation}`] ?? '';

/** What the canvas shows below the node's name: the action of the chosen operation. */
export const chosenAction = asExpression(actionOf, actions);

const resourcePicker: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Account', value: 'account' },
    { name: 'Agent', value: 'agent' },
    { name: 'Analytics', value: 'analytics' },
    { name: 'Post', value: 'post' },
  ] satisfies Array<{ name: string; value: Operation['resource'] }>,
  default: 'post',
};

const operationPicker = (resource: string): INodeProperties => {
  const options = operations
    .filter((operation) => operation.resource === resource)
    .map(({ option }) => option);
  const picker: INodeProperties = {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options,
    default: '',
  };
  return { ...picker, default: options[0]!.value };
};

/** The picker of resources, those of their operations, then the fields of all operations. */
export const properties: INodeProperties[] = [
  resourcePicker,
  ...[...new Set(operations.map(({ resource }) => resource))].map(operationPicker),
  ...operations.flatMap((operation) =>
    [toolDescription(operation.tool), ...operation.fields].map((field) =>
      shown(field, {
        show: { resource: [operation.resource], operation: [operation.option.value] },
      }),
    ),
  ),
];
