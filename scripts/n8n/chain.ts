import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from './rest';

/** A node of a workflow. */
export interface Step {
  name: string;
  type: string;
  typeVersion: number;
  parameters: INodeParameters;
  /** The type of the credential that it uses. */
  credential?: string;
}

/** A workflow of steps that are connected one after the other, each by its first output. */
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
