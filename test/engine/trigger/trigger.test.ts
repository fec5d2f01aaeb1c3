import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';

import type { NodeOperationError } from 'n8n-workflow';

import { SocialPublishingTrigger } from '../../../nodes/SocialPublishingTrigger/SocialPublishingTrigger.node';
import { samples } from '../../../sandbox/samples';
import { type DeliveryRequest, send } from '../../../scripts/load/send';
import { readLog, testCredential } from '../harness';
import {
  bitFlips,
  deliveryOf,
  event,
  forgedDeliveries,
  malformedDeliveries,
  secret,
  signed,
  validDeliveries,
} from './deliveries';
import { type Published, Receiver } from './receiver';

const unauthorized = {
  status: 401,
  contentType: 'application/json',
  body: '{"error":"Unauthorized"}',
};
const received = { status: 200, contentType: 'application/json', body: '{"received":true}' };

const nodeFolder = join(__dirname, '../../../nodes/SocialPublishingTrigger');

interface Schema {
  type: string;
  properties?: Record<string, Schema>;
}

/** The names and types in a schema. */
const described = ({ type, properties }: Schema): unknown =>
  properties === undefined
    ? type
    : Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, described(one)]));

/** The names and types in a value. */
const shapeOf = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
    : typeof value;
};

let receiver: Receiver;

async function publish(
  parameters: Published['parameters'],
  webhookSecret?: string,
  more: Pick<Published, 'otherSecrets' | 'mode'> = {},
) {
  receiver = await Receiver.start({
    parameters,
    ...(webhookSecret !== undefined && { webhookSecret }),
    ...more,
  });
}

afterEach(async () => {
  await receiver.close();
  expect(receiver.thrown).toEqual([]);
});

describe('a trigger for post.published', () => {
  beforeEach(() => publish({ events: ['post.published'] }, secret));

  test('emits the envelope and the id of the delivery', async () => {
    expect(await send(receiver.url, deliveryOf(event))).toEqual(received);

    expect(receiver.started).toEqual([
      [
        [
          {
            json: {
              ...event,
              deliveryId: '7f524ff685c5f406cf383cfd1c1994f997c71ab2e66b64415b72598a2184e0ab',
            },
          },
        ],
      ],
    ]);
  });

  test.each(validDeliveries)('accepts %s', async (_, delivery, expected) => {
    expect(await send(receiver.url, delivery)).toEqual(received);

    expect(receiver.started).toMatchObject([[[{ json: expected }]]]);
  });

  test.each(forgedDeliveries)('refuses %s', async (_, delivery) => {
    expect(await send(receiver.url, delivery)).toEqual(unauthorized);

    expect(receiver.started).toEqual([]);
  });

  test('refuses one flipped bit, wherever it is', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const deliveries = bitFlips();
    expect(deliveries.length).toBeGreaterThan(1_000);

    const responses = await Promise.all(
      deliveries.map((delivery) => send(receiver.url, delivery, agent)),
    );
    agent.destroy();

    expect(responses.filter(({ status }) => status !== 401)).toEqual([]);
    expect(receiver.started).toEqual([]);
  });

  test.each(malformedDeliveries)('refuses signed %s with 400', async (_, delivery, named) => {
    const { status, contentType, body } = await send(receiver.url, delivery);

    expect([status, contentType]).toEqual([400, 'application/json']);
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining(named) as string });

    expect(receiver.started).toEqual([]);
  });

  test.each(['post.failed', 'never.heard.of', 'other', 'constructor', '__proto__'])(
    'acknowledges %s and starts nothing',
    async (name) => {
      expect(await send(receiver.url, deliveryOf({ ...event, event: name }))).toEqual(received);

      expect(receiver.started).toEqual([]);
    },
  );

  test('accepts an event of any age', async () => {
    const old = { ...event, timestamp: '1999-12-31T23:59:59.999Z' };

    expect(await send(receiver.url, deliveryOf(old))).toEqual(received);

    expect(receiver.started).toHaveLength(1);
  });

  test('lets n8n respond with what the trigger returns, once the execution is recorded', () => {
    expect(receiver.trigger.evaluate('responseMode')).toBe('onReceived');
    expect(receiver.trigger.evaluate('responseData')).toBe('');
  });

  test('becomes active', async () => {
    expect(await receiver.trigger.activate()).toBe(true);
  });
});

