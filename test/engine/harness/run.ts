import type { INodeType, IRun, IRunExecutionData } from 'n8n-workflow';

import type { CredentialEntries } from '../../../scripts/engine/credentials';
import { type EngineWorkflow, runOnEngine, type RunSettings } from '../../../scripts/engine/run';
import { storedCredentials } from './credentials';
import { KnownNodeTypes } from './node-types';

export interface RunOptions extends RunSettings {
  credentials?: CredentialEntries;
  /** Node types of this test only, by full type. */
  nodeTypes?: Record<string, INodeType>;
}

/** Runs a workflow with the nodes under test: see `runOnEngine`. */
export async function runWorkflow(
  fixture: EngineWorkflow,
  { credentials = {}, nodeTypes, ...settings }: RunOptions = {},
): Promise<IRun> {
  const installed = {
    nodeTypes: new KnownNodeTypes(nodeTypes),
    credentials: await storedCredentials(credentials),
  };
  return await runOnEngine({ id: 'engine-test', ...fixture }, installed, settings);
}

/** The execution data as n8n would read it back from its database. */
function stored(run: IRun): IRunExecutionData {
  return JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
}

/**
 * The data with which n8n retries a failed execution. It starts at the failed node and keeps the
 * node's context. n8n gives the retry a new execution ID and the mode `retry`.
 */
export function retried(run: IRun): IRunExecutionData {
  const data = stored(run);
  const { lastNodeExecuted, runData } = data.resultData;
  delete data.resultData.error;
  const tasks = lastNodeExecuted === undefined ? undefined : runData[lastNodeExecuted];
  if (tasks?.at(-1)?.error) tasks.pop();
  return data;
}

/** The data with which n8n resumes a waiting execution. The execution ID stays the same. */
export function resumed(run: IRun): IRunExecutionData {
  if (run.status !== 'waiting') throw new Error(`The execution isn't waiting: ${run.status}`);
  return stored(run);
}
