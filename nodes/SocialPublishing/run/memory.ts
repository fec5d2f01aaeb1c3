import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { executionOf } from '../idempotency/execution';
import { IntentLog } from '../idempotency/log';
import { Results } from '../idempotency/results';
import { isTool } from './errors';

/** What a run knows of the writes before it: what became of them, and which may have been sent. */
export interface Memory {
  readonly results: Results;
  /** `undefined` where n8n has no name that the execution shares with its retries. */
  readonly log: IntentLog | undefined;
  /** Why nobody can tell what an earlier try has sent; `undefined` where there is none, or the log can tell. */
  readonly problem: string | undefined;
  /** Calls that share this write one after the other: an AI agent may call a tool several times at once. */
  readonly turn: unknown;
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
    log: execution.kind === 'named' ? new IntentLog(execution) : undefined,
    problem: execution.kind === 'lost' ? execution.problem : undefined,
    turn: execution.kind === 'named' ? execution.key : (flow ?? {}),
  };
}