describe('the secret', () => {
  beforeEach(() => publish({ events: ['post.published'] }, secret));

  test('is read once for all deliveries that come in meanwhile', async () => {
    let provideSecret: () => void = () => undefined;
    receiver.secretAvailable = new Promise((resolve) => (provideSecret = resolve));
    const good = Array.from({ length: 5 }, () => send(receiver.url, deliveryOf(event)));
    const forged = { ...deliveryOf(event), body: Buffer.from('{}') };
    const bad = Array.from({ length: 5 }, () => send(receiver.url, forged));
    await receiver.received(10);

    provideSecret();

    expect(await Promise.all(good)).toEqual(Array(5).fill(received));
    expect(await Promise.all(bad)).toEqual(Array(5).fill(unauthorized));
    expect(receiver.started).toHaveLength(5);
    expect(receiver.secretReads).toBe(1);
  });

  test('is read again for the next delivery', async () => {
    for (const count of [1, 2, 3]) {
      await send(receiver.url, deliveryOf(event));
      expect(receiver.secretReads).toBe(count);
    }
  });

  test('is not read for a delivery without a signature', async () => {
    expect(await send(receiver.url, { headers: {}, body: Buffer.from('{}') })).toEqual(
      unauthorized,
    );
    expect(receiver.secretReads).toBe(0);
  });
});

test('the output schema describes what the trigger emits', async () => {
  await publish({ events: ['post.published'] }, secret);
  const [{ data, timestamp }] = samples['post.published'].pinData;

  await send(receiver.url, deliveryOf({ event: 'post.published', data, timestamp }));

  const [[[item] = []] = []] = receiver.started;
  const { version } = new SocialPublishingTrigger().description;
  // n8n looks for a file of exactly the node's version.
  const file = join(nodeFolder, '__schema__', `v${String(version)}.0.json`);
  expect(shapeOf(item?.json)).toEqual(described(JSON.parse(readFileSync(file, 'utf8')) as Schema));
});

test('a repeated delivery has the same ID, a different one has another', async () => {
  await publish({ events: ['post.published'] }, secret);
  const later = { ...event, timestamp: '2026-11-21T09:30:00.001Z' };

  for (const content of [event, event, later]) await send(receiver.url, deliveryOf(content));

  const ids = receiver.started.map(([items]) => items?.[0]?.json['deliveryId']);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).toBe(createHash('sha256').update(JSON.stringify(later)).digest('hex'));
  expect(ids[2]).not.toBe(ids[0]);
});

describe('with an output per event', () => {
  const events = ['post.published', 'inbox.new'];
  const deliver = (name: string) => send(receiver.url, deliveryOf({ ...event, event: name }));
  const item = (name: string): unknown => [{ json: { event: name } }];

  test('the outputs are named after the selected events', async () => {
    await publish({ events, outputPerEvent: true }, secret);

    expect(receiver.trigger.outputs).toEqual([
      { type: 'main', displayName: 'Published' },
      { type: 'main', displayName: 'Inbox' },
    ]);
    await deliver('inbox.new');
    await deliver('post.published');
    await deliver('agent.error');
    expect(receiver.started).toMatchObject([
      [[], item('inbox.new')],
      [item('post.published'), []],
    ]);
  });

  test('other events use the last one', async () => {
    await publish({ events, outputPerEvent: true, options: { otherEvents: true } }, secret);

    expect(receiver.trigger.outputs).toEqual([
      { type: 'main', displayName: 'Published' },
      { type: 'main', displayName: 'Inbox' },
      { type: 'main', displayName: 'Other' },
    ]);
    await deliver('agent.error');
    await deliver('inbox.new');
    await deliver('brand.new');
    expect(receiver.started).toMatchObject([
      [[], [], item('agent.error')],
      [[], item('inbox.new'), []],
      [[], [], item('brand.new')],
    ]);
  });
});

test('without an output per event, other events use the only one', async () => {
  await publish({ events: ['inbox.new'], options: { otherEvents: true } }, secret);

  expect(receiver.trigger.outputs).toEqual([{ type: 'main' }]);
  await send(receiver.url, deliveryOf({ ...event, event: 'brand.new' }));
  expect(receiver.started).toMatchObject([[[{ json: { event: 'brand.new' } }]]]);
});

describe('with a maximum age', () => {
  const deliver = (minutesFromNow: number) => {
    const timestamp = new Date(Date.now() + minutesFromNow * 60_000).toISOString();
    return send(receiver.url, deliveryOf({ ...event, timestamp }));
  };
  beforeEach(() => publish({ events: ['post.published'], options: { maxAgeMinutes: 60 } }, secret));

  test.each([0, -30, 30])(
    'accepts an event with a timestamp %i minutes from now',
    async (minutes) => {
      expect(await deliver(minutes)).toEqual(received);
      expect(receiver.started).toHaveLength(1);
    },
  );

  test.each([-90, 90])('refuses an event with a timestamp %i minutes from now', async (minutes) => {
    const { status, body } = await deliver(minutes);

    expect(status).toBe(400);
    expect(body).toMatch(/timestamp.* 60 minutes /);
    expect(receiver.started).toEqual([]);
  });

  test('acknowledges an old event that is not selected', async () => {
    expect(await send(receiver.url, deliveryOf({ ...event, event: 'inbox.new' }))).toEqual(
      received,
    );
    expect(receiver.started).toEqual([]);
  });
});

