import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { deduplicationStore, type KeyStore } from './store';

/** How an execution is recognized when it is retried. */
export type ExecutionName =
  /** It shares this with its retries. */
  | {
      readonly kind: 'named';
      readonly key: string;
      readonly store: KeyStore;
      readonly mayBeRetry: boolean;
    }
  /** n8n has no name for it, and this retry doesn't know that of the try before it. */
  | { readonly kind: 'lost' }
  /** It is no part of an execution that n8n could retry, or of a workflow that was saved. */
  | { readonly kind: 'none' };

/** What the node calls an execution in the flow context, where n8n has no name for it. */
const OWN_NAME = 'socialPublishingExecution';

/**
 * n8n's context of the flow, which all nodes of an execution share.
 *
 * @returns `undefined` in a call that is no part of an execution, such as an MCP server makes of a tool
 */
export function flowOf(context: IExecuteFunctions): IDataObject | undefined {
  try {
    return context.getContext('flow');
  } catch {
    return undefined;
  }
}

/**
 * n8n's resume token, which an execution shares with its retries; `undefined` in an n8n that has none,
 * and in a call that is no part of an execution.
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
 * Whether the earlier try failed at another node before it reached this one, and so sent nothing here.
 * When a retry starts, n8n still has the data of the earlier try. After a stop or a crash, the next
 * node in it is not the one that ran last, or this node has run.
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

/** Names an execution in the flow context; `undefined` for the retry of a try that was interrupted. */
async function ownName(context: IExecuteFunctions, flow: IDataObject): Promise<string | undefined> {
  const given = flow[OWN_NAME];
  if (typeof given === 'string') return given;
  if (context.getMode() === 'retry' && !(await failedBefore(context))) return undefined;
  const name = randomUUID();
  flow[OWN_NAME] = name;
  return name;
}

/** Finds out what an execution shares with its retries (docs/service.md, "Uncertain writes"). */
export async function nameOf(
  context: IExecuteFunctions,
  flow: IDataObject | undefined,
): Promise<ExecutionName> {
  const token = resumeTokenOf(context);
  const { id } = context.getWorkflow();
  if (token === undefined && flow === undefined) return { kind: 'none' };
  const key = token ?? (await ownName(context, flow ?? {}));
  if (key === undefined) return { kind: 'lost' };
  if (id === undefined || id === '') return { kind: 'none' };
  const store = deduplicationStore(context.helpers, JSON.stringify([id, context.getNode().id]));
  return { kind: 'named', key, store, mayBeRetry: context.getMode() === 'retry' };
}
