import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowFile } from './rest';

/** One node of a chain. */
export interface Step {
  name: string;
  type: string;
  typeVersion: number;
  parameters: INodeParameters;
  /** The type of the credential that the node uses. */
  credential?: string;
}

/** Makes a workflow of nodes in a row. Each is connected to the first output of the one before. */
export function chain(steps: Step[]): WorkflowFile {
  const nodes: INode[] = steps.map(({ credential, ...step }, index) => ({
    id: randomUUID(),
    webhookId: randomUUID(),
    position: [220 * index, 0],
    ...step,
    ...(credential !== undefined && { credentials: { [credential]: { id: '', name: 'Any' } } }),
  }));
  const names = steps.map(({ name }) => name);
  return {
    id: randomUUID(),
    name: names.join(', '),
    nodes,
    connections: Object.fromEntries(
      names
        .slice(0, -1)
        .map((name, index) => [
          name,
          { main: [[{ node: names[index + 1]!, type: 'main' as const, index: 0 }]] },
        ]),
    ),
    settings: { executionOrder: 'v1' },
  };
}
