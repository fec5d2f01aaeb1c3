import type { Sandbox } from '../../sandbox';
import type { Step } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { outputOf } from '../n8n/rest';
import type { Scenario } from './scenarios';
import { TRIGGER, workflowOf } from './workflows';

/** What one run of a workflow took. */
export interface Measurement {
  /** The time that n8n recorded for the first of the measured nodes, which talks to the service. */
  requestNodeMs: number;
  /** The time that n8n recorded for all measured nodes together. */
  allNodesMs: number;
  requests: number;
  /** The highest number of requests under way at once. */
  underWay: number;
}

/**
 * Runs the steps once in n8n.
 *
 * @throws Error when the run fails or doesn't give what the scenario expects
 */
export async function measure(
  n8n: N8nInstance,
  sandbox: Sandbox,
  credentialIds: Record<string, string>,
  { items, expected, name }: Scenario,
  steps: Step[],
): Promise<Measurement> {
  const workflow = workflowOf(steps, items);
  await n8n.api.saveWorkflow(workflow, credentialIds);
  sandbox.clearRequests();
  const execution = await n8n.api.runWorkflow(workflow.id, TRIGGER);
  const received = outputOf(execution, steps.at(-1)!.name).length;
  if (execution.status !== 'success' || received !== expected) {
    const { message = execution.status } = execution.data.resultData.error ?? {};
    throw new Error(`${name}: ${received} items instead of ${expected}. ${message}`);
  }
  const times = steps.map(
    (step) => execution.data.resultData.runData[step.name]?.[0]?.executionTime ?? 0,
  );
  return {
    requestNodeMs: times[0]!,
    allNodesMs: times.reduce((sum, time) => sum + time, 0),
    requests: sandbox.requests.length,
    underWay: sandbox.maxInFlight,
  };
}
