import './instance';

import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
  ICredentialDataDecryptedObject,
  ILoadOptionsFunctions,
  INodeCredentialTestResult,
  INodeListSearchResult,
  INodeParameters,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { additionalDataWith } from './additional-data';
import type { CredentialEntries } from './credentials';
import { StoredCredentials } from './credentials';
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
  { credentials, chosen, parameters = {}, filter, paginationToken }: SearchOptions,
): Promise<INodeListSearchResult> {
  const nodeTypes = new KnownNodeTypes();
  const method = nodeTypes.getByNameAndVersion(nodeType).methods?.listSearch?.[methodName];
  if (!method) throw new Error(`The node type "${nodeType}" has no list search "${methodName}"`);
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
  const additionalData = additionalDataWith(await StoredCredentials.of(credentials), {
    currentNodeParameters: parameters,
  });
  const context = new LoadOptionsContext(workflow, node, additionalData, '');
  return await method.call(context as ILoadOptionsFunctions, filter, paginationToken);
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
  const helper = await StoredCredentials.of({});
  const additionalData = additionalDataWith(helper);
  const context = new CredentialTestContext(additionalData);
  return await test.call(context, {
    id: 'tested',
    name: 'Tested credential',
    type: credentialType,
    data: helper.resolve(additionalData, data, credentialType, 'internal'),
  });
}
