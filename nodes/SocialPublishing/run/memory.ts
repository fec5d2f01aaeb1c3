import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionOf, type RunExecution } from '../idempotency/execution';
import { IntentLog } from '../idempotency/log';
import { Results } from '../idempotency/results';
import { isTool } from './errors';

/** What a run knows of the writes before it: what became of them, and which may have been sent. */
export interface Memory {
  readonly results: Results;
  readonly execution: RunExecution;
  /** `undefined` where n8n has no name that the execution shares with its retries. */
  readonly log: IntentLog | undefined;
  /** Calls that share this write one after the other: an AI agent may call a tool several times at once. */
  readonly turn: unknown;
  /** Whether the node works for an AI agent. */
  readonly isTool: boolean;
}

/** @param flow n8n's context of the flow; `undefined` in a call that is no part of an execution */
export async function recollect(
  context: IExecuteFunctions,
  flow: IDataObject | undefined,
): Promise<Memory> {
  const execution = await executionOf(context, flow);
  const node = context.getNode();
  return {
    results: new Results(flow ?? {}, {
      node: node.id,
      run: Number(context.getWorkflowDataProxy(0).$runIndex),
      execution: context.getExecutionId(),
      isTool: isTool(node),
    }),
    execution,
    log: execution.kind === 'named' ? new IntentLog(execution) : undefined,
    turn: execution.kind === 'named' ? execution.key : (flow ?? {}),
    isTool: isTool(node),
  };
}
