import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { chain } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { type Execution, outputOf, type WorkflowFile } from '../n8n/rest';
import { publish, runInProduction, startedByWebhook } from './production';
import { median, row } from './report';
import { ours } from './workflows';

export const CONDITIONS = { latencyMs: 20, counts: [1, 50, 500] } as const;

export type Condition = 'SQLite' | 'PostgreSQL';

/** What the node took for a number of posts, in milliseconds, in each round. */
export interface RecordCost {
  readonly count: number;
  readonly without: number[];
  readonly with: number[];
}

const CREATE = ours({
  resource: 'post',
  operation: 'create',
  content: '={{ $json.text }}',
  accounts: ['1'],
  publish: 'at',
  scheduledAt: '2035-01-01T00:00:00.000Z',
});

const TRIGGER = 'Start';

/** A workflow that starts by hand with pinned items, or in production with those of a webhook. */
function workflowFor(items: IDataObject[]): WorkflowFile {
  const file = startedByWebhook([CREATE]);
  const start = chain([
    { name: TRIGGER, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
  ]);
  return {
    ...file,
    nodes: [...start.nodes, ...file.nodes],
    connections: {
      ...file.connections,
      [TRIGGER]: { main: [[{ node: CREATE.name, type: 'main', index: 0 }]] },
    },
    pinData: { [TRIGGER]: items.map((json) => ({ json })) },
  };
}

/** @throws Error when not all posts were created */
function timeOf(execution: Execution, count: number): number {
  const created = outputOf(execution, CREATE.name).length;
  const time = execution.data.resultData.runData[CREATE.name]?.[0]?.executionTime;
  if (created !== count || time === undefined) {
    const { message = execution.status } = execution.data.resultData.error ?? {};
    throw new Error(`${created} posts instead of ${count}. ${message}`);
  }
  return time;
}

async function costOf(
  n8n: N8nInstance,
  { baseUrl, keys }: Sandbox,
  count: number,
  rounds: number,
): Promise<RecordCost> {
  const items = Array.from({ length: count }, (_, post) => ({ text: `Post ${post}` }));
  const file = workflowFor(items);
  const socialPublishingApi = await n8n.api.saveCredential({
    name: 'Benchmark',
    type: 'socialPublishingApi',
    data: { baseUrl, apiKey: keys.agency, workspaceId: '1' },
  });
  await publish(n8n, file, { socialPublishingApi });
  const without: number[] = [];
  const withRecord: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    without.push(timeOf(await n8n.api.runWorkflow(file.id, TRIGGER), count));
    withRecord.push(timeOf(await runInProduction(n8n, file, items), count));
  }
  await n8n.api.unpublishWorkflow(file.id);
  // The first round warms up.
  return { count, without: without.slice(1), with: withRecord.slice(1) };
}

/** Measures what the record of what is sent costs, for each number of posts. */
export async function recordCost(n8n: N8nInstance, rounds: number): Promise<RecordCost[]> {
  const costs: RecordCost[] = [];
  for (const count of CONDITIONS.counts) {
    const sandbox = await startSandbox({ latencyMs: CONDITIONS.latencyMs, seed: false });
    try {
      sandbox.store.addAccount({
        workspaceId: 1,
        platform: 'x',
        platformUsername: 'bakery',
        displayName: 'Blue Door Bakery',
      });
      costs.push(await costOf(n8n, sandbox, count, rounds));
    } finally {
      await sandbox.close();
    }
  }
  return costs;
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values)}-${Math.max(...values)}`;

/** The median times with and without the record, their range, and what the record costs. */
export function recordTable(database: Condition, costs: readonly RecordCost[]): string {
  return [
    '',
    row(`${database}, ms`, 'without', '(range)', 'with', '(range)', 'record', 'per post'),
    ...costs.map((cost) => {
      const without = median(cost.without);
      const more = median(cost.with) - without;
      return row(
        `${cost.count} posts`,
        without.toFixed(0),
        range(cost.without),
        median(cost.with).toFixed(0),
        range(cost.with),
        more.toFixed(0),
        (more / cost.count).toFixed(1),
      );
    }),
  ].join('\n');
}
