import './instance';

import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  ILoadOptionsFunctions,
  INodeCredentialTestResult,
  INodeListSearchResult,
  INodeParameters,
  INodePropertyOptions,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { additionalDataWith } from '../../../scripts/engine/additional-data';
import type { CredentialEntries } from '../../../scripts/engine/credentials';
import { storedCredentials } from './credentials';
import { KnownNodeTypes } from './node-types';

export interface SearchOptions {
  credentials: CredentialEntries;
  /** The ID of the selected credential, by credential type. */
  chosen: Record<string, string>;
  /** The current values of the node's parameters. */
  parameters?: INodeParameters;
  filter?: string;
  paginationToken?: string;
}

/** The entries that the editor lists for a resource locator: the result of a `listSearch` method. */
export async function searchList(
  nodeType: string,
  methodName: string,
  { filter, paginationToken, ...options }: SearchOptions,
): Promise<INodeListSearchResult> {
  const { methods } = new KnownNodeTypes().getByNameAndVersion(nodeType);
  const method = methods?.listSearch?.[methodName];
  if (!method) throw new Error(`The node type "${nodeType}" has no list search "${methodName}"`);
  const context = await contextOf(nodeType, options);
  return await method.call(context, filter, paginationToken);
}

/** The entries that the editor lists for a field: the result of a `loadOptions` method. */
export async function loadOptions(
  nodeType: string,
  methodName: string,
  options: SearchOptions,
): Promise<INodePropertyOptions[]> {
  const { methods } = new KnownNodeTypes().getByNameAndVersion(nodeType);
  const method = methods?.loadOptions?.[methodName];
  if (!method) throw new Error(`The node type "${nodeType}" has no options "${methodName}"`);
  return await method.call(await contextOf(nodeType, options));
}

/** The context that n8n gives a method of a node in the editor: of a workflow with this node alone. */
async function contextOf(
  nodeType: string,
  { credentials, chosen, parameters = {} }: SearchOptions,
): Promise<ILoadOptionsFunctions> {
  const nodeTypes = new KnownNodeTypes();
  const name = 'Temp-Node';
  const workflow = new Workflow({
    nodes: [
      {
        id: 'temp',
        name,
        type: nodeType,
        typeVersion: 1,
        position: [0, 0],
        parameters,
        credentials: Object.fromEntries(
          Object.entries(chosen).map(([type, id]) => [type, { id, name: id }]),
        ),
      },
    ],
    connections: {},
    active: false,
    nodeTypes,
  });
  const node = workflow.getNode(name);
  if (!node) throw new Error('n8n left the node out of the workflow');
  const additionalData = additionalDataWith(await storedCredentials(credentials), {
    currentNodeParameters: parameters,
  });
  return new LoadOptionsContext(workflow, node, additionalData, '') as ILoadOptionsFunctions;
}

/** The result that the editor shows after a credential was saved: that of its node's test. */
export async function testCredential(
  nodeType: string,
  credentialType: string,
  data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
  const { description, methods } = new KnownNodeTypes().getByNameAndVersion(nodeType);
  const testedBy = description.credentials?.find(({ name }) => name === credentialType)?.testedBy;
  const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
  if (!test) throw new Error(`The node type "${nodeType}" has no test for "${credentialType}"`);
  const helper = await storedCredentials({});
  const additionalData = additionalDataWith(helper);
  const context = new CredentialTestContext(additionalData);
  return await test.call(context, {
    id: 'tested',
    name: 'Tested credential',
    type: credentialType,
    data: helper.resolve(additionalData, data, credentialType, 'internal'),
  });
}
