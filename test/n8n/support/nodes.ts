import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import { actionNode, type Bench } from './bench';

/** A node of a workflow, in its first version unless `more` says otherwise. */
export const node = (name: string, type: string, more: Partial<INode> = {}): INode => ({
  id: randomUUID(),
  name,
  type,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});

/** The action node, with the credential of the bench. */
export const serviceNode = (
  { credentialId }: Pick<Bench, 'credentialId'>,
  name: string,
  parameters: INodeParameters,
): INode =>
  node(name, actionNode, {
    parameters,
    credentials: { socialPublishingApi: { id: credentialId, name: 'Service' } },
  });

/** The action node as a tool of an AI agent. */
export const toolNode = (bench: Bench, name: string, parameters: INodeParameters): INode => ({
  ...serviceNode(bench, name, parameters),
  type: `${actionNode}Tool`,
});
