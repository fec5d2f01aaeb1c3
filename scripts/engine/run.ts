import './instance';

import { randomUUID } from 'node:crypto';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
  IConnections,
  ICredentialsHelper,
  IDataObject,
  INode,
  INodeTypes,
  IPinData,
  IRun,
  IRunExecutionData,
  IWorkflowBase,
  IWorkflowSettings,
  WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { additionalDataWith } from './additional-data';

type Handlers = ExecutionLifecycleHooks['handlers'];

/** The parts of an exported workflow that a run needs. */
export interface EngineWorkflow {
  id?: string;
  name: string;
  nodes: INode[];
  connections: IConnections;
  settings?: IWorkflowSettings;
  pinData?: IPinData;
}

/** What the workflows of the engine are made of. */
export interface Installed {
  nodeTypes: INodeTypes;
  credentials: ICredentialsHelper;
}

/** How a run begins and ends, and what it finds. */
export interface RunSettings {
  /** The `json` of the items that the start node outputs. One empty item unless given. */
  input?: IDataObject[];
  /** What `$vars` holds. */
  variables?: IDataObject;
  /** An IANA time zone that replaces the one in the workflow's settings. */
  timezone?: string;
  mode?: WorkflowExecuteMode;
  executionId?: string;
  /** Stops the execution, as the Stop button does. */
  signal?: AbortSignal;
  hooks?: Partial<Handlers>;
  /** Continues from this data instead of the start node. */
  from?: IRunExecutionData;
}

/**
 * Runs a workflow with n8n-core's WorkflowExecute, as n8n runs a production execution. Resolves even
 * when a node fails: see `nodeError`. Rejects when n8n refuses to start the workflow, for example
 * because a required parameter is empty.
 */
export async function runOnEngine(
  file: EngineWorkflow,
  { nodeTypes, credentials }: Installed,
  options: RunSettings = {},
): Promise<IRun> {
  const { mode = 'trigger', executionId = randomUUID(), signal } = options;
  const settings = { ...file.settings, ...(options.timezone && { timezone: options.timezone }) };
  const data: IWorkflowBase = {
    id: 'engine-test',
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...structuredClone(file),
    settings,
  };
  const workflow = new Workflow({ ...data, nodeTypes });
  const hooks = new ExecutionLifecycleHooks(mode, executionId, data);
  Object.assign(hooks.handlers, options.hooks);
  const additionalData = additionalDataWith(credentials, {
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
