import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Step } from '../../scripts/n8n/chain';
import { installHost } from '../../scripts/n8n/install';
import { pack } from '../../scripts/n8n/pack';
import { workDir } from '../../scripts/n8n/paths';
import { QueueMode } from '../../scripts/services/queue-mode';
import { actionNode } from '../n8n/support/bench';
import { parseExecutions, type StoredExecution } from '../n8n/trigger/executions';
import type { N8nAddress } from '../n8n/trigger/workflows';

/** Starts n8n in queue mode with the package that was built last. */
export async function startQueueMode(environment?: Record<string, string>): Promise<QueueMode> {
  await installHost((line) => console.log(line));
  const folder = join(workDir(), 'queue');
  return await QueueMode.start(folder, await pack(folder), environment);
}

/** The REST API of the main process, and the webhooks behind the reverse proxy. */
export const addressOf = ({ main, proxy }: QueueMode): N8nAddress => ({
  api: main.api,
  origin: proxy.origin,
});

/** Reads all executions of a workflow from the database. */
export async function executionsIn(
  { postgres }: QueueMode,
  workflowId: string,
): Promise<StoredExecution[]> {
  return parseExecutions(
    await postgres.query(
      `SELECT id, status, data FROM execution_entity JOIN execution_data ON "executionId" = id
       WHERE "workflowId" = '${workflowId}'`,
    ),
  );
}

/** The number of jobs that were ever put into the queue. */
export const jobCount = async ({ redis }: QueueMode): Promise<number> =>
  Number(await redis.command('GET', 'bull:jobs:id'));

/** The IDs of the executions that each worker has started, according to its log. */
export async function startedByWorker({ workers }: QueueMode): Promise<string[][]> {
  const logs = await Promise.all(workers.map(({ logFile }) => readFile(logFile, 'utf8')));
  return logs.map((log) =>
    [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => String(id)),
  );
}

/** The values that occur more than once. */
export const doubled = <Value>(values: Value[]): Value[] =>
  values.filter((value, index) => values.indexOf(value) < index);

/** How often each value occurs, such as "3 error, 5 success". */
export const countBy = (values: string[]): string =>
  [...new Set(values)]
    .sort()
    .map((value) => `${values.filter((other) => other === value).length} ${value}`)
    .join(', ');

/** The node that creates a post for each item with `when` and `text`, one after the other. */
export const createStep: Step = {
  name: 'Create posts',
  type: actionNode,
  typeVersion: 1,
  parameters: {
    resource: 'post',
    operation: 'create',
    content: '={{ $json.text }}',
    accounts: [1],
    publish: 'at',
    scheduledAt: '={{ $json.when }}',
    options: { concurrency: 1 },
  },
  credential: 'socialPublishingApi',
};
