import { randomUUID } from 'node:crypto';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowFile } from '../n8n/rest';

export const TRIGGER = 'Start';

/** A node of a workflow to be measured: its type and parameters. */
export interface Step {
  name: string;
  type: string;
  typeVersion: number;
  parameters: INodeParameters;
  usesService?: boolean;
}

/** A workflow that sends `items` through the steps, one after the other. */
export function workflowOf(steps: Step[], items: IDataObject[]): WorkflowFile {
  const names = [TRIGGER, ...steps.map(({ name }) => name)];
  const nodes: INode[] = steps.map(({ usesService, ...step }, index) => ({
    id: randomUUID(),
    position: [220 * (index + 1), 0],
    ...step,
    ...(usesService && {
      credentials: { socialPublishingApi: { id: '', name: 'Social Publishing' } },
    }),
  }));
  return {
    id: randomUUID(),
    name: `Benchmark: ${names.slice(1).join(', ')}`,
    nodes: [
      {
        id: randomUUID(),
        name: TRIGGER,
        type: 'n8n-nodes-base.manualTrigger',
        typeVersion: 1,
        position: [0, 0],
        parameters: {},
      },
      ...nodes,
    ],
    connections: Object.fromEntries(
      names
        .slice(0, -1)
        .map((name, index) => [
          name,
          { main: [[{ node: names[index + 1]!, type: 'main' as const, index: 0 }]] },
        ]),
    ),
    pinData: { [TRIGGER]: items.map((json) => ({ json })) },
  };
}

/** Our node. */
export const ours = (parameters: INodeParameters): Step => ({
  name: 'Social Publishing',
  type: 'n8n-nodes-social-publishing.socialPublishing',
  typeVersion: 1,
  parameters,
  usesService: true,
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
  usesService: true,
});

/** n8n's Split Out node, which makes an item of each record of an answer. */
export const splitOut = (field: string): Step => ({
  name: 'Split Out',
  type: 'n8n-nodes-base.splitOut',
  typeVersion: 1,
  parameters: { fieldToSplitOut: field, options: {} },
});
