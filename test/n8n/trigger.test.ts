import { createHash, createHmac, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { type EventName, type Sandbox, startSandbox } from '../../sandbox';
import { type DeliveryRequest, send } from '../../scripts/load/send';
import type { Step } from '../../scripts/n8n/chain';
import type { N8nInstance } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { outputOf } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import {
  bitFlips,
  deliveryOf,
  event,
  forgedDeliveries,
  malformedDeliveries,
  secret,
  signed,
  validDeliveries,
} from '../engine/trigger/deliveries';
import { startFreshN8n } from './support/fresh';
import { isSince } from './support/version';
import { DatabaseWatch } from './trigger/database';
import { causeEvent } from './trigger/event-causes';
import { expectedId } from './trigger/executions';
import { startProgressServer } from './trigger/progress-server';
import { saveEndpoint, TRIGGER, triggered, TriggeredWorkflow } from './trigger/workflows';

/** How long nothing is written to a database that is quiet, in milliseconds. */
const QUIET_MS = 500;

/** n8n 1 and 2.0 hand a multipart body that they cannot read on, and the trigger refuses it. */
const unreadable = isSince('2.20') ? 500 : 401;

/** n8n parses a body before the trigger sees it. What it answers where it can't: nothing starts. */
const n8nStatuses: Record<string, number> = {
  'a truncated body, no longer JSON': 422,
  'an extended body, no longer JSON': 422,
  'no JSON, not signed': 422,
  'XML, not signed': 422,
  'JSON under the name of multipart': isSince('2.41') ? 400 : unreadable,
  ...(!isSince('2.35') && { 'a byte order mark': 422 }),
  'gzip that is none': 500,
  'truncated gzip': 500,
  'more than n8n takes in': 500,
  'the content type application/json; charset=iso-8859-1': 422,
  'the content type text/xml': 422,
  'no JSON': 422,
  'UTF-16': 422,
};

const userFolder = join(workDir(), 'trigger');
const kinds = Object.keys(causeEvent) as EventName[];
const contentType = 'application/json; charset=utf-8';
const received = { status: 200, contentType, body: '{"received":true}' };
const unauthorized = { status: 401, contentType, body: '{"error":"Unauthorized"}' };

let n8n: N8nInstance;
let credentialId: string;
let database: DatabaseWatch;

// An n8n of its own: nothing else writes to its database meanwhile.
beforeAll(async () => {
  // Insights write their figures some time after an execution.
  n8n = await startFreshN8n(userFolder, { N8N_DISABLED_MODULES: 'mcp-registry,insights' });
  credentialId = await saveEndpoint(n8n, secret);
  database = new DatabaseWatch(userFolder);
});

afterAll(async () => {
  database?.close();
  await n8n?.stop();
});

const save = (parameters: INodeParameters, following?: Step) =>
  TriggeredWorkflow.save(n8n, credentialId, parameters, following && { next: [following] });

/** The node behind the trigger. */
const next = (type: string, parameters: INodeParameters): Step => ({
  name: 'Next',
  type,
  typeVersion: 1,
  parameters,
});

const publish = async (...options: Parameters<typeof save>) => (await save(...options)).publish();

/** The ids of all executions of a workflow, the latest first, when so many events are acknowledged. */
async function acknowledged(workflow: TriggeredWorkflow, count: number): Promise<string[]> {
  // The execution is there as soon as the answer is. An older n8n answers first.
  if (isSince('2.8')) return await workflow.executionIds();
  return (await workflow.executions(count)).map(({ id }) => id);
}

/** What the trigger emits for a delivery with this body. */
const emitted = (body: Buffer) => ({
  ...(JSON.parse(body.toString()) as typeof event),
  deliveryId: expectedId(body),
});

describe('the events of the service', () => {
  let sandbox: Sandbox;

  beforeAll(async () => {
    sandbox = await startSandbox({ webhookRetry: { baseDelayMs: 50 } });
  });

  afterAll(() => sandbox.close());

  /** Causes one event of each kind, and returns the bodies of the deliveries to a URL. */
  async function causeEvents(kinds: EventName[], url: string): Promise<Buffer[]> {
    const endpoint = sandbox.webhooks.add({ url, secret, events: kinds });
    const before = sandbox.webhooks.deliveries.length;
    for (const kind of kinds) await causeEvent[kind](sandbox);
    await waitFor(
      'The events did not happen',
      () => sandbox.webhooks.deliveries.length >= before + kinds.length || undefined,
    );
    await sandbox.webhooks.settled();
    sandbox.webhooks.remove(endpoint.id);
    const deliveries = sandbox.webhooks.deliveries.slice(before);
    expect(deliveries.map(({ status, attempts }) => [status, attempts.length])).toEqual(
      kinds.map(() => ['delivered', 1]),
    );
    return deliveries.map(({ body }) => body);
  }

  test('all six start a workflow at the production URL, from one output', async () => {
    const workflow = await publish({ events: kinds });

    const bodies = await causeEvents(kinds, workflow.productionUrl);

    const executions = await workflow.executions(6);
    expect(executions.map(({ status }) => status)).toEqual(kinds.map(() => 'success'));
    const expected: unknown = expect.arrayContaining(bodies.map((body) => [[emitted(body)]]));
    expect(executions.map((execution) => triggered(execution))).toEqual(expected);
    expect(executions).toHaveLength(6);
  });

  test('all six start a workflow at the production URL, each from its own output', async () => {
    const workflow = await publish({ events: kinds, outputPerEvent: true });

    const bodies = await causeEvents(kinds, workflow.productionUrl);

    const executions = await workflow.executions(6);
    const expected: unknown = expect.arrayContaining(
      bodies.map(emitted).map((json) => kinds.map((kind) => (kind === json.event ? [json] : []))),
    );
    expect(executions.map((execution) => triggered(execution, 6))).toEqual(expected);
    expect(executions).toHaveLength(6);
  });

  // Which output an event takes is the same at both URLs: one kind shows that it comes through.
  const [one] = kinds;
  test.each([one!])('%s starts a workflow at the test URL, from one output', async (kind) => {
    const workflow = await save({ events: [kind] });
    await workflow.listenForTestEvent();

    const [body] = await causeEvents([kind], workflow.testUrl);

    const [execution] = await workflow.executions(1);
    expect(body && execution && triggered(execution)).toEqual(body && [[emitted(body)]]);
  });

  test.each([one!])('%s starts a workflow at the test URL, from its own output', async (kind) => {
    const workflow = await save({ events: ['another.one', kind], outputPerEvent: true });
    await workflow.listenForTestEvent();

    const [body] = await causeEvents([kind], workflow.testUrl);

    const [execution] = await workflow.executions(1);
    expect(body && execution && triggered(execution, 2)).toEqual(body && [[], [emitted(body)]]);
  });
});

describe('a published workflow for post.published', () => {
  let workflow: TriggeredWorkflow;
  let tables: Record<string, string>;

  beforeAll(async () => {
    workflow = await publish(
      { events: ['post.published'], options: { maxAgeMinutes: 0 } },
      next('n8n-nodes-base.crypto', {
        action: 'hash',
        type: 'SHA256',
        value: '={{ JSON.stringify($json.data) }}',
        dataPropertyName: 'digest',
      }),
    );
    // n8n notes once for each workflow that its trigger was called, whoever called it.
    await send(workflow.productionUrl, deliveryOf(event));
    await workflow.executions(1);
    tables = await quietTables();
  });

  describe('leaves the database alone and', () => {
    afterEach(async () => {
      expect(await database.tables()).toEqual(tables);
    });

    test.each(forgedDeliveries)('refuses %s', async (name, delivery) => {
      const response = await send(workflow.productionUrl, delivery);

      if (name in n8nStatuses) expect(response.status).toBe(n8nStatuses[name]);
      else expect(response).toEqual(unauthorized);
    });

    // Every seventh bit here, every bit in the engine tests.
    test('refuses one flipped bit, wherever it is', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 16 });

      const responses = await Promise.all(
        bitFlips(7).map((delivery) => send(workflow.productionUrl, delivery, agent)),
      );

      agent.destroy();
      expect(responses.length).toBeGreaterThan(150);
      const statuses = new Set(responses.map(({ status }) => status));
      expect(statuses).toEqual(new Set([401, 422]));
    });

    // HTTP itself knows no such headers: n8n's server refuses them before anyone sees them, and may
    // have closed the connection before all of a long one is sent, in which case no answer comes.
    test.each([
      ['a signature with a newline inside', (value: string) => value.replace('=', '=\n'), '400 '],
      ['a folded signature', (value: string) => value.replace('=', '=\r\n '), '400 '],
      ['a signature with a NUL', (value: string) => `${value}\0`, '400 '],
      ['a signature of 20 kB', (value: string) => value.padEnd(20_000, '0'), '431 '],
      ['a signature of 1 MB', (value: string) => value.padEnd(1_000_000, '0'), '(431 |$)'],
    ])('is not even reached by %s', async (_, change, status) => {
      const { headers, body } = deliveryOf(event);
      const signature = change(String(headers['X-Service-Signature']));

      expect(await sendRaw(workflow.productionUrl, signature, body)).toMatch(
        new RegExp(`^(HTTP/1\\.1 )?${status}`),
      );
    });

    test.each(malformedDeliveries)('refuses signed %s', async (name, delivery, named) => {
      const response = await send(workflow.productionUrl, delivery);

      if (name in n8nStatuses) {
        expect(response.status).toBe(n8nStatuses[name]);
        return;
      }
      expect(response).toMatchObject({ status: 400, contentType });
      expect(JSON.parse(response.body)).toEqual({
        error: expect.stringContaining(named) as string,
      });
    });

    test.each(['post.failed', 'inbox.new', 'never.heard.of'])(
      'acknowledges %s, which was not chosen',
      async (name) => {
        const delivery = deliveryOf({ ...event, event: name });
        expect(await send(workflow.productionUrl, delivery)).toEqual(received);
      },
    );
  });

  test.each(validDeliveries.filter(([name]) => name in n8nStatuses))(
    'does not see %s, which n8n cannot parse',
    async (name, delivery) => {
      const before = await workflow.executionIds();

      expect(await send(workflow.productionUrl, delivery)).toMatchObject({
        status: n8nStatuses[name],
      });
      expect(await workflow.executionIds()).toEqual(before);
    },
  );

  const parsed = validDeliveries.filter(([name]) => !(name in n8nStatuses));
  test.each(parsed)('starts with %s', async (_, delivery, expected) => {
    const before = await workflow.executionIds();

    expect(await send(workflow.productionUrl, delivery)).toEqual(received);

    const [id, ...others] = await acknowledged(workflow, before.length + 1);
    expect(others).toEqual(before);
    const execution = await n8n.api.finishedExecution(String(id));
    expect(execution.status).toBe('success');
    const { data, ...envelope } = expected;
    expect(triggered(execution)).toMatchObject([[envelope]]);
    // Computed in the workflow: n8n shows the data of 10 MB with damaged emoji.
    const digest = createHash('sha256').update(JSON.stringify(data)).digest('hex');
    expect(outputOf(execution, 'Next')[0]?.json['digest']).toBe(digest);
  });

  // HTTP takes blanks around a header's value for no part of it, and n8n's server takes them off.
  test('starts with blanks around the signature', async () => {
    const { headers, body } = deliveryOf(event);
    const blanks = {
      ...headers,
      'X-Service-Signature': ` ${String(headers['X-Service-Signature'])} `,
    };

    expect(await send(workflow.productionUrl, { headers: blanks, body })).toEqual(received);
  });
});

