import type { IDataObject, IRun, IRunExecutionData } from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { RunOptions, WorkflowFixture } from '../harness';
import { credentialsOf, cutOffDeduplication, runWorkflow } from '../harness';
import { existing, stopWhen } from './creations';

/** Executions as n8n stores them when they begin, and what it makes of these for a retry. */

/**
 * An execution at its start, before the first node runs, or before another node.
 *
 * @param given the items that the node is about to get
 */
export function startOf(
  { nodes }: WorkflowFixture,
  given: readonly IDataObject[],
  nodeName = nodes[0]?.name,
): IRunExecutionData {
  const node = nodes.find(({ name }) => name === nodeName);
  if (!node) throw new Error(`The workflow has no node "${nodeName}"`);
  return createRunExecutionData({
    executionData: {
      nodeExecutionStack: [
        { node, data: { main: [given.map((json) => ({ json }))] }, source: null },
      ],
      runtimeData: { version: 1, establishedAt: Date.now(), source: 'trigger' },
    },
  });
}

/** The same execution, with other items for the node that is about to run. */
export function withItems(
  from: IRunExecutionData,
  given: readonly IDataObject[],
): IRunExecutionData {
  const changed = structuredClone(from);
  const [first] = changed.executionData?.nodeExecutionStack ?? [];
  if (first) first.data.main = [given.map((json) => ({ json }))];
  return changed;
}

/** The same execution, with the workflow as it was saved since: n8n's "Retry with currently saved workflow". */
export function withSaved(workflow: WorkflowFixture, from: IRunExecutionData): IRunExecutionData {
  const changed = structuredClone(from);
  for (const waiting of changed.executionData?.nodeExecutionStack ?? []) {
    waiting.node = workflow.nodes.find(({ name }) => name === waiting.node.name) ?? waiting.node;
  }
  return changed;
}

/** An execution of which n8n has its start alone, as it died when some posts were there. */
export async function killed(
  sandbox: Sandbox,
  workflow: WorkflowFixture,
  given: readonly IDataObject[],
  after: number,
): Promise<IRunExecutionData> {
  const start = startOf(workflow, given);
  let mend = (): void => undefined;
  await stopWhen(sandbox, after, async (options) => {
    options.signal?.addEventListener('abort', () => {
      mend = cutOffDeduplication('service');
    });
    return await runFrom(sandbox, workflow, start, options);
  });
  mend();
  return start;
}

export const runFrom = (
  sandbox: Sandbox,
  workflow: WorkflowFixture,
  from: IRunExecutionData,
  more: RunOptions = {},
): Promise<IRun> =>
  runWorkflow(workflow, {
    credentials: credentialsOf(sandbox),
    from: structuredClone(from),
    ...more,
  });

/** What n8n does for a retry: it takes an execution as it was stored, under a new ID. */
export const retry = (
  sandbox: Sandbox,
  workflow: WorkflowFixture,
  from: IRunExecutionData,
  more: RunOptions = {},
): Promise<IRun> => runFrom(sandbox, workflow, from, { mode: 'retry', ...more });

/** The texts of the posts that exist more than once, each as often as there are too many. */
export function doubles(sandbox: Sandbox): string[] {
  const texts = existing(sandbox);
  return texts.filter((text, index) => texts.indexOf(text) < index);
}