describe('when it responds after the workflow has finished', () => {
  beforeEach(() =>
    publish({ events: ['post.published'], options: { respond: 'whenFinished' } }, secret),
  );

  test('n8n waits for the end and responds without workflow data', () => {
    expect(receiver.trigger.evaluate('responseMode')).toBe('lastNode');
    expect(receiver.trigger.evaluate('responseData')).toBe('noData');
  });

  test('the empty response of n8n becomes the usual one', async () => {
    expect(await send(receiver.url, deliveryOf(event))).toEqual(received);
  });

  test('an event that starts no run gets its response at once', async () => {
    expect(await send(receiver.url, deliveryOf({ ...event, event: 'inbox.new' }))).toEqual(
      received,
    );
    expect(await send(receiver.url, signed('[]'))).toMatchObject({ status: 400 });
  });
});

describe('without a secret', () => {
  const delivery = deliveryOf(event);

  test.each([
    ['blank', '', { context: { code: 'blankSecret' } }],
    ['all blanks', ' \n', { context: { code: 'blankSecret' } }],
    ['missing', undefined, { message: 'Node does not have any credentials set' }],
  ])(
    '(%s) nothing is accepted, and the workflow does not become active',
    async (_, blank, problem) => {
      await publish({ events: ['post.published'] }, blank);

      expect(await send(receiver.url, delivery)).toEqual(unauthorized);
      expect(receiver.started).toEqual([]);
      await expect(receiver.trigger.activate()).rejects.toMatchObject(problem);
    },
  );
});

describe('with other secrets', () => {
  const deliveryBy = (key: string) => {
    const { headers, body } = deliveryOf(event);
    const digest = createHmac('sha256', key).update(body).digest('hex');
    return { headers: { ...headers, 'X-Service-Signature': `sha256=${digest}` }, body };
  };

  test.each([
    ['the Webhook Secret', secret],
    ['the first line', 'whsec_second'],
    ['the last line', 'whsec_third'],
  ])('accepts what is signed with %s', async (_, key) => {
    await publish({ events: ['post.published'] }, secret, {
      otherSecrets: 'whsec_second\r\n\n  \nwhsec_third\n',
    });

    expect(await send(receiver.url, deliveryBy(key))).toEqual(received);
    expect(receiver.started).toHaveLength(1);
    expect(receiver.secretReads).toBe(1);
  });

  test.each([
    ['another secret', 'whsec_fourth'],
    ['an empty line', ''],
    ['a blank line', '  '],
    ['all lines together', 'whsec_second\n\n  \nwhsec_third\n'],
  ])('refuses what is signed with %s', async (_, key) => {
    await publish({ events: ['post.published'] }, secret, {
      otherSecrets: 'whsec_second\n\n  \nwhsec_third\n',
    });

    expect(await send(receiver.url, deliveryBy(key))).toEqual(unauthorized);
    expect(receiver.started).toEqual([]);
  });

  test('refuses to publish more than 50, and logs why it verifies none beyond', async () => {
    const otherSecrets = Array.from({ length: 51 }, (_, index) => `whsec_${index}`).join('\n');
    await publish({ events: ['post.published'] }, secret, { otherSecrets });

    const problem = (await receiver.trigger
      .activate()
      .catch((error: unknown) => error)) as NodeOperationError;

    expect(problem.context.code).toBe('tooManySecrets');
    expect(await send(receiver.url, deliveryBy('whsec_49'))).toEqual(received);
    expect(await send(receiver.url, deliveryBy('whsec_50'))).toEqual(unauthorized);
    expect(await readLog()).toContain(problem.message);
  });
});