// Nothing else in the package has this version: somebody wrote the workflow by hand.
test('in a workflow that says version 1, the same starts', async () => {
  const workflow = await TriggeredWorkflow.save(
    n8n,
    credentialId,
    { events: ['post.published'] },
    { typeVersion: 1 },
  ).then((saved) => saved.publish());
  const { headers, body } = deliveryOf(event);

  const forged = await send(workflow.productionUrl, {
    headers,
    body: Buffer.concat([body, Buffer.from(' ')]),
  });

  expect(forged).toEqual(unauthorized);
  expect(await send(workflow.productionUrl, { headers, body })).toEqual(received);
  expect(await workflow.executions(1)).toHaveLength(1);
});

describe('a test run', () => {
  const { headers, body } = deliveryOf(event);

  test('goes on until a selected event comes', async () => {
    const workflow = await save({ events: ['post.published'] });
    await workflow.listenForTestEvent();

    expect(await send(workflow.testUrl, deliveryOf({ ...event, event: 'inbox.new' }))).toEqual(
      received,
    );
    expect(await workflow.executionIds()).toEqual([]);
    expect(await send(workflow.testUrl, { headers, body })).toEqual(received);

    const [execution] = await workflow.executions(1);
    expect(execution && triggered(execution)).toEqual([[emitted(body)]]);
  });

  test.each<[string, DeliveryRequest, { status: number }, string]>([
    ['a wrong signature', { headers, body: Buffer.from('{}') }, unauthorized, 'wronglySigned'],
    ['no signature', { headers: {}, body }, unauthorized, 'notSigned'],
    ['a signed body that is no event', signed('[]'), { status: 400 }, 'notAnObject'],
  ])('ends with %s and says so, and no other node runs', async (_, delivery, response, code) => {
    const workflow = await save({ events: ['post.published'] });
    await workflow.listenForTestEvent();

    expect(await send(workflow.testUrl, delivery)).toMatchObject(response);

    // n8n 1.x stores the error first, and what has run a moment later.
    const execution = await waitFor('n8n did not store what has run', async () => {
      const [stored] = await workflow.executions(1);
      return Object.keys(stored?.data.resultData.runData ?? {}).length > 0 ? stored : undefined;
    });
    expect(execution.status).toBe('error');
    expect(execution.data.resultData.error).toMatchObject({
      context: { code },
      message: expect.stringMatching(/\w/) as string,
      description: expect.stringMatching(/\w/) as string,
    });
    expect(Object.keys(execution.data.resultData.runData)).toEqual([TRIGGER]);
    expect(triggered(execution)).toEqual([[]]);
    expect(execution.raw).not.toContain(secret);

    await workflow.noTestListens();
    await workflow.listenForTestEvent();
    expect(await send(workflow.testUrl, { headers, body })).toEqual(received);
    expect(await workflow.executions(2)).toMatchObject([{ status: 'success' }, {}]);
  });
});

