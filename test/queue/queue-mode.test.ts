import { randomUUID } from 'node:crypto';

import { type Sandbox, startSandbox } from '../../sandbox';
import { forgedDelivery, repeat, sendAll, signedDelivery } from '../../scripts/load/deliveries';
import { chain } from '../../scripts/n8n/chain';
import type { WorkflowFile } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import type { QueueMode } from '../../scripts/services/queue-mode';
import { toldBy } from '../n8n/interrupted/posting';
import { heldBy } from '../n8n/interrupted/runs';
import { actionNode } from '../n8n/support/bench';
import { EXECUTIONS, exercise, plant, WORKFLOWS } from '../n8n/support/exercise';
import { deliveryIdOf, expectedId } from '../n8n/trigger/executions';
import { type ProgressServer, startProgressServer } from '../n8n/trigger/progress-server';
import { saveEndpoint, TriggeredWorkflow } from '../n8n/trigger/workflows';
import { DATABASE, filesIn, findLeaks, leakTable, LOGS, type Place } from '../support/leaks';
import { durations, shuffled, SIGNED_DELIVERIES } from '../support/load';
import { saveService } from '../support/service-credential';
import {
  addressOf,
  countBy,
  createStep,
  doubled,
  executionsIn,
  jobCount,
  startedByWorker,
  startQueueMode,
} from './support';

const SIGNED = SIGNED_DELIVERIES;
const FORGED = 2 * SIGNED;
const EVENTS = 200;
const KILLED_AFTER = 60;

/** A worker's lock on its jobs lasts 60 s, and n8n looks for lost locks every 30 s. */
const RESPONSE_TIMEOUT_MS = 150_000;

const secret = 'whsec_queue_mode';
const parameters = { events: ['post.published'] };

const REDIS = 'Redis';

let queue: QueueMode;

beforeAll(async () => {
  queue = await startQueueMode();
});

afterAll(() => queue?.stop());

test(`${SIGNED} signed deliveries among ${FORGED} forged ones start as many executions`, async () => {
  const credentialId = await saveEndpoint(queue.main, secret);
  const workflow = await TriggeredWorkflow.save(addressOf(queue), credentialId, parameters);
  await workflow.publish();
  const jobsBefore = await jobCount(queue);
  const signed = repeat(SIGNED, () => signedDelivery(secret));
  const forged = repeat(FORGED, forgedDelivery);
  const deliveries = shuffled([
    ...signed.map((delivery) => ({ delivery, status: 200 })),
    ...forged.map((delivery) => ({ delivery, status: 401 })),
  ]);

  const started = performance.now();
  const statuses = await sendAll(
    workflow.productionUrl,
    deliveries.map(({ delivery }) => delivery),
  );
  const sent = performance.now();
  await queue.main.api.executionsEnded(workflow.file.id, 600);
  const ended = performance.now();

  expect(statuses).toEqual(deliveries.map(({ status }) => status));
  const executions = await executionsIn(queue, workflow.file.id);
  expect(executions).toHaveLength(SIGNED);
  expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
  expect(executions.map(deliveryIdOf).sort()).toEqual(
    signed.map(({ body }) => expectedId(body)).sort(),
  );
  expect(await jobCount(queue)).toBe(jobsBefore + SIGNED);
  const ids = new Set(executions.map(({ id }) => id));
  // The last lines of a log are written a moment later.
  const shares = await waitFor('Not all executions are in the logs of the workers', async () => {
    const logs = await startedByWorker(queue);
    const counts = logs.map((started) => started.filter((id) => ids.has(id)).length);
    return counts.reduce((sum, count) => sum + count) >= SIGNED ? counts : undefined;
  });
  expect(shares.reduce((sum, share) => sum + share)).toBe(SIGNED);
  expect(Math.min(...shares)).toBeGreaterThan(0);
  // Nothing of a forged delivery is in the database, or was ever written to Redis.
  const traces = [await queue.postgres.dump(), await queue.redis.everythingWritten()];
  const postIdOf = ({ body }: (typeof forged)[number]) =>
    (JSON.parse(body.toString()) as { data: { platformPostId: string } }).data.platformPostId;
  expect(traces[0]).toContain(postIdOf(signed[0]!));
  for (const id of forged.map(postIdOf)) {
    for (const trace of traces) expect(trace.includes(id)).toBe(false);
  }
  console.log(
    `Queue mode: ${durations(SIGNED + FORGED, { started, sent, ended })}; by worker: ${shares.join(' and ')}`,
  );
});