describe('with Drop Repeats', () => {
  const drop = { events: ['post.published'], options: { dropRepeats: true } };
  const failed = { status: 500, contentType: 'application/json' };
  /** A delivery that no other test sends. */
  const newDelivery = () => deliveryOf({ ...event, data: { postId: randomUUID() } });
  const deliver = (delivery: DeliveryRequest) => send(receiver.url, delivery);

  test('a delivery that was accepted starts nothing', async () => {
    await publish(drop, secret);
    const [first, second] = [newDelivery(), newDelivery()];

    for (const delivery of [first, first, second, first, second]) {
      expect(await deliver(delivery)).toEqual(received);
    }

    expect(receiver.started).toHaveLength(2);
  });

  test('of 20 copies at once, one starts a run and all get 200', async () => {
    await publish(drop, secret);
    const delivery = newDelivery();

    const responses = await Promise.all(Array.from({ length: 20 }, () => deliver(delivery)));

    expect(responses).toEqual(Array(20).fill(received));
    expect(receiver.started).toHaveLength(1);
  });

  test.each(['immediately', 'whenFinished'])(
    'copies wait for the first one, whose failure goes to all, and the next one starts (%s)',
    async (respond) => {
      await publish({ ...drop, options: { ...drop.options, respond } }, secret);
      const delivery = newDelivery();
      let failRun: (reason: Error) => void = () => undefined;
      receiver.run = () => new Promise((_, reject) => (failRun = reject));
      let responded = 0;
      const copies = Array.from({ length: 20 }, () =>
        deliver(delivery).finally(() => (responded += 1)),
      );
      await receiver.received(20);
      while (receiver.started.length === 0) await setTimeout(1);
      await setTimeout(50);
      expect(responded).toBe(0);

      failRun(new Error('The run failed'));

      const responses = await Promise.all(copies);
      expect(responses).toMatchObject(Array(20).fill(failed));
      expect(responses.filter(({ body }) => body.includes('"error":'))).toHaveLength(19);
      expect(receiver.started).toHaveLength(1);
      receiver.run = () => Promise.resolve();
      expect(await deliver(delivery)).toEqual(received);
      expect(await deliver(delivery)).toEqual(received);
      expect(receiver.started).toHaveLength(2);
    },
  );

  test('a sender that hangs up does not start a second run', async () => {
    await publish({ ...drop, options: { ...drop.options, respond: 'whenFinished' } }, secret);
    const delivery = newDelivery();
    let finishRun: () => void = () => undefined;
    receiver.run = () => new Promise((resolve) => (finishRun = resolve));
    const agent = new Agent();
    const first = send(receiver.url, delivery, agent);
    while (receiver.started.length === 0) await setTimeout(1);
    agent.destroy();
    await expect(first).rejects.toThrow();

    const copy = deliver(delivery);
    await receiver.received(2);
    finishRun();

    expect(await copy).toEqual(received);
    expect(receiver.started).toHaveLength(1);
  });

  test('a copy gets 200 even when it is older than the maximum age', async () => {
    const aged = {
      events: ['post.published'],
      options: { dropRepeats: true, maxAgeMinutes: 5 },
    };
    await publish(aged, secret);
    const timestamp = new Date().toISOString();
    const delivery = deliveryOf({ ...event, data: { postId: randomUUID() }, timestamp });
    expect(await deliver(delivery)).toEqual(received);
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 6 * 60_000);

    expect(await deliver(delivery)).toEqual(received);
    expect(await deliver(deliveryOf({ ...event, data: {}, timestamp }))).toMatchObject({
      status: 400,
    });
    expect(receiver.started).toHaveLength(1);
  });

  test('what is refused as too old is not remembered as accepted', async () => {
    const aged = { events: ['post.published'], options: { dropRepeats: true, maxAgeMinutes: 5 } };
    await publish(aged, secret);
    const delivery = newDelivery();

    expect(await deliver(delivery)).toMatchObject({ status: 400 });
    expect(await deliver(delivery)).toMatchObject({ status: 400 });
  });

  test('a test run never drops, and is not remembered', async () => {
    await publish(drop, secret, { mode: 'manual' });
    const delivery = newDelivery();

    for (const count of [1, 2, 3]) {
      expect(await deliver(delivery)).toEqual(received);
      expect(receiver.started).toHaveLength(count);
    }
    await receiver.close();
    await publish(drop, secret);
    expect(await deliver(delivery)).toEqual(received);
    expect(receiver.started).toHaveLength(1);
  });

  test('a forged copy is refused', async () => {
    await publish(drop, secret);
    const { headers, body } = newDelivery();
    await deliver({ headers, body });

    const forged = { headers: { ...headers, 'X-Service-Signature': '' }, body };
    expect(await deliver(forged)).toEqual(unauthorized);
  });
});