test('an event that is too old is refused and recorded nowhere', async () => {
  const workflow = await publish({ events: ['post.published'], options: { maxAgeMinutes: 60 } });
  const aged = (minutes: number) =>
    deliveryOf({ ...event, timestamp: new Date(Date.now() - minutes * 60_000).toISOString() });

  const old = await send(workflow.productionUrl, aged(90));
  const early = await send(workflow.productionUrl, aged(-90));

  expect(old).toMatchObject({ status: 400 });
  expect(old.body).toMatch(/timestamp.* 60 minutes /);
  expect(early).toMatchObject({ status: 400 });
  expect(early.body).toMatch(/timestamp.* 60 minutes /);
  expect(await workflow.executionIds()).toEqual([]);
  expect(await send(workflow.productionUrl, aged(30))).toEqual(received);
  expect(await workflow.executions(1)).toHaveLength(1);
});

test('other events come out of the last output', async () => {
  const workflow = await publish({
    events: ['inbox.new'],
    outputPerEvent: true,
    options: { otherEvents: true },
  });
  const { headers, body } = deliveryOf({ ...event, event: 'never.heard.of' });

  expect(await send(workflow.productionUrl, { headers, body })).toEqual(received);

  const [execution] = await workflow.executions(1);
  expect(execution && triggered(execution, 2)).toEqual([[], [emitted(body)]]);
});