describe('a worker that is killed', () => {
  const RESPONDS = ['whenFinished', 'immediately'] as const;
  type Respond = (typeof RESPONDS)[number];
  /**
   * How many runs are under way at once: as many as the sandbox sends to one endpoint, or as the two
   * workers take. When all of them are paused, none is about to tell n8n that it has come to its end.
   */
  const UNDER_WAY: Record<Respond, number> = { whenFinished: 16, immediately: 20 };
  interface Interrupted {
    sandbox: Sandbox;
    progress: ProgressServer;
    workflow: TriggeredWorkflow;
    killedAt: number;
  }
  const interrupted = new Map<Respond, Interrupted>();

  /** Has a sandbox publish posts, and kills the first worker in the middle of their events. */
  async function interrupt(respond: Respond): Promise<void> {
    const sandbox = await startSandbox({
      webhookRetry: { baseDelayMs: 500, attempts: 3, timeoutMs: RESPONSE_TIMEOUT_MS },
    });
    const progress = await startProgressServer();
    const credentialId = await saveEndpoint(queue.main, secret);
    const workflow = await TriggeredWorkflow.save(
      addressOf(queue),
      credentialId,
      { ...parameters, options: { respond } },
      { next: progress.steps },
    );
    await workflow.publish();
    sandbox.webhooks.add({ url: workflow.productionUrl, secret, events: ['post.published'] });
    sandbox.addPosts(EVENTS, { scheduledAt: new Date().toISOString() });

    await progress.waitForFinished(KILLED_AFTER);
    const paused = progress.pauseWork();
    await waitFor(
      'Too little work was paused',
      () => paused.length === UNDER_WAY[respond] || undefined,
    );
    await queue.workers[0]?.kill();
    interrupted.set(respond, { sandbox, progress, workflow, killedAt: performance.now() });
    progress.resumeWork();
    await queue.restartWorker(0);
  }

  // n8n takes more than a minute to notice each death. It notices both in the same time.
  beforeAll(async () => {
    for (const respond of RESPONDS) await interrupt(respond);
  });

  afterAll(async () => {
    for (const { sandbox, progress } of interrupted.values()) {
      await sandbox.close();
      await progress.close();
    }
  });

  /** Waits until nothing is under way any more. */
  async function settle(respond: Respond) {
    const { sandbox, progress, workflow, killedAt } = interrupted.get(respond)!;
    await sandbox.webhooks.settled();
    await queue.main.api.executionsEnded(workflow.file.id, 600);
    // The worker that starts again marks them as crashed, until n8n notices that their jobs are lost.
    const executions = await waitFor(
      'n8n did not notice that jobs are lost',
      async () => {
        const all = await executionsIn(queue, workflow.file.id);
        return all.some(({ status }) => status === 'crashed') ? undefined : all;
      },
      600,
    );
    const settledSeconds = Math.round((performance.now() - killedAt) / 1000);
    const events = sandbox.webhooks.deliveries.map(({ body }) => expectedId(body));
    expect(events).toHaveLength(EVENTS);
    const lost = events.filter((id) => !progress.finished.includes(id));
    const statuses = countBy(executions.map(({ status }) => status));
    console.log(
      `Worker killed, ${respond}: ${EVENTS} events, executions: ${statuses}; ` +
        `${lost.length} events lost, ${doubled(progress.started).length} started twice, ` +
        `${doubled(progress.finished).length} finished twice, all settled ${settledSeconds} s later`,
    );
    return { sandbox, progress, events, executions, lost };
  }

  test('Respond: When Workflow Finishes brings every event to the end at least once', async () => {
    const { sandbox, progress, events, executions, lost } = await settle('whenFinished');

    expect(lost).toEqual([]);
    expect(new Set(progress.finished)).toEqual(new Set(events));
    const failed = executions.filter(({ status }) => status !== 'success');
    expect(failed).not.toEqual([]);
    const refused = sandbox.webhooks.deliveries.flatMap(({ attempts }) =>
      attempts.filter(({ status }) => status !== 200),
    );
    expect(refused.map(({ status }) => status)).toEqual(failed.map(() => 500));
  });

  test('Respond: Immediately loses the events that the worker was working on', async () => {
    const { progress, executions, lost } = await settle('immediately');

    const failed = executions.filter(({ status }) => status !== 'success');
    expect(lost).toHaveLength(failed.length);
    expect(lost).not.toEqual([]);
    expect(doubled(progress.finished)).toEqual([]);
    // n8n has deleted the event, so that there is nothing to retry.
    expect(failed.map(deliveryIdOf)).toEqual(failed.map(() => undefined));
  });
});