describe('in a test run', () => {
  const testRun = (parameters: Partial<Published['parameters']> = {}, webhookSecret = secret) =>
    publish({ events: ['post.published'], ...parameters }, webhookSecret, { mode: 'manual' });
  /** What n8n shows to the person who waits for an event. */
  const told = () => receiver.thrown.splice(0);
  /** The same for machines. */
  const codes = () => told().map(({ context }) => context.code);
  const { headers, body } = deliveryOf(event);
  const old = deliveryOf({ ...event, timestamp: '2026-11-21T09:00:00.000Z' });

  test.each<[string, DeliveryRequest, string]>([
    ['a wrong signature', { headers, body: Buffer.from('{}') }, 'wronglySigned'],
    ['no signature', { headers: {}, body }, 'notSigned'],
    [
      'a multipart body',
      { headers: { ...headers, 'content-type': 'multipart/x' }, body },
      'notSigned',
    ],
    ['a body that cannot be read', signed(body, { 'content-encoding': 'gzip' }), 'notVerified'],
  ])('%s is told to the person who waits, and the sender gets 401', async (_, delivery, code) => {
    await testRun();

    expect(await send(receiver.url, delivery)).toEqual(unauthorized);

    expect(codes()).toEqual([code]);
    expect(receiver.started).toEqual([]);
  });

  test('a credential that can verify nothing is told as it is', async () => {
    await testRun({}, ' ');

    expect(await send(receiver.url, deliveryOf(event))).toEqual(unauthorized);

    expect(codes()).toEqual(['blankSecret']);
  });

  test.each<[string, DeliveryRequest, string, RegExp]>([
    ['an old event', old, 'tooOld', /Maximum Age \(Minutes\)/],
    ['a signed body that is no event', signed('[]'), 'notAnObject', /JSON/],
  ])('%s is told too, and the sender gets 400', async (_, delivery, code, named) => {
    await testRun({ options: { maxAgeMinutes: 5 } });

    expect(await send(receiver.url, delivery)).toMatchObject({ status: 400 });

    expect(told()).toMatchObject([
      { context: { code }, description: expect.stringMatching(named) as string },
    ]);
    expect(receiver.started).toEqual([]);
  });

  test('parameters that cannot be read are told with the reason, and the sender gets 500', async () => {
    await testRun({ options: { maxAgeMinutes: 'an hour' } });

    expect(await send(receiver.url, deliveryOf(event))).toMatchObject({ status: 500 });

    expect(told()).toMatchObject([
      {
        context: { code: 'notProcessed' },
        description: expect.stringContaining('Maximum Age (Minutes)') as string,
      },
    ]);
  });

  test('a signed event that is not selected is acknowledged, and the test goes on', async () => {
    await testRun();

    expect(await send(receiver.url, deliveryOf({ ...event, event: 'inbox.new' }))).toEqual(
      received,
    );

    expect(told()).toEqual([]);
    expect(receiver.started).toEqual([]);
  });

  test('nothing that is told holds a secret', async () => {
    await testRun();

    await send(receiver.url, { headers, body: Buffer.from('{}') });

    expect(inspect(told(), { depth: null })).not.toContain(secret);
  });
});

test('when the parameters cannot be read, the sender gets 500 and can retry', async () => {
  await publish(
    { events: ['post.published'], options: { maxAgeMinutes: '={{ $("Nowhere").item.json.age }}' } },
    secret,
  );

  const { status, contentType, body } = await send(receiver.url, deliveryOf(event));

  expect([status, contentType]).toEqual([500, 'application/json']);
  expect(JSON.parse(body)).toEqual({ error: expect.any(String) as string });
  expect(body).not.toContain('Nowhere');
  expect(receiver.started).toEqual([]);
  expect(await readLog()).toMatch(/Trigger .*Referenced node/);
});

test('a maximum age that is not a number is told in the log, and no event is lost or accepted', async () => {
  await publish({ events: ['post.published'], options: { maxAgeMinutes: 'an hour' } }, secret);

  expect(await send(receiver.url, deliveryOf(event))).toMatchObject({ status: 500 });
  expect(receiver.started).toEqual([]);
  expect(await readLog()).toMatch(/Trigger .*Maximum Age \(Minutes\)/);
});

test('the log says why a delivery could not be verified, without the secret', async () => {
  await publish({ events: ['post.published'] }, secret);

  await send(receiver.url, signed('{}', { 'content-encoding': 'gzip' }));

  const log = await readLog();
  expect(log).toMatch(/Trigger .*incorrect header check/);
  expect(log).not.toContain(secret);
});

test('the credential is tested by the trigger', async () => {
  await publish({ events: ['post.published'] }, secret);

  expect(
    await testCredential(
      'n8n-nodes-social-publishing.socialPublishingTrigger',
      'socialPublishingWebhookApi',
      { webhookSecret: ' ' },
    ),
  ).toMatchObject({
    status: 'Error',
    message: expect.stringMatching(/^The Webhook Secret /) as string,
  });
});