describe('when it responds after the workflow has finished', () => {
  const options = { respond: 'whenFinished' };

  test('a good run is acknowledged, without data of the workflow', async () => {
    const workflow = await publish(
      { events: ['post.published'], options },
      next('n8n-nodes-base.set', {
        values: { string: [{ name: 'private', value: 'data' }] },
        options: {},
      }),
    );

    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual(received);

    const [execution] = await workflow.executions(1);
    expect(execution?.status).toBe('success');
    expect(execution?.raw).toContain('private');
  });

  test('a failed run is not acknowledged, and the reason stays inside', async () => {
    const workflow = await publish(
      { events: ['post.published'], options },
      next('n8n-nodes-base.stopAndError', { errorMessage: 'private reason' }),
    );

    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual({
      status: 500,
      contentType,
      body: '{"message":"Error in workflow"}',
    });

    const [execution] = await workflow.executions(1);
    expect(execution?.status).toBe('error');
    expect(execution?.data.resultData.error?.message).toBe('private reason');
  });

  test('a service that sends again makes up for a failed run', async () => {
    const sandbox = await startSandbox({ webhookRetry: { baseDelayMs: 50, attempts: 3 } });
    const workflow = await publish(
      { events: ['inbox.new'], options },
      next('n8n-nodes-base.stopAndError', { errorMessage: 'not today' }),
    );
    sandbox.webhooks.add({ url: workflow.productionUrl, secret });

    const [delivery] = await sandbox.webhooks.emit('inbox.new', { messageId: 1 });
    await sandbox.close();

    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500]);
    const executions = await workflow.executions(3);
    const ids = executions.map((execution) => triggered(execution)[0]?.[0]?.['deliveryId']);
    expect(ids).toEqual(Array(3).fill(delivery && emitted(delivery.body).deliveryId));
  });
});

