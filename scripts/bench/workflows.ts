import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../n8n/rest';

export const TRIGGER = 'Start';

/** A node of a workflow to be measured. */
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
    name: `Benchmark: ${names.join(', ')}`,
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

/** A workflow that sends `items` through the steps, one after the other. */
export const workflowOf = (steps: Step[], items: IDataObject[]): WorkflowFile => ({
  ...chain([
    { name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    ...steps,
  ]),
  pinData: { [TRIGGER]: items.map((json) => ({ json })) },
});

/** Our node. */
export const ours = (parameters: INodeParameters): Step => ({
  name: 'Social Publishing',
  type: 'n8n-nodes-social-publishing.socialPublishing',
  typeVersion: 1,
  parameters,
  credential: 'socialPublishingApi',
});

/** n8n's HTTP Request node with our credential. */
export const httpRequest = (parameters: INodeParameters): Step => ({
  name: 'HTTP Request',
  type: 'n8n-nodes-base.httpRequest',
  typeVersion: 4.2,
  parameters: {
    authentication: 'predefinedCredentialType',
    nodeCredentialType: 'socialPublishingApi',
    ...parameters,
  },
  credential: 'socialPublishingApi',
});

/** n8n's Split Out node, which makes an item of each record of an answer. */
export const splitOut = (field: string): Step => ({
  name: 'Split Out',
  type: 'n8n-nodes-base.splitOut',
  typeVersion: 1,
  parameters: { fieldToSplitOut: field, options: {} },
});
