import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import { chain } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { type Execution, outputOf, type WorkflowFile } from '../n8n/rest';
import type { FillRecords } from '../services/full-record';
import { publish, runInProduction, startedByWebhook } from './production';
import { median, row } from './report';
import { ours } from './workflows';

export const CONDITIONS = { latencyMs: 20, counts: [1, 50, 500] } as const;

export type Condition = 'SQLite' | 'PostgreSQL';

/** What the node took for a number of posts, in milliseconds, in each round. */
export interface RecordCost {
  readonly count: number;
  readonly without: number[];
  /** With a record that has little in it. */
  readonly withNew: number[];
  /** With a record that has as many entries as the node lets it have. */
  readonly withFull: number[];
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
  fillRecords: FillRecords,
): Promise<RecordCost> {
  const items = Array.from({ length: count }, (_, post) => ({ text: `Post ${post}` }));
  const socialPublishingApi = await n8n.api.saveCredential({
    name: 'Benchmark',
    type: 'socialPublishingApi',
    data: { baseUrl, apiKey: keys.agency, workspaceId: '1' },
  });
  const save = async () => {
    const file = workflowFor(items);
    await publish(n8n, file, { socialPublishingApi });
    return file;
  };
  const inProduction = async (file: WorkflowFile) =>
    timeOf(await runInProduction(n8n, file, items), count);
  const cost: RecordCost = { count, without: [], withNew: [], withFull: [] };
  const full = await save();
  await inProduction(full);
  await fillRecords();
  const other = await save();
  for (let round = 0; round <= rounds; round++) {
    cost.without.push(timeOf(await n8n.api.runWorkflow(other.id, TRIGGER), count));
    cost.withNew.push(await inProduction(other));
    cost.withFull.push(await inProduction(full));
  }
  for (const { id } of [full, other]) await n8n.api.unpublishWorkflow(id);
  // The first round warms up.
  for (const times of [cost.without, cost.withNew, cost.withFull]) times.shift();
  return cost;
}

/** Measures what the record of what is sent costs, for each number of posts. */
export async function recordCost(
  n8n: N8nInstance,
  rounds: number,
  fillRecords: FillRecords,
): Promise<RecordCost[]> {
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
      costs.push(await costOf(n8n, sandbox, count, rounds, fillRecords));
    } finally {
      await sandbox.close();
    }
  }
  return costs;
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values)}-${Math.max(...values)}`;

/** The median times without and with the record, their range, and what the record costs. */
export function recordTable(database: Condition, costs: readonly RecordCost[]): string {
  return [
    '',
    row(`${database}, ms`, 'median', '(range)', 'record', 'per post'),
    ...costs.flatMap(({ count, without, withNew, withFull }) => {
      const lineOf = (name: string, times: number[]) => {
        const more = median(times) - median(without);
        return row(
          `${count} posts, ${name}`,
          median(times).toFixed(0),
          range(times),
          ...(times === without ? [] : [more.toFixed(0), (more / count).toFixed(1)]),
        );
      };
      return [
        lineOf('no record', without),
        lineOf('new record', withNew),
        lineOf('full record', withFull),
      ];
    }),
  ].join('\n');
}
