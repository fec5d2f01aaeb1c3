import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Journal, type Known, type WriteRecord } from './journal';
import { keepsMemory } from './memory';
import { deduplicationStore } from './store';

/** What the node calls an execution, in its memory, where n8n has no name for it. */
const OWN_NAME = 'execution';

/**
 * The resume token of n8n, which an execution shares with its retries; `undefined` in an n8n that has
 * none, and in a call that is no part of an execution.
 */
function resumeTokenOf(context: IExecuteFunctions): string | undefined {
  try {
    const { resumeUrl } = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
    return new URL(String(resumeUrl)).searchParams.get('signature') ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stands in for the record of a try that left none. Whatever the retry has no result for may have
 * been sent, and at any time before the retry.
 */
class LostRecord implements WriteRecord {
  readonly problem = 'this n8n is too old to record it';

  readonly isRetry = true;

  readonly lastEarlierSend = Date.now();

  begin(): Promise<Known[] | undefined> {
    return Promise.resolve(undefined);
  }

  undo(): Promise<void> {
    return Promise.resolve();
  }

  mark(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Whether the try that is retried failed at another node before it came to this one: then it sent
 * nothing here. What n8n has of a retry at its beginning is what the earlier try left. After a stop or
 * a crash, this does not begin with the node that ran last, or has an entry of this node.
 */
async function failedBefore(context: IExecuteFunctions): Promise<boolean> {
  try {
    const left = await context.getExecutionDataById(context.getExecutionId());
    const { lastNodeExecuted, runData } = left?.resultData ?? {};
    const { name } = context.getNode();
    const [next] = left?.executionData?.nodeExecutionStack ?? [];
    const hasRun = (runData?.[name]?.length ?? 0) > 0;
    return lastNodeExecuted !== name && next?.node.name === lastNodeExecuted && !hasRun;
  } catch {
    return false;
  }
}

/**
 * Names an execution in the memory of the node, which its retries have when it has come to its end.
 *
 * @returns `undefined` for the retry of a try that was interrupted: this has a name that nobody knows
 */
async function ownName(
  context: IExecuteFunctions,
  memory: IDataObject,
): Promise<string | undefined> {
  const known = memory[OWN_NAME];
  if (typeof known === 'string') return known;
  if (context.getMode() === 'retry' && !(await failedBefore(context))) return undefined;
  const name = randomUUID();
  memory[OWN_NAME] = name;
  return name;
}

/**
 * Opens the record of an execution.
 *
 * @param memory what the node keeps for the rest of the execution
 * @param horizon for how long after a send it matters when that was, in milliseconds
 * @returns `undefined` where there is none: in a manual test run, which is never retried by itself, and
 * in a call that is no part of an execution
 */
export async function openRecord(
  context: IExecuteFunctions,
  memory: IDataObject,
  horizon: number,
): Promise<WriteRecord | undefined> {
  const mode = context.getMode();
  const { id } = context.getWorkflow();
  const token = resumeTokenOf(context);
  if (token === undefined && !keepsMemory(context)) return undefined;
  const name = token ?? (await ownName(context, memory));
  if (name === undefined) return new LostRecord();
  if (mode === 'manual' || id === undefined || id === '') return undefined;
  const store = deduplicationStore(context.helpers, JSON.stringify([id, context.getNode().id]));
  return new Journal(store, name, mode === 'retry', horizon);
}
