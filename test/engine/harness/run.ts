import './instance';

import { randomUUID } from 'node:crypto';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
  IDataObject,
  INodeType,
  IRun,
  IRunExecutionData,
  IWorkflowBase,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { additionalDataWith } from './additional-data';
import type { CredentialEntries } from './credentials';
import { StoredCredentials } from './credentials';
import { KnownNodeTypes } from './node-types';
import type { WorkflowFixture } from './workflows';

type Handlers = ExecutionLifecycleHooks['handlers'];

export interface RunOptions {
  credentials?: CredentialEntries;
  /** The `json` of the items that the start node outputs. One empty item unless given. */
  input?: IDataObject[];
  /** Node types of this test only, by full type. */
  nodeTypes?: Record<string, INodeType>;
  /** What `$vars` holds. */
  variables?: IDataObject;
  /** An IANA time zone that replaces the one in the workflow's settings. */
  timezone?: string;
  mode?: WorkflowExecuteMode;
  executionId?: string;
  /** Stops the execution, as the Stop button does. */
  signal?: AbortSignal;
  hooks?: Partial<Handlers>;
  /** Continues from this data instead of the start node. See `retried` and `resumed`. */
  from?: IRunExecutionData;
}

/**
 * Runs a workflow with n8n-core's WorkflowExecute, as n8n runs a production execution. Resolves even
 * when a node fails: see `nodeError`. Rejects when n8n refuses to start the workflow, for example
 * because a required parameter is empty.
 */
export async function runWorkflow(
  fixture: WorkflowFixture,
  options: RunOptions = {},
): Promise<IRun> {
  const { credentials = {}, mode = 'trigger', executionId = randomUUID(), signal } = options;
  const settings = { ...fixture.settings, ...(options.timezone && { timezone: options.timezone }) };
  const data: IWorkflowBase = {
    id: 'engine-test',
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...structuredClone(fixture),
    settings,
  };
  const workflow = new Workflow({ ...data, nodeTypes: new KnownNodeTypes(options.nodeTypes) });
  const hooks = new ExecutionLifecycleHooks(mode, executionId, data);
  Object.assign(hooks.handlers, options.hooks);
  const additionalData = additionalDataWith(await StoredCredentials.of(credentials), {
    executionId,
    hooks,
    workflowId: data.id,
    workflowSettings: settings,
    variables: options.variables ?? {},
    getRunExecutionData: (id) => Promise.resolve(id === executionId ? begun : undefined),
  });
  const from = options.from ?? startOf(workflow, options.input ?? [{}], mode);
  // n8n stores an execution when it begins, and again when it has ended.
  const begun = structuredClone(from);
  const execution = new WorkflowExecute(additionalData, mode, from).processRunExecutionData(
    workflow,
  );
  const cancel = () => execution.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await execution;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function startOf(
  workflow: Workflow,
  input: IDataObject[],
  mode: WorkflowExecuteMode,
): IRunExecutionData {
  // Without a trigger, a run begins with the first node, as the editor's Execute Step does.
  const node = workflow.getStartNode() ?? Object.values(workflow.nodes)[0];
  if (!node) throw new Error(`The workflow "${workflow.name}" has no start node`);
  const items = structuredClone(input).map((json) => ({ json }));
  // A run in the editor would wait for the trigger.
  const isPinned = mode === 'manual' && workflow.getStartNode() !== undefined;
  return createRunExecutionData({
    ...(isPinned && { resultData: { pinData: { [node.name]: items } } }),
    executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
  });
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
