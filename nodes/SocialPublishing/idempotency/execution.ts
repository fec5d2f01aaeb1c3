import { randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import { inParallel } from '../service/inParallel';
import { type Call, type End, type Line, RootTry } from './calls';
import { hashOf } from './intent';
import { processMemory } from './processMemory';
import { entriesIn, RESULTS_ROOM } from './results';
import type { Entry } from './rule';
import { deduplicationStore, type KeyStore } from './store';

/** What only n8n knows of the execution that a node runs in. Nothing else in this room asks n8n. */

type RunData = Awaited<ReturnType<IExecuteFunctions['getExecutionDataById']>>;

/** An execution that n8n can retry. */
export interface NamedExecution {
  readonly kind: 'named';
  /** What it shares with its retries and its sub-executions, hashed. */
  readonly key: string;
  readonly store: KeyStore;
  readonly ofTry: RootTry;
  /** The sub-executions that lead to this one, which is the last; empty where the node stands at the top. */
  readonly path: readonly Call[];
  /** Reads, once, what the sub-executions that n8n has kept have written. */
  readonly readKept: () => Promise<void>;
}

/** How an execution is recognized when it is retried. */
export type RunExecution =
  | NamedExecution
  /** It may be a retry, and nobody can tell of which try. */
  | { readonly kind: 'lost'; readonly problem: string }
  /** It is no part of an execution that n8n could retry, or of a workflow that was saved. */
  | { readonly kind: 'none' };

/** What the node calls an execution in the flow context, where n8n has no name for it. */
const OWN_NAME = 'socialPublishingExecution';

/** How many sub-executions are read at once. */
const READ_AT_ONCE = 8;

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

/** n8n's resume token, which an execution shares with its retries; `undefined` in an n8n that has none. */
function resumeTokenOf(context: IExecuteFunctions): string | undefined {
  try {
    const { resumeUrl } = context.getWorkflowDataProxy(0).$execution as { resumeUrl?: unknown };
    return new URL(String(resumeUrl)).searchParams.get('signature') ?? undefined;
  } catch {
    return undefined;
  }
}

/** What n8n has saved of an execution; `undefined` where it has nothing. */
async function savedData(context: IExecuteFunctions, id: string): Promise<RunData> {
  // An n8n before 1.104 can't be asked.
  try {
    return await context.getExecutionDataById(id);
  } catch {
    return undefined;
  }
}

/**
 * Whether the earlier try failed at another node before it reached this one, and so sent nothing here.
 * When a retry starts, n8n still has the data of the earlier try. After a stop or a crash, the next
 * node in it is not the one that ran last.
 */
async function failedBefore(context: IExecuteFunctions): Promise<boolean> {
  const left = await savedData(context, context.getExecutionId());
  if (left === undefined) return false;
  const { lastNodeExecuted } = left.resultData;
  const [next] = left.executionData?.nodeExecutionStack ?? [];
  return lastNodeExecuted !== context.getNode().name && next?.node.name === lastNodeExecuted;
}

/** Names an execution in the flow context; `undefined` for the retry of a try that was interrupted. */
async function ownName(context: IExecuteFunctions, flow: IDataObject): Promise<string | undefined> {
  const isNamed = (): boolean => typeof flow[OWN_NAME] === 'string';
  const isKnown = isNamed() || context.getMode() !== 'retry' || (await failedBefore(context));
  if (!isKnown) return undefined;
  // A call beside this one may have named it meanwhile.
  if (!isNamed()) flow[OWN_NAME] = randomUUID();
  return flow[OWN_NAME] as string;
}

/**
 * Goes up from an execution to the one that everything began with. Only a sub-execution has a parent
 * here: an error workflow is an execution of its own.
 *
 * @returns `undefined` where n8n has nothing of it
 */
async function lineOf(context: IExecuteFunctions, id: string): Promise<Line | undefined> {
  const known = processMemory.lines.get(id);
  if (known !== undefined) return known;
  const data = await savedData(context, id);
  if (data === undefined) return undefined;
  const { parentExecution: parent, executionData } = data;
  const above = parent === undefined ? undefined : await lineOf(context, parent.executionId);
  const line: Line =
    // An execution that n8n hasn't saved can't be retried, and what it called goes on alone.
    parent === undefined || above === undefined
      ? { root: id, token: data.resumeToken, levels: [], isOrphan: parent !== undefined }
      : {
          ...above,
          levels: [
            ...above.levels,
            {
              id,
              parent: parent.executionId,
              input: hashOf(jsonOf(executionData?.nodeExecutionStack[0]?.data)),
              isAwaited: parent.shouldResume !== false,
            },
          ],
        };
  // What an execution began with doesn't change.
  processMemory.lines.keep(id, line);
  return line;
}

/** The JSON of the items that an execution was given. */
const jsonOf = (data: object | undefined): unknown =>
  Object.values(data ?? {}).map((outputs) =>
    Array.isArray(outputs)
      ? outputs.map((items: unknown) =>
          Array.isArray(items) ? items.map((item) => (isObject(item) ? item.json : null)) : null,
        )
      : null,
  );

/** How an execution ended, as far as n8n has saved that. */
function endOf(data: RunData): End {
  if (data === undefined) return 'unknown';
  if (data.resultData.error !== undefined) return 'failed';
  return (data.executionData?.nodeExecutionStack.length ?? 0) === 0 ? 'ok' : 'running';
}

/** The sub-executions that the saved run of an execution names. */
function calledBy(data: RunData): string[] {
  const tasks = Object.values(data?.resultData.runData ?? {}).flat();
  const ids = tasks.flatMap(({ metadata, data: outputs }) => [
    metadata?.subExecution?.executionId,
    ...(outputs?.main ?? []).flatMap((items) =>
      (items ?? []).map((item) => item.metadata?.subExecution?.executionId),
    ),
  ]);
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** What a sub-execution that n8n has kept has written, with all below it; `undefined` where n8n can't tell. */
async function keptEntries(
  context: IExecuteFunctions,
  id: string,
): Promise<readonly Entry[] | undefined> {
  const data = await savedData(context, id);
  if (['unknown', 'running'].includes(endOf(data))) return undefined;
  const entries = entriesIn(data?.executionData?.contextData?.flow, context.getNode().id);
  for (const below of calledBy(data)) {
    const more = await keptEntries(context, below);
    if (more === undefined) return undefined;
    entries.push(...more);
  }
  return entries;
}

async function readKept(context: IExecuteFunctions, root: string, ofTry: RootTry): Promise<void> {
  const ids = calledBy(await savedData(context, root)).filter((id) => !ofTry.kept.has(id));
  await inParallel(ids, READ_AT_ONCE, async (id) => {
    ofTry.kept.set(id, await keptEntries(context, id));
  });
}

/** Finds out what an execution shares with its retries (docs/service.md, "Uncertain writes"). */
export async function executionOf(
  context: IExecuteFunctions,
  flow: IDataObject | undefined,
): Promise<RunExecution> {
  const ownToken = resumeTokenOf(context);
  const { id: workflow } = context.getWorkflow();
  if (ownToken === undefined && flow === undefined) return { kind: 'none' };
  const id = context.getExecutionId();
  const own = context.getExecutionContext?.();
  // One that was interrupted at once is `retry` when it is retried.
  const mayBeSub = own?.source === 'integrated' || own?.source === 'retry';
  const isSub = ownToken !== undefined && mayBeSub && own.parentExecutionId !== undefined;
  const line = isSub ? await lineOf(context, id) : undefined;
  const isRetry = context.getMode() === 'retry';
  const isUnknown = isSub && (line === undefined || (isRetry && line.isOrphan));
  const token = isUnknown ? undefined : (line?.token ?? ownToken);
  const named = token ?? (isSub ? undefined : await ownName(context, flow ?? {}));
  if (named === undefined) {
    const problem = isSub
      ? 'it has no data of this execution'
      : 'this n8n is too old to keep a log';
    return { kind: 'lost', problem };
  }
  if (workflow === undefined || workflow === '') return { kind: 'none' };
  // A sub-execution that is retried from n8n's list is a try of its own.
  const isPartOfRoot = line !== undefined && line.levels.length > 0 && !isRetry;
  const root = isPartOfRoot ? line.root : id;
  const row = JSON.stringify([workflow, context.getNode().id]);
  const key = hashOf('execution', row, named);
  const ofTry = processMemory.tries.take(`${key} ${root}`, () => new RootTry());
  // After a wait, another process or this one goes on with the results, and with what the log has.
  const isResumed = ofTry.flow !== flow && flow?.[RESULTS_ROOM] !== undefined;
  ofTry.flow = isPartOfRoot ? undefined : flow;
  if (isRetry || isPartOfRoot || isResumed) ofTry.mayHaveMore = true;
  if (isRetry) ofTry.isContended ??= true;
  if (isResumed && !isPartOfRoot) ofTry.clear.clear();
  const path: Call[] = [];
  for (const level of isPartOfRoot ? line.levels : []) {
    path.push(await ofTry.enter(level, async ({ id }) => endOf(await savedData(context, id))));
  }
  return {
    kind: 'named',
    key,
    store: deduplicationStore(context.helpers, row),
    ofTry,
    path,
    readKept: async () => {
      if (isPartOfRoot) await readKept(context, root, ofTry);
    },
  };
}
