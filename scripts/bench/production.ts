import type { IDataObject } from 'n8n-workflow';

import { chain, type Step } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import type { Execution, WorkflowFile } from '../n8n/rest';
import { splitOut } from './workflows';

/** A workflow that a webhook starts. The steps get the `items` in the body of the request. */
export function startedByWebhook(steps: Step[]): WorkflowFile {
  const file = chain([
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path: '', responseMode: 'lastNode' },
    },
    { ...splitOut('body.items'), name: 'Items' },
    ...steps,
  ]);
  Object.assign(file.nodes[0]!.parameters, { path: file.id });
  return file;
}

const urlOf = ({ origin }: N8nInstance, { id }: WorkflowFile): string => `${origin}/webhook/${id}`;

/** Saves and publishes a workflow that a webhook starts. */
export async function publish(
  n8n: N8nInstance,
  file: WorkflowFile,
  credentialIds: Record<string, string>,
): Promise<void> {
  await n8n.api.saveWorkflow(file, credentialIds);
  await n8n.api.publishWorkflow(file.id);
  await n8n.api.listening(urlOf(n8n, file));
}

/** Runs a published workflow in production to its end, whether it succeeds or fails. */
export async function runInProduction(
  n8n: N8nInstance,
  file: WorkflowFile,
  items: IDataObject[],
): Promise<Execution> {
  // It answers when the workflow has ended.
  await fetch(urlOf(n8n, file), {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ items }),
  });
  const [latest] = (await n8n.api.executions(file.id, 1)).results;
  if (latest === undefined) throw new Error(`The webhook of "${file.name}" started nothing.`);
  return await n8n.api.finishedExecution(latest.id);
}
