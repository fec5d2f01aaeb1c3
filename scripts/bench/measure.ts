import type { Sandbox } from '../../sandbox';
import type { Step } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { outputOf, type WorkflowFile } from '../n8n/rest';
import { runInProduction } from './production';
import type { Scenario } from './scenarios';

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
 * Runs the published workflow of a scenario's steps once.
 *
 * @throws Error when the run fails or doesn't give what the scenario expects
 */
export async function measure(
  n8n: N8nInstance,
  sandbox: Sandbox,
  { items, expected, name }: Scenario,
  steps: Step[],
  workflow: WorkflowFile,
): Promise<Measurement> {
  sandbox.clearRequests();
  const execution = await runInProduction(n8n, workflow, items);
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
