import { join } from 'node:path';

import { type Delivery, type Sandbox, startSandbox } from '../../sandbox';
import { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { waitFor } from '../../scripts/n8n/wait-for';
import { type ReverseProxy, startReverseProxy } from '../../scripts/services/reverse-proxy';
import { startFreshN8n } from './support/fresh';
import { deliveryIdOf, executionsOf, expectedId, type StoredExecution } from './trigger/executions';
import { type ProgressServer, startProgressServer } from './trigger/progress-server';
import { saveEndpoint, TriggeredWorkflow } from './trigger/workflows';

const EVENTS = 200;

/** How many events have come to the end of the workflow when n8n is killed. */
const KILLED_AFTER = 60;

const userFolder = join(workDir(), 'crash');
const secret = 'whsec_crash';

let n8n: N8nInstance;
let sandbox: Sandbox;
let progress: ProgressServer;
let proxy: ReverseProxy;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

beforeEach(async () => {
  sandbox = await startSandbox({ webhookRetry: { baseDelayMs: 500, attempts: 10 } });
  progress = await startProgressServer();
  proxy = await startReverseProxy(() => [n8n.origin]);
});

afterEach(async () => {
  await sandbox.close();
  await proxy.close();
  await progress.close();
});

afterAll(() => n8n?.stop());

/** What became of all events, once all are delivered and nothing runs any more. */
interface CrashResult {
  /** The delivery ID of each event. */
  events: string[];
  /** The IDs of the deliveries whose work was in progress when n8n was killed. */
  inProgress: string[];
  /** The IDs of the deliveries that n8n had acknowledged before it was killed. */
  acknowledged: string[];
  executions: StoredExecution[];
}

const idOf = ({ body }: Delivery) => expectedId(body);

/**
 * Has the sandbox publish posts, kills n8n in the middle of their events, and starts it again.
 *
 * @param mayBeKilled whether n8n may be killed while this delivery is in progress
 */
async function crash(
  respond: 'immediately' | 'whenFinished',
  mayBeKilled: (delivery: Delivery) => boolean,
): Promise<CrashResult> {
  const credentialId = await saveEndpoint(n8n, secret);
  const workflow = await TriggeredWorkflow.save(
    n8n,
    credentialId,
    { events: ['post.published'], options: { respond } },
    { next: progress.steps },
  );
  await workflow.publish();
  sandbox.webhooks.add({
    url: workflow.productionUrl.replace(n8n.origin, proxy.origin),
    secret,
    events: ['post.published'],
  });
  sandbox.addPosts(EVENTS, { scheduledAt: new Date().toISOString() });

  await progress.waitForFinished(KILLED_AFTER);
  const inProgress = progress.pauseWork();
  const { deliveries } = sandbox.webhooks;
  await waitFor('No work was in progress', () =>
    deliveries.find((delivery) => inProgress.includes(idOf(delivery)) && mayBeKilled(delivery)),
  );
  const killedAt = new Date().toISOString();
  await n8n.kill();
  progress.resumeWork();
  n8n = await N8nInstance.start({ userFolder });

  await sandbox.webhooks.settled();
  await n8n.api.executionsEnded(workflow.file.id);
  expect(deliveries.map(({ status }) => status)).toEqual(Array(EVENTS).fill('delivered'));
  const executions = await executionsOf(userFolder, workflow.file.id);
  const acknowledged = deliveries.filter(({ attempts }) => attempts.at(-1)!.at <= killedAt);
  return {
    events: deliveries.map(idOf),
    inProgress,
    acknowledged: acknowledged.map(idOf),
    executions,
  };
}

const withStatus = (executions: StoredExecution[], status: string) =>
  executions.filter((execution) => execution.status === status);

/** The IDs that occur more than once. */
const repeated = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) < index);

test('Respond: When Workflow Finishes brings every event to the end at least once', async () => {
  const { events, inProgress, executions } = await crash('whenFinished', () => true);

  expect(new Set(progress.finished)).toEqual(new Set(events));
  // What was being worked on was sent again: the same delivery, by its id.
  expect(repeated(progress.started)).toEqual(expect.arrayContaining(inProgress));
  expect(events).toEqual(expect.arrayContaining(progress.started));
  console.log(
    `When Workflow Finishes: ${EVENTS} events, ${withStatus(executions, 'crashed').length} executions crashed, ` +
      `no event lost, ${repeated(progress.started).length} started twice, ${repeated(progress.finished).length} finished twice`,
  );
});

test('Respond: Immediately can lose what n8n marks as crashed, and nothing else', async () => {
  const { events, inProgress, acknowledged, executions } = await crash(
    'immediately',
    ({ status }) => status === 'delivered',
  );

  const lost = events.filter((id) => !progress.finished.includes(id));
  const crashed = withStatus(executions, 'crashed');
  const succeeded = withStatus(executions, 'success').map(deliveryIdOf);
  expect(crashed.length + succeeded.length).toBe(executions.length);
  expect(crashed.map(deliveryIdOf)).toEqual(expect.arrayContaining(lost));
  expect(acknowledged).toEqual(expect.arrayContaining(lost));
  const killed = inProgress.filter((id) => acknowledged.includes(id));
  expect(killed).not.toEqual([]);
  expect(lost).toEqual(expect.arrayContaining(killed));
  expect(progress.finished).toEqual(expect.arrayContaining(succeeded));
  // n8n has kept the event: "Retry" in its list of executions makes up for the crash.
  const toRetry = crashed.filter((execution) => lost.includes(String(deliveryIdOf(execution))));
  for (const { id } of toRetry) await n8n.api.retryExecution(id);
  expect(new Set(progress.finished)).toEqual(new Set(events));
  console.log(
    `Immediately: ${EVENTS} events, ${crashed.length} executions crashed, ${lost.length} events lost until retried, ` +
      `${repeated(progress.finished).length} finished twice`,
  );
});