test('a worker without the package acknowledges an event and loses it', async () => {
  const credentialId = await saveEndpoint(queue.main, secret);
  const workflow = await TriggeredWorkflow.save(addressOf(queue), credentialId, parameters);
  await workflow.publish();
  await Promise.all(queue.workers.map((worker) => worker.stop()));
  const restore = await queue.hidePackage('worker-1');
  await queue.restartWorker(0);

  const delivery = signedDelivery(secret);

  const statuses = await sendAll(workflow.productionUrl, [delivery]);
  await queue.main.api.executionsEnded(workflow.file.id);

  expect(statuses).toEqual([200]);
  const [execution] = await executionsIn(queue, workflow.file.id);
  expect(execution?.status).toBe('error');
  expect(execution?.data.resultData.error?.message).toContain('Unrecognized node type');
  expect(JSON.stringify(execution?.data)).not.toContain(expectedId(delivery.body));
  await queue.workers[0]?.stop();
  await restore();
  await Promise.all([...queue.workers.keys()].map((index) => queue.restartWorker(index)));
});

test('without the main process, events still arrive and start workflows', async () => {
  const credentialId = await saveEndpoint(queue.main, secret);
  const workflow = await TriggeredWorkflow.save(addressOf(queue), credentialId, parameters);
  await workflow.publish();
  const deliveries = repeat(20, () => signedDelivery(secret));
  await queue.main.kill();

  const statuses = await sendAll(workflow.productionUrl, deliveries);
  const executions = await waitFor('Not all executions succeeded', async () => {
    const all = await executionsIn(queue, workflow.file.id);
    const succeeded = all.filter(({ status }) => status === 'success');
    return succeeded.length === deliveries.length ? succeeded : undefined;
  });

  await queue.startMain();
  expect(statuses).toEqual(deliveries.map(() => 200));
  expect(executions.map(deliveryIdOf).sort()).toEqual(
    deliveries.map(({ body }) => expectedId(body)).sort(),
  );
});

