import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { credentialsOf, runWorkflow, type WorkflowFixture } from '../../test/engine/harness';
import { N8nInstance } from '../n8n/instance';
import { buildAndPack, installPackage } from '../n8n/pack';
import { workDir } from '../n8n/paths';
import type { WorkflowFile } from '../n8n/rest';
import { saveServiceCredential } from '../n8n/service-credential';
import { inputs } from './growing';
import { costsOf, growthLine, HEADING, ofInstance, ofThisProcess } from './growth';
import { publish, runInProduction, startedByWebhook } from './production';

/**
 * Shows what grows faster than its input, for 1, 10 and 100 times as much: the time, that of the
 * processor, the longest time in which nothing else could run, and the memory. First on n8n's engine
 * with the sandbox in the same process, then in a real n8n.
 *
 *     npm run bench:growth -- -t 'engine Names in Accounts'
 */
const print = (line: string): void => void process.stdout.write(`${line}\n`);

describe('engine', () => {
  const { all, close } = inputs(({ service, workflow, input }) =>
    Promise.resolve(
      async () => await runWorkflow(workflow, { credentials: credentialsOf(service), input }),
    ),
  );

  // The first run loads n8n.
  beforeAll(async () => {
    await costsOf({ ...all[0]!, sizes: [10] }, ofThisProcess);
    print(HEADING);
  });

  afterAll(close);

  test.each(all)('$name', async (growing) => {
    print(growthLine(growing.name, await costsOf(growing, ofThisProcess)));
  });
});

describe('n8n', () => {
  let n8n: N8nInstance;
  const { all, close } = inputs(async ({ service, workflow, input }) => {
    const file = inN8n(workflow);
    await publish(n8n, file, {
      socialPublishingApi: await saveServiceCredential(n8n.api, {
        ...service,
        apiKey: service.keys.agency,
      }),
    });
    return async () => await runInProduction(n8n, file, input);
  });

  beforeAll(async () => {
    const userFolder = join(workDir(), 'growth');
    await installPackage(await buildAndPack(userFolder), userFolder);
    n8n = await N8nInstance.start({ userFolder });
    await costsOf({ ...all[0]!, sizes: [10] }, ofInstance(n8n));
    print(HEADING);
  });

  afterAll(async () => {
    await n8n.stop();
    await close();
  });

  test.each(all)('$name', async (growing) => {
    print(growthLine(growing.name, await costsOf(growing, ofInstance(n8n))));
  });
});

/** The workflow as a real n8n runs it: a webhook gives it its items, and its loop is n8n's. */
function inN8n({ nodes, connections }: WorkflowFixture): WorkflowFile {
  const file = startedByWebhook([]);
  const { Start: start, ...others } = connections;
  file.nodes.push(
    ...nodes
      .filter(({ name }) => name !== 'Start')
      .map((node) =>
        node.type === 'test-nodes.loop'
          ? { ...node, ...LOOP, parameters: { batchSize: 1, options: {} } }
          : { ...node, id: randomUUID() },
      ),
  );
  file.connections = { ...file.connections, ...others, Items: start! };
  return file;
}

const LOOP = { type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
