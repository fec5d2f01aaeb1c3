import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { EngineWorkflow as WorkflowFixture } from '../../../scripts/engine/run';

/** Reads a new copy of the workflow `workflows/<name>.json`. */
export function readWorkflow(name: string): WorkflowFixture {
  const file = join(__dirname, '..', 'workflows', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as WorkflowFixture;
}

/** Returns the workflow with changed settings (Retry On Fail, On Error, …) of one node. */
export function withNode(
  workflow: WorkflowFixture,
  nodeName: string,
  settings: Partial<INode>,
): WorkflowFixture {
  if (!workflow.nodes.some(({ name }) => name === nodeName)) {
    throw new Error(`The workflow "${workflow.name}" has no node "${nodeName}"`);
  }
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => (node.name === nodeName ? { ...node, ...settings } : node)),
  };
}

/** Returns the workflow with changed top-level parameters of one node. */
export function withParameters(
  workflow: WorkflowFixture,
  nodeName: string,
  parameters: INodeParameters,
): WorkflowFixture {
  const node = workflow.nodes.find(({ name }) => name === nodeName);
  return withNode(workflow, nodeName, { parameters: { ...node?.parameters, ...parameters } });
}

/** Creates a post on account 1 alone, with the text and for the time of each item unless told. */
export const creating = (
  parameters: INodeParameters,
  settings: Partial<INode> = {},
): WorkflowFixture =>
  withNode(
    withParameters(readWorkflow('post.create'), 'Create post', {
      mediaUrls: '',
      accounts: [1],
      overrides: {},
      ...parameters,
    }),
    'Create post',
    settings,
  );

/** Builds a workflow of nodes in a row, each connected to the first output of the one before. */
export function inARow(
  ...nodes: Array<Pick<INode, 'name' | 'type'> & Partial<INode>>
): WorkflowFixture {
  return {
    name: nodes.map(({ name }) => name).join(', '),
    nodes: nodes.map((node, index) => ({
      id: `node-${index}`,
      typeVersion: 1,
      position: [index * 220, 0],
      parameters: {},
      ...node,
    })),
    connections: Object.fromEntries(
      nodes
        .slice(0, -1)
        .map(({ name }, index) => [
          name,
          { main: [[{ node: nodes[index + 1]?.name ?? '', type: 'main', index: 0 }]] },
        ]),
    ),
    settings: { executionOrder: 'v1' },
  };
}