describe('with Drop Repeats', () => {
  const fail = next('n8n-nodes-base.stopAndError', { errorMessage: 'not today' });
  const copies = (url: string, delivery: DeliveryRequest) =>
    Promise.all(Array.from({ length: 20 }, () => send(url, delivery)));
  const notSelected = deliveryOf({ ...event, event: 'inbox.new' });
  /** A delivery that no other test sends. */
  const newDelivery = () => deliveryOf({ ...event, data: { postId: randomUUID() } });

  test.each(['immediately', 'whenFinished'])(
    'of 20 copies at once one starts a run, and all get 200 (%s)',
    async (respond) => {
      const workflow = await publish({
        events: ['post.published'],
        options: { dropRepeats: true, respond },
      });
      const delivery = newDelivery();

      expect(await copies(workflow.productionUrl, delivery)).toEqual(Array(20).fill(received));
      expect(await send(workflow.productionUrl, delivery)).toEqual(received);

      expect(await send(workflow.productionUrl, newDelivery())).toEqual(received);
      expect(await workflow.executions(2)).toHaveLength(2);
    },
  );

  test('the failure of a run goes to all copies, and the next copy runs', async () => {
    const progress = await startProgressServer();
    const workflow = await TriggeredWorkflow.save(
      n8n,
      credentialId,
      { events: ['post.published'], options: { dropRepeats: true, respond: 'whenFinished' } },
      { next: [...progress.steps.slice(0, 1), fail] },
    ).then((saved) => saved.publish());
    const delivery = newDelivery();
    const paused = progress.pauseWork();

    const responses = copies(workflow.productionUrl, delivery);
    await waitFor('No run started', () => paused.length > 0 || undefined);
    // A later delivery that starts nothing: once it is answered, the copies sent before it are waiting.
    expect(await send(workflow.productionUrl, notSelected)).toEqual(received);
    progress.resumeWork();

    expect((await responses).map(({ status }) => status)).toEqual(Array(20).fill(500));
    expect(await workflow.executions(1)).toHaveLength(1);
    expect(await send(workflow.productionUrl, delivery)).toMatchObject({ status: 500 });
    expect(await workflow.executions(2)).toHaveLength(2);
    await progress.close();
  });

  test('a test run never drops', async () => {
    const workflow = await save({ events: ['post.published'], options: { dropRepeats: true } });
    const delivery = newDelivery();

    for (const count of [1, 2, 3]) {
      await workflow.listenForTestEvent();
      expect(await send(workflow.testUrl, delivery)).toEqual(received);
      await workflow.executions(count);
      await workflow.noTestListens();
    }

    await workflow.publish();
    expect(await send(workflow.productionUrl, delivery)).toEqual(received);
    expect(await workflow.executions(4)).toHaveLength(4);
  });
});

