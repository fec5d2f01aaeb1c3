import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox';
import type { N8nInstance } from '../n8n/instance';
import { type Execution, outputOf, type WorkflowFile } from '../n8n/rest';
import { saveServiceCredential } from '../n8n/service-credential';
import type { LogDatabase } from '../services/logs';
import { publish, runInProduction, startedByWebhook } from './production';
import { median, row } from './report';
import { WITHOUT_LOG } from './without-log';
import { ours } from './workflows';

export const CONDITIONS = { latencyMs: 20, counts: [1, 50, 500] } as const;

/** How many posts one execution creates while the log grows, and after how many its size is read. */
const GROWTH = { atOnce: 100, every: 500 } as const;

export type DatabaseName = 'SQLite' | 'PostgreSQL';

/** How long the node took for a number of posts, in milliseconds, in each round. */
export interface LogCost {
  readonly count: number;
  readonly without: number[];
  /** With an empty log. */
  readonly withNew: number[];
  /** With a log that has as many entries as the node lets it have. */
  readonly withFull: number[];
}

/** How large the log is after a number of posts. */
export interface LogSize {
  readonly posts: number;
  /** The log itself, in bytes. */
  readonly log: number;
  /** The table, with the old rows that the database still keeps, in bytes. */
  readonly table: number;
}

const CREATE = ours({
  resource: 'post',
  operation: 'create',
  content: '={{ $json.text }}',
  accounts: ['1'],
  publish: 'at',
  scheduledAt: '={{ $json.at }}',
});

const MINUTE_MS = 60_000;
let minutes = 0;

/** Items with different texts and times: such posts need the most log entries. */
const items = (count: number): IDataObject[] =>
  Array.from({ length: count }, () => {
    minutes++;
    const at = new Date(Date.UTC(2035, 0, 1) + minutes * MINUTE_MS).toISOString();
    return { text: `Post ${minutes}`, at };
  });

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

/** Saves and publishes the workflow. Its node has no log yet. */
async function publishNew(
  n8n: N8nInstance,
  sandbox: Sandbox,
  nodeId: string = randomUUID(),
): Promise<WorkflowFile> {
  const socialPublishingApi = await saveServiceCredential(n8n.api, {
    ...sandbox,
    apiKey: sandbox.keys.agency,
  });
  const file = startedByWebhook([CREATE]);
  file.nodes.find(({ name }) => name === CREATE.name)!.id = nodeId;
  await publish(n8n, file, { socialPublishingApi });
  return file;
}

const create = async (n8n: N8nInstance, file: WorkflowFile, count: number): Promise<number> =>
  timeOf(await runInProduction(n8n, file, items(count)), count);

async function costOf(
  n8n: N8nInstance,
  sandbox: Sandbox,
  count: number,
  rounds: number,
  logs: LogDatabase,
): Promise<LogCost> {
  const cost: LogCost = { count, without: [], withNew: [], withFull: [] };
  const full = await publishNew(n8n, sandbox);
  await create(n8n, full, count);
  await logs.fill();
  const without = await publishNew(n8n, sandbox, `${WITHOUT_LOG}-${randomUUID()}`);
  for (let round = 0; round <= rounds; round++) {
    cost.without.push(await create(n8n, without, count));
    const other = await publishNew(n8n, sandbox);
    cost.withNew.push(await create(n8n, other, count));
    await n8n.api.unpublishWorkflow(other.id);
    cost.withFull.push(await create(n8n, full, count));
  }
  for (const { id } of [full, without]) await n8n.api.unpublishWorkflow(id);
  // The first round warms up.
  for (const times of [cost.without, cost.withNew, cost.withFull]) times.shift();
  return cost;
}

async function inSandbox<Result>(task: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
  const sandbox = await startSandbox({ latencyMs: CONDITIONS.latencyMs, seed: false });
  try {
    sandbox.store.addAccount({
      workspaceId: 1,
      platform: 'x',
      platformUsername: 'bakery',
      displayName: 'Blue Door Bakery',
    });
    return await task(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** Measures what the log costs, for each number of posts. */
export async function logCost(
  n8n: N8nInstance,
  counts: readonly number[],
  rounds: number,
  logs: LogDatabase,
): Promise<LogCost[]> {
  const costs: LogCost[] = [];
  for (const count of counts) {
    costs.push(await inSandbox(async (sandbox) => await costOf(n8n, sandbox, count, rounds, logs)));
  }
  return costs;
}

/**
 * Measures how large the log becomes.
 *
 * @param most how many posts to create; more than the log can hold show whether it levels off
 */
export async function growth(
  n8n: N8nInstance,
  logs: LogDatabase,
  most: number,
): Promise<LogSize[]> {
  return await inSandbox(async (sandbox) => {
    await logs.clear();
    const file = await publishNew(n8n, sandbox);
    const sizes: LogSize[] = [];
    for (let posts = GROWTH.atOnce; posts <= most; posts += GROWTH.atOnce) {
      await create(n8n, file, GROWTH.atOnce);
      if (posts % GROWTH.every === 0) sizes.push({ posts, ...(await logs.size()) });
    }
    await n8n.api.unpublishWorkflow(file.id);
    return sizes;
  });
}

const range = (values: readonly number[]): string =>
  `${Math.min(...values)}-${Math.max(...values)}`;

/** The median times without and with the log, their range, and what the log costs. */
export function costTable(database: DatabaseName, costs: readonly LogCost[]): string {
  return [
    '',
    row(`${database}, ms`, 'median', '(range)', 'log', 'per post'),
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
      return [lineOf('no log', without), lineOf('new log', withNew), lineOf('full log', withFull)];
    }),
  ].join('\n');
}

const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(0);

/** The size of the log after numbers of posts. */
export const growthTable = (database: DatabaseName, sizes: readonly LogSize[]): string =>
  [
    '',
    row(`${database}, kB`, 'log', 'table'),
    ...sizes.map(({ posts, log, table }) =>
      row(`${posts} posts`, kilobytes(log), kilobytes(table)),
    ),
  ].join('\n');
