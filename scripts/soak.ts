import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { type Sandbox, startSandbox } from '../sandbox';
import { chain, type Step } from './n8n/chain';
import { installHost } from './n8n/install';
import { buildAndPack } from './n8n/pack';
import { workDir } from './n8n/paths';
import { type N8nApi, webhookUrl } from './n8n/rest';
import { saveServiceCredential } from './n8n/service-credential';
import { SetupError } from './n8n/setup-error';
import { waitFor } from './n8n/wait-for';
import { logsInPostgres } from './services/logs';
import { QueueMode } from './services/queue-mode';
import { drawSamples } from './soak/chart';
import { type Sample, takeSample } from './soak/samples';

const USAGE = `Runs the traffic of a busy team through n8n in queue mode, and samples memory and tables.

  npm run soak -- [options]

  --minutes <number>  how long to run (default: 5)
  --full-log          start with a full log of sent posts
  --help              show this help

The chart and all samples are in the folder .n8n/soak.`;

const SAMPLE_SECONDS = 5;
const SECONDS_AHEAD = 5;
const PACKAGE = 'n8n-nodes-social-publishing';
const secret = randomUUID();

const action = (name: string, parameters: Step['parameters']): Step => ({
  name,
  type: `${PACKAGE}.socialPublishing`,
  typeVersion: 1,
  parameters,
  credential: 'socialPublishingApi',
});

/**
 * Saves and publishes the workflows, and connects the sandbox to them. Returns the webhook to
 * schedule by.
 */
async function setUp(api: N8nApi, origin: string, sandbox: Sandbox) {
  const credentialIds = {
    socialPublishingApi: await saveServiceCredential(api, {
      ...sandbox,
      apiKey: sandbox.keys.agency,
    }),
    socialPublishingWebhookApi: await api.saveCredential({
      name: 'Endpoint',
      type: 'socialPublishingWebhookApi',
      data: { webhookSecret: secret },
    }),
  };
  const path = randomUUID();
  const schedule = chain([
    {
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
    },
    action('Create a post', {
      resource: 'post',
      operation: 'create',
      content: '={{ $json.body.text }}',
      accounts: [1],
      publish: 'at',
      scheduledAt: `={{ $now.plus({ seconds: ${SECONDS_AHEAD} }).toISO() }}`,
    }),
    action('Get posts', { resource: 'post', operation: 'getAll', limit: 20 }),
  ]);
  const trigger = 'Social Publishing Trigger';
  const react = chain([
    {
      name: trigger,
      type: `${PACKAGE}.socialPublishingTrigger`,
      typeVersion: 1.1,
      parameters: { events: ['post.published'], options: { dropRepeats: true } },
      credential: 'socialPublishingWebhookApi',
    },
    action('Read analytics', { resource: 'analytics', operation: 'get', period: '7d' }),
  ]);
  for (const workflow of [schedule, react]) {
    await api.saveWorkflow(workflow, credentialIds);
    await api.publishWorkflow(workflow.id);
  }
  const scheduleUrl = `${origin}/webhook/${path}`;
  const eventUrl = webhookUrl(origin, react, trigger, 'production');
  for (const url of [scheduleUrl, eventUrl]) await api.listening(url);
  sandbox.webhooks.add({ url: eventUrl, secret, events: ['post.published'] });
  return { scheduleUrl, credentialId: credentialIds.socialPublishingApi, schedule, react };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      'full-log': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new SetupError(`--minutes must be a number, not "${values.minutes}".`);

  const folder = join(workDir(), 'soak');
  await mkdir(folder, { recursive: true });
  await installHost((line) => console.log(line));
  const packed = await buildAndPack(folder);
  const sandbox = await startSandbox();
  console.log('Starting n8n in queue mode.');
  const queue = await QueueMode.start(folder, packed);
  try {
    const { api } = queue.main;
    const { scheduleUrl, credentialId, schedule, react } = await setUp(
      api,
      queue.proxy.origin,
      sandbox,
    );
    const counts = { scheduled: 0, pickers: 0 };
    const scheduleOne = async () => {
      const response = await fetch(scheduleUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ text: `Post ${counts.scheduled}` }),
      });
      if (!response.ok) throw new Error(`n8n responded with ${response.status}.`);
      counts.scheduled += 1;
    };
    if (values['full-log']) {
      const before = sandbox.store.posts.length;
      await scheduleOne();
      await waitFor('No post was created', () => sandbox.store.posts.length > before || undefined);
      await logsInPostgres(queue.postgres).fill();
    }
    const started = performance.now();
    const elapsed = () => (performance.now() - started) / 1000;
    const samples: Sample[] = [];
    let isOver = false;

    const scheduling = async () => {
      while (!isOver) {
        await scheduleOne();
        await delay(500);
      }
    };
    const picking = async () => {
      while (!isOver) {
        await api.searchList({
          nodeType: `${PACKAGE}.socialPublishing`,
          path: 'parameters.picked',
          methodName: counts.pickers % 2 === 0 ? 'searchAccounts' : 'searchAgents',
          parameters: { resource: 'post', operation: 'create' },
          credentials: { socialPublishingApi: { id: credentialId, name: 'Service' } },
        });
        counts.pickers += 1;
        await delay(2000);
      }
    };
    const sampling = async () => {
      while (!isOver) {
        samples.push(await takeSample(queue, elapsed()));
        await delay(SAMPLE_SECONDS * 1000);
      }
    };
    const ending = delay(minutes * 60_000).then(() => (isOver = true));
    await Promise.all([scheduling(), scheduling(), picking(), sampling(), ending]);
    await delay(SECONDS_AHEAD * 1000);
    await sandbox.webhooks.settled();
    for (const { id } of [schedule, react]) await api.executionsEnded(id, 300);
    samples.push(await takeSample(queue, elapsed()));

    const succeeded = await Promise.all(
      [schedule, react].map(({ id }) => api.executions(id, 1, ['success'])),
    );
    const [scheduled, reacted] = succeeded.map(({ count }) => count);
    await writeFile(join(folder, 'samples.json'), JSON.stringify(samples, null, 2));
    await writeFile(join(folder, 'soak.svg'), drawSamples(samples));
    const [first, last] = [samples[0], samples.at(-1)];
    console.table(
      Object.fromEntries(
        Object.entries(last?.memory ?? {}).map(([name, megabytes]) => [
          name,
          { 'MB at the start': first?.memory[name], 'MB at the end': megabytes },
        ]),
      ),
    );
    console.log(
      `${counts.scheduled} posts scheduled in ${scheduled} successful executions, ` +
        `${sandbox.webhooks.deliveries.length} events in ${reacted} successful executions, ` +
        `${counts.pickers} pickers opened. The chart: ${join(folder, 'soak.svg')}`,
    );
    if (scheduled !== counts.scheduled || reacted !== sandbox.webhooks.deliveries.length) {
      process.exitCode = 1;
    }
  } finally {
    await queue.stop();
    await sandbox.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
