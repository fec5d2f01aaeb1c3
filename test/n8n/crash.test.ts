import { join } from 'node:path';

import { startSandbox, type Delivery, type Sandbox } from '../../sandbox';
import { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { waitFor } from '../../scripts/n8n/wait-for';
import { startFreshN8n } from './support/fresh';
import { deliveryIdOf, executionsOf, expectedId, type StoredExecution } from './trigger/executions';
import { openGate, type Gate } from './trigger/gate';
import { openWitness, type Witness } from './trigger/witness';
import { saveEndpoint, TriggeredWorkflow } from './trigger/workflows';

const EVENTS = 500;

/** How many events have come to the end of the workflow when n8n is killed. */
const KILLED_AFTER = 150;

const userFolder = join(workDir(), 'crash');
const secret = 'whsec_crash';

let n8n: N8nInstance;
let sandbox: Sandbox;
let witness: Witness;
let gate: Gate;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

beforeEach(async () => {
  sandbox = await startSandbox({ webhookRetry: { baseDelayMs: 500, attempts: 10 } });
  witness = await openWitness();
  gate = await openGate(() => n8n.origin);
});

afterEach(async () => {
  await sandbox.close();
  await gate.close();
  await witness.close();
});

afterAll(() => n8n?.stop());

/** What has become of all the events, once none is to be delivered and nothing runs any more. */
interface Aftermath {
  /** The id of the delivery of each event. */
  events: string[];
  /** The ids of the deliveries whose work was under way when n8n was killed. */
  held: string[];
  /** The ids of the deliveries that the n8n which was killed had acknowledged. */
  acknowledged: string[];
  executions: StoredExecution[];
}

const idOf = ({ body }: Delivery) => expectedId(body);

/**
 * Has the sandbox publish posts, kills n8n in the middle of their events, and starts it again.
 *
 * @param mayBeKilled whether this delivery, whose work is under way, is one to be killed with
 */
async function crash(
  respond: 'immediately' | 'whenFinished',
  mayBeKilled: (delivery: Delivery) => boolean,
): Promise<Aftermath> {
  const credentialId = await saveEndpoint(n8n, secret);
  const workflow = await TriggeredWorkflow.save(
    n8n,
    credentialId,
    { events: ['post.published'], options: { respond } },
    { next: witness.steps },
  );
  await workflow.publish();
  sandbox.webhooks.add({
    url: workflow.productionUrl.replace(n8n.origin, gate.origin),
    secret,
    events: ['post.published'],
  });
  sandbox.addPosts(EVENTS, { scheduledAt: new Date().toISOString() });

  await witness.sawEnds(KILLED_AFTER);
  const held = witness.holdWork();
  const { deliveries } = sandbox.webhooks;
  await waitFor('There was no work to be killed', () =>
    deliveries.find((delivery) => held.includes(idOf(delivery)) && mayBeKilled(delivery)),
  );
  const killedAt = new Date().toISOString();
  await n8n.kill();
  witness.letWork();
  n8n = await N8nInstance.start({ userFolder });

  await sandbox.webhooks.settled();
  await n8n.api.executionsEnded(workflow.file.id);
  expect(deliveries.map(({ status }) => status)).toEqual(Array(EVENTS).fill('delivered'));
  const executions = await executionsOf(userFolder, workflow.file.id);
  const acknowledged = deliveries.filter(({ attempts }) => attempts.at(-1)!.at <= killedAt);
  return { events: deliveries.map(idOf), held, acknowledged: acknowledged.map(idOf), executions };
}

const withStatus = (executions: StoredExecution[], status: string) =>
  executions.filter((execution) => execution.status === status);

/** The ids that are there more than once. */
const doubles = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) < index);

test('Respond: When Workflow Finishes brings every event to the end at least once', async () => {
  const { events, held, executions } = await crash('whenFinished', () => true);

  expect(new Set(witness.ended)).toEqual(new Set(events));
  // What was being worked on was sent again: the same delivery, by its id.
  expect(doubles(witness.began)).toEqual(expect.arrayContaining(held));
  expect(events).toEqual(expect.arrayContaining(witness.began));
  console.log(
    `When Workflow Finishes: ${EVENTS} events, ${withStatus(executions, 'crashed').length} executions crashed, ` +
      `no event lost, ${doubles(witness.began).length} begun twice, ${doubles(witness.ended).length} ended twice`,
  );
});

test('Respond: Immediately can lose what n8n marks as crashed, and nothing else', async () => {
  const { events, held, acknowledged, executions } = await crash(
    'immediately',
    ({ status }) => status === 'delivered',
  );

  const lost = events.filter((id) => !witness.ended.includes(id));
  const crashed = withStatus(executions, 'crashed');
  const succeeded = withStatus(executions, 'success').map(deliveryIdOf);
  expect(crashed.length + succeeded.length).toBe(executions.length);
  expect(crashed.map(deliveryIdOf)).toEqual(expect.arrayContaining(lost));
  expect(acknowledged).toEqual(expect.arrayContaining(lost));
  const killed = held.filter((id) => acknowledged.includes(id));
  expect(killed).not.toEqual([]);
  expect(lost).toEqual(expect.arrayContaining(killed));
  expect(witness.ended).toEqual(expect.arrayContaining(succeeded));
  // n8n has kept the event: "Retry" in its list of executions makes up for the crash.
  const toRetry = crashed.filter((execution) => lost.includes(String(deliveryIdOf(execution))));
  for (const { id } of toRetry) await n8n.api.retryExecution(id);
  expect(new Set(witness.ended)).toEqual(new Set(events));
  console.log(
    `Immediately: ${EVENTS} events, ${crashed.length} executions crashed, ${lost.length} events lost until retried, ` +
      `${doubles(witness.ended).length} ended twice`,
  );
});