describe('the credential', () => {
  test.each([
    [
      'a secret',
      'whsec_1',
      'OK',
      'A secret is set. The first event will show whether it is correct.',
    ],
    [
      'no secret',
      '',
      'Error',
      "The Webhook Secret is blank. Copy it from the service's dashboard under Settings, Webhooks.",
    ],
    [
      'a secret with a line break',
      'whsec_1\n',
      'Error',
      'The Webhook Secret begins or ends with a space or a line break. Remove it.',
    ],
    [
      'another secret with a space',
      'whsec_1',
      'Error',
      'Line 2 of Other Secrets begins or ends with a space. Remove it.',
      'whsec_2\nwhsec_3 ',
    ],
  ])(
    'is tested by the trigger: %s',
    async (name, webhookSecret, status, message, otherSecrets = '') => {
      const id = await saveEndpoint(n8n, webhookSecret, name, otherSecrets);

      expect(
        await n8n.api.testCredential(id, {
          name,
          type: 'socialPublishingWebhookApi',
          data: { webhookSecret, otherSecrets },
        }),
      ).toEqual({ status, message });
    },
  );

  test('with a blank secret lets no test begin', async () => {
    const id = await saveEndpoint(n8n, ' ', 'Blank');
    const workflow = await TriggeredWorkflow.save(n8n, id, { events: ['post.published'] });

    await expect(workflow.listenForTestEvent()).rejects.toThrow('The Webhook Secret is blank');
  });

  test('verifies with any of several secrets, and from one delivery to the next with new ones', async () => {
    const id = await saveEndpoint(n8n, 'whsec_main', 'Several', `whsec_2\n\n${secret}\n`);
    const workflow = await TriggeredWorkflow.save(n8n, id, { events: ['post.published'] });
    await workflow.publish();
    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual(received);
    expect(await send(workflow.productionUrl, signedWithNothing())).toEqual(unauthorized);

    await saveEndpoint(n8n, 'whsec_main', 'Several', 'whsec_2');

    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual(unauthorized);
    expect(await workflow.executions(1)).toHaveLength(1);
  });

  test('whose secret is taken away verifies nothing any more', async () => {
    const id = await saveEndpoint(n8n, secret, 'Passing');
    const workflow = await TriggeredWorkflow.save(n8n, id, { events: ['post.published'] });
    await workflow.publish();
    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual(received);
    await workflow.executions(1);

    await saveEndpoint(n8n, '', 'Passing');

    expect(await send(workflow.productionUrl, deliveryOf(event))).toEqual(unauthorized);
    expect(await send(workflow.productionUrl, signedWithNothing())).toEqual(unauthorized);
    expect(await workflow.executionIds()).toHaveLength(1);
  });
});

/** What the database holds once nothing has been written to it for some time. */
async function quietTables(): Promise<Record<string, string>> {
  let before: string | undefined;
  return await waitFor('The database was not quiet', async () => {
    await delay(QUIET_MS);
    const tables = await database.tables();
    const isQuiet = JSON.stringify(tables) === before;
    before = JSON.stringify(tables);
    return isQuiet ? tables : undefined;
  });
}

/**
 * Sends a delivery whose signature Node's own client would not send, and reads the answer. The body
 * follows once n8n has had the head, or has given up on it.
 */
async function sendRaw(url: string, signature: string, body: Buffer): Promise<string> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
    `X-Service-Signature: ${signature}`,
  ];
  // n8n may close the connection before all of it is sent; what it answered is there nevertheless.
  socket.on('error', () => undefined);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.end(`${head.join('\r\n')}\r\n\r\n${body.toString()}`);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** The event, signed with an empty secret. */
function signedWithNothing() {
  const { body } = deliveryOf(event);
  const value = createHmac('sha256', '').update(body).digest('hex');
  return { headers: { 'X-Service-Signature': `sha256=${value}` }, body };
}
