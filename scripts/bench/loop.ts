import { startSandbox } from '../../sandbox';
import type { Step } from '../n8n/chain';
import type { N8nInstance } from '../n8n/instance';
import { saveServiceCredential } from '../n8n/service-credential';
import { cpuOf } from './of-process';
import { publish, startedByWebhook } from './production';
import { httpRequest, ours } from './workflows';

const LOOP = 'Loop Over Items';
const AT = '2035-01-15T09:30:00.000Z';
/** How long all rounds may take, in seconds. */
const LONGEST_S = 1200;
const POLL_MS = 250;

/** How many rounds are looked at alone: the first, and the last. */
const SLICE = 50;

/** What a loop took: its time, that of n8n's processor, and a round at its begin and its end, in milliseconds. */
interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
  readonly first: number;
  readonly last: number;
}

/** How many rounds a loop has, and how long the service takes for each answer, in milliseconds. */
export interface Loop {
  readonly rounds: number;
  readonly latencyMs: number;
}

const sides = (baseUrl: string): Record<'ours' | 'others', Step> => ({
  ours: ours({
    resource: 'post',
    operation: 'create',
    content: '={{ $json.text }}',
    accounts: [1],
    publish: 'at',
    scheduledAt: AT,
    timeZone: 'UTC',
    options: {},
  }),
  others: httpRequest('predefined', {
    method: 'POST',
    url: `${baseUrl}/posts`,
    sendBody: true,
    specifyBody: 'json',
    jsonBody: `={{ { workspaceId: 1, status: 'scheduled', scheduledAt: '${AT}', variants: [{ socialAccountId: 1, content: $json.text }] } }}`,
    options: {},
  }),
});

/** Creates a post in each round of a loop, and waits for the end. */
async function loop(
  n8n: N8nInstance,
  side: 'ours' | 'others',
  { rounds, latencyMs }: Loop,
): Promise<Taken> {
  const sandbox = await startSandbox({ requestLogSize: 1, latencyMs });
  try {
    const apiKey = sandbox.keys.agency;
    const step = sides(sandbox.baseUrl)[side];
    const file = startedByWebhook([
      {
        name: LOOP,
        type: 'n8n-nodes-base.splitInBatches',
        typeVersion: 3,
        parameters: { batchSize: 1, options: {} },
      },
      step,
    ]);
    file.nodes[0]!.parameters.responseMode = 'onReceived';
    file.connections[LOOP] = { main: [[], [{ node: step.name, type: 'main', index: 0 }]] };
    file.connections[step.name] = { main: [[{ node: LOOP, type: 'main', index: 0 }]] };
    await publish(n8n, file, {
      socialPublishingApi: await saveServiceCredential(n8n.api, { ...sandbox, apiKey }),
    });
    const before = sandbox.store.posts.length;
    const items = Array.from({ length: rounds }, (_, index) => ({ text: `Post ${index}` }));
    const cpu = await cpuOf(n8n.pid);
    const start = performance.now();
    await fetch(`${n8n.origin}/webhook/${file.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ items }),
    });
    while (sandbox.store.posts.length < before + rounds) {
      if (performance.now() - start > LONGEST_S * 1000) throw new Error('The loop did not end.');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const created = sandbox.store.posts.slice(before).map((post) => Date.parse(post.createdAt));
    const perRound = (times: number[]): number => (times.at(-1)! - times[0]!) / (times.length - 1);
    const taken = {
      ms: performance.now() - start,
      cpuMs: (await cpuOf(n8n.pid)) - cpu,
      first: perRound(created.slice(0, SLICE)),
      last: perRound(created.slice(-SLICE)),
    };
    await n8n.api.executionsEnded(file.id, LONGEST_S);
    await n8n.api.unpublishWorkflow(file.id);
    return taken;
  } finally {
    await sandbox.close();
  }
}

/** How many times as long a loop with one post in each round takes as with the HTTP Request node. */
export async function compareLoops(n8n: N8nInstance, loops: readonly Loop[]): Promise<void> {
  const warmUp = { rounds: SLICE, latencyMs: 0 };
  for (const side of ['ours', 'others'] as const) await loop(n8n, side, warmUp);
  console.log(
    '| Rounds | Latency | This node | HTTP Request | Time | Processor |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const one of loops) {
    const own = await loop(n8n, 'ours', one);
    const other = await loop(n8n, 'others', one);
    const words = ({ ms, cpuMs, first, last }: Taken): string =>
      `${(ms / 1000).toFixed(1)} s, ${(cpuMs / 1000).toFixed(1)} s; a round ${first.toFixed(1)} ms at first, ${last.toFixed(1)} ms at last`;
    const times = (what: keyof Taken): string => `${(own[what] / other[what]).toFixed(2)} times`;
    console.log(
      `| ${[one.rounds, `${one.latencyMs} ms`, words(own), words(other), times('ms'), times('cpuMs')].join(' | ')} |`,
    );
  }
}