describe('creating posts', () => {
  // So many that some are neither answered nor under way when the worker is killed, however slow it is.
  const POSTS = 200;
  const KILLED_AFTER_POSTS = 25;

  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  /** Starts a production execution that creates posts one after the other, through a webhook. */
  async function createPosts(): Promise<WorkflowFile> {
    const credentialId = await saveService(queue.main.api, sandbox);
    const path = randomUUID();
    const workflow = chain([
      {
        name: 'Webhook',
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} },
      },
      {
        name: 'Split Out',
        type: 'n8n-nodes-base.splitOut',
        typeVersion: 1,
        parameters: { fieldToSplitOut: 'body.posts', options: {} },
      },
      createStep,
    ]);
    await queue.main.api.saveWorkflow(workflow, { socialPublishingApi: credentialId });
    await queue.main.api.publishWorkflow(workflow.id);
    const url = `${queue.proxy.origin}/webhook/${path}`;
    await queue.main.api.listening(url);
    const day = Date.now() + 24 * 3600 * 1000;
    const posts = Array.from({ length: POSTS }, (_, index) => ({
      when: new Date(day + index * 60_000).toISOString(),
      text: `Post ${index}`,
    }));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ posts }),
    });
    expect(response.status).toBe(200);
    return workflow;
  }

  /** Kills everything while it creates posts, and retries that so often at once, and once more. */
  async function killAndRetry(atOnce: number) {
    sandbox.faults.add({ kind: 'latency', ms: 150, method: 'POST', path: '/posts' });
    const before = sandbox.store.posts.length;
    const created = () => sandbox.store.posts.slice(before);
    const workflow = await createPosts();
    await waitFor(
      'Too few posts were created',
      () => created().length >= KILLED_AFTER_POSTS || undefined,
      120,
    );
    const [execution] = (await queue.main.api.executions(workflow.id)).results;
    const working = (await startedByWorker(queue)).findIndex((ids) => ids.includes(execution!.id));
    await queue.workers[working]?.kill();
    for (const process of queue.webhookProcessors) await process.kill();
    await queue.main.kill();
    const createdBefore = created().length;

    await queue.startMain();
    await Promise.all([
      ...[...queue.webhookProcessors.keys()].map((index) => queue.restartWebhookProcessor(index)),
      queue.restartWorker(working),
    ]);
    await queue.main.api.executionsEnded(workflow.id, 600);
    const crashed = await queue.main.api.execution(execution!.id);
    // Each worker takes one of them.
    const ended = await Promise.all(
      Array.from({ length: atOnce }, () => queue.main.api.retryExecution(crashed.id)),
    );
    const last = await queue.main.api.retryExecution(ended[0]!.id);

    const retries = [...ended, last].map(toldBy);
    const texts = created().map(({ variants }) => variants[0]?.content);
    console.log(
      `Killed after ${createdBefore} of ${POSTS} posts: execution ${crashed.status}; ` +
        `held by each retry: ${retries.map(heldBy).join(', ')}; ` +
        `${new Set(texts).size} posts exist, ${doubled(texts).length} twice`,
    );
    expect(crashed.status).toBe('crashed');
    expect(doubled(texts)).toEqual([]);
    return new Set(texts).size - createdBefore;
  }

  test('when all is killed, a retry creates what was not sent yet, and nothing twice', async () => {
    expect(await killAndRetry(1)).toBeGreaterThan(0);
  });

  // Each may take what the other asks the log for as something that was sent, and then creates nothing.
  test('when all is killed, two retries at once create nothing twice', async () => {
    await killAndRetry(2);
  });
});

describe('across processes', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  test('the pickers work in the main process', async () => {
    const id = await saveService(queue.main.api, sandbox);
    const { results } = await queue.main.api.searchList({
      nodeType: actionNode,
      path: 'parameters.agentId',
      methodName: 'searchAgents',
      parameters: { resource: 'agent', operation: 'update' },
      credentials: { socialPublishingApi: { id, name: 'Service' } },
    });
    expect(results.map(({ value }) => Number(value)).sort()).toEqual(
      sandbox.store.agentsOf(1).map((agent) => agent.id),
    );
  });
});

test('no secret is in PostgreSQL, Redis, a log, a file, an execution or an exported workflow', async () => {
  const { secrets, places } = await exercise(addressOf(queue));

  /** All that is stored and written anywhere. */
  const everything = async (): Promise<Place[]> => [
    { kind: DATABASE, name: 'PostgreSQL', content: await queue.postgres.dump() },
    {
      kind: REDIS,
      name: 'all that was ever written',
      content: await queue.redis.everythingWritten(),
    },
    ...(await filesIn(queue.folder)),
  ];
  const stored = await everything();
  const names = stored.map(({ name }) => name);
  const logFiles = [...queue.processes.values()].map(({ logFile }) => logFile);
  expect(names).toEqual(expect.arrayContaining(logFiles));
  const leaks = findLeaks([...places, ...stored], secrets);
  expect(leaks).toEqual([]);
  // The search would find a leak.
  const planted = { apiKey: `${secrets['apiKey']}-planted` };
  const text = Buffer.from(`:${planted.apiKey}`).toString('base64url');
  const returned = await plant(addressOf(queue), text, logFiles);
  await queue.redis.command('SET', 'planted', text);
  const found = findLeaks([...returned, ...(await everything())], planted);
  console.log(leakTable([...places, ...stored], leaks, found));
  const kinds = new Set(found.map(({ kind }) => kind));
  for (const kind of [DATABASE, EXECUTIONS, LOGS, REDIS, WORKFLOWS]) expect(kinds).toContain(kind);
});
