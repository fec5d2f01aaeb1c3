import { createHmac } from 'node:crypto';

import { type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody, startReceiver, until } from './helpers';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

let sandbox: Sandbox;
const receivers: Receiver[] = [];

beforeEach(async () => {
  sandbox = await startSandbox({
    webhookRetry: { attempts: 4, baseDelayMs: 10 },
  });
});

afterEach(async () => {
  await sandbox.close();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function receive(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...args);
  receivers.push(receiver);
  return receiver;
}

interface Envelope {
  event: string;
  data: Record<string, unknown>;
  timestamp: string;
}

function envelopes({ received }: Receiver): Envelope[] {
  return received.map(({ body }) => JSON.parse(body.toString()) as Envelope);
}

describe('a delivery', () => {
  test('is signed over the exact bytes with the secret of its endpoint', async () => {
    const [one, other] = [await receive(), await receive()];
    sandbox.webhooks.add({ url: one.url, secret: 'first secret' });
    sandbox.webhooks.add({ url: other.url, secret: 'sécond 🔑' });
    await sandbox.webhooks.emit('inbox.new', { text: 'Grüße 🎉\u0000' });
    for (const [receiver, secret] of [
      [one, 'first secret'],
      [other, 'sécond 🔑'],
    ] as const) {
      const [delivery] = receiver.received;
      if (!delivery) throw new Error('Nothing was delivered.');
      const digest = createHmac('sha256', secret).update(delivery.body).digest('hex');
      expect(delivery.headers['x-service-signature']).toBe(`sha256=${digest}`);
      expect(delivery.headers['content-type']).toBe('application/json');
    }
  });

  test('is an envelope of event, data and timestamp', async () => {
    const receiver = await receive();
    sandbox.webhooks.add({ url: receiver.url });
    const deliveries = await sandbox.webhooks.emit('something.else', { a: [1] });
    expect(deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 200 }] }]);
    const [envelope] = envelopes(receiver);
    expect(Object.keys(envelope ?? {})).toEqual(['event', 'data', 'timestamp']);
    expect(envelope).toMatchObject({ event: 'something.else', data: { a: [1] } });
    expect(envelope?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('goes to the endpoints that receive its kind', async () => {
    const [some, all] = [await receive(), await receive()];
    sandbox.webhooks.add({ url: some.url, events: ['post.failed', 'agent.error'] });
    sandbox.webhooks.add({ url: all.url });
    for (const event of ['post.failed', 'post.published', 'something.else', 'agent.error']) {
      await sandbox.webhooks.emit(event, {});
    }
    expect(envelopes(some).map(({ event }) => event)).toEqual(['post.failed', 'agent.error']);
    expect(all.received).toHaveLength(4);
  });

  test('is sent again, with the same bytes and longer delays, until it is acknowledged', async () => {
    const receiver = await receive((response, nth) => {
      response.statusCode = nth < 4 ? ([500, 404, 302][nth - 1] ?? 500) : 204;
      response.end();
    });
    sandbox.webhooks.add({ url: receiver.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', { agentId: 1 });
    expect(delivery?.status).toBe('delivered');
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 404, 302, 204]);
    const [first, ...rest] = receiver.received;
    for (const again of rest) {
      expect(again.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(again.headers['x-service-signature']).toBe(first?.headers['x-service-signature']);
    }
    const times = delivery?.attempts.map(({ at }) => Date.parse(at)) ?? [];
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    [10, 20, 40].forEach((least, index) => expect(waits[index]).toBeGreaterThanOrEqual(least));
  });

  test('fails after the last attempt', async () => {
    const receiver = await receive((response) => {
      response.statusCode = 503;
      response.end();
    });
    sandbox.webhooks.add({ url: receiver.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', {});
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
    expect(receiver.received).toHaveLength(4);
  });

  test('is sent again when the connection is cut', async () => {
    const receiver = await receive((response, nth) => {
      if (nth === 1) response.destroy();
      else response.end();
    });
    sandbox.webhooks.add({ url: receiver.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', {});
    expect(delivery?.attempts).toMatchObject([
      { error: expect.any(String) as unknown },
      { status: 200 },
    ]);
  });

  test('is sent again when there is no response in time', async () => {
    const impatient = await startSandbox({
      webhookRetry: { attempts: 2, baseDelayMs: 1, timeoutMs: 1_000 },
    });
    const receiver = await receive((response, nth) => {
      if (nth > 1) response.end();
    });
    impatient.webhooks.add({ url: receiver.url });
    const [delivery] = await impatient.webhooks.emit('agent.action', {});
    expect(delivery?.attempts).toMatchObject([
      { error: 'No response within 1000 ms.' },
      { status: 200 },
    ]);
    await impatient.close();
  });

  test('goes to the new address of its endpoint when it is sent again', async () => {
    const receiver = await receive();
    const old = await receive((response) => {
      sandbox.webhooks.changeUrl(endpoint, receiver.url);
      response.statusCode = 500;
      response.end();
    });
    const endpoint = sandbox.webhooks.add({ url: old.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', {});
    expect(delivery).toMatchObject({ status: 'delivered', url: receiver.url });
    expect(receiver.received[0]?.body).toEqual(old.received[0]?.body);
    expect([old.received.length, receiver.received.length]).toEqual([1, 1]);
  });

  test('can be resent with the same bytes', async () => {
    const receiver = await receive();
    sandbox.webhooks.add({ url: receiver.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', { agentId: 1 });
    if (!delivery) throw new Error('Nothing was delivered.');
    await sandbox.webhooks.resend(delivery);
    expect(sandbox.webhooks.deliveries).toHaveLength(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
  });

  test('fails when its endpoint is removed', async () => {
    const receiver = await receive((response) => {
      sandbox.webhooks.remove(endpoint.id);
      response.statusCode = 500;
      response.end();
    });
    const endpoint = sandbox.webhooks.add({ url: receiver.url });
    const [delivery] = await sandbox.webhooks.emit('agent.action', {});
    expect(delivery).toMatchObject({ status: 'failed' });
    expect(receiver.received).toHaveLength(1);
  });
});

test('many deliveries all arrive, at most 16 at once', async () => {
  let underWay = 0;
  let most = 0;
  const receiver = await receive((response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setImmediate(() => {
      underWay -= 1;
      response.end();
    });
  });
  sandbox.webhooks.add({ url: receiver.url });
  for (let n = 0; n < 300; n += 1) void sandbox.webhooks.emit('agent.action', { n });
  await sandbox.webhooks.settled();
  const numbers = envelopes(receiver).map(({ data }) => Number(data.n));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n));
  expect(most).toBeLessThanOrEqual(16);
});

describe('an endpoint', () => {
  test.each(['', 'localhost:5678', '/hook', 'ftp://127.0.0.1/', 'http://'])(
    'cannot be at "%s"',
    (url) => {
      expect(() => sandbox.webhooks.add({ url })).toThrow(/http or https URL/);
    },
  );

  test('cannot have an empty secret', () => {
    const add = () => sandbox.webhooks.add({ url: 'http://127.0.0.1:65000/', secret: ' ' });
    expect(add).toThrow(/secret/);
  });

  test('has its own secret', () => {
    const secrets = [1, 2].map(
      () => sandbox.webhooks.add({ url: 'http://127.0.0.1:65000/' }).secret,
    );
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[0-9a-f]{48}$/);
  });
});

describe('an event has a cause', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await receive();
    sandbox.webhooks.add({ url: receiver.url });
  });

  async function published(socialAccountId: number): Promise<Envelope[]> {
    const body = postBody({
      scheduledAt: '2001-02-03T04:05:06.007Z',
      variants: [{ socialAccountId, content: 'Hi' }],
    });
    await callApi(sandbox, '/posts', { body });
    await until(() => receiver.received.length > 0);
    await sandbox.webhooks.settled();
    return envelopes(receiver);
  }

  const about = () => ({
    postId: sandbox.store.posts.length,
    variantId: sandbox.store.posts.at(-1)?.variants[0]?.id,
    platform: 'instagram',
    content: 'Hi',
  });

  const timestamp = expect.any(String) as unknown;

  test('post.published', async () => {
    const sent = await published(1);
    const { platformUrl, platformPostId } = sandbox.store.platformPosts.at(-1)!;
    const data = { ...about(), platformUrl, platformPostId };
    expect(sent).toEqual([{ event: 'post.published', timestamp, data }]);
  });

  test('post.failed', async () => {
    const error = { code: 'rejected', message: 'No.' };
    sandbox.store.account(1)!.failure = error;
    const sent = await published(1);
    expect(sent).toEqual([{ event: 'post.failed', timestamp, data: { ...about(), error } }]);
  });

  test('inbox.new, of each kind', async () => {
    for (const kind of ['comment', 'mention', 'direct_message', 'reply'] as const) {
      sandbox.inbox.receive(1, kind);
    }
    await sandbox.webhooks.settled();
    const data = envelopes(receiver).map((envelope) => envelope.data);
    expect(data.map(({ kind }) => kind).sort()).toEqual([
      'comment',
      'direct_message',
      'mention',
      'reply',
    ]);
    for (const one of data) {
      expect(one.postId === null).toBe(one.kind === 'mention' || one.kind === 'direct_message');
    }
  });

  test('account.disconnected', async () => {
    const account = sandbox.store.account(3);
    if (!account) throw new Error('The account is missing.');
    sandbox.inbox.disconnect(account, 'token_expired');
    await sandbox.webhooks.settled();
    expect(envelopes(receiver)).toMatchObject([
      {
        event: 'account.disconnected',
        data: { socialAccountId: 3, platform: 'linkedin', reason: 'token_expired' },
      },
    ]);
    const { json } = await callApi(sandbox, '/accounts?workspaceId=1');
    expect(json?.accounts).toContainEqual(expect.objectContaining({ id: 3, isActive: false }));
  });
});

test('simulated traffic brings messages and expired tokens', async () => {
  const receiver = await receive();
  const lively = await startSandbox({ traffic: true, trafficIntervalMs: 1 });
  lively.webhooks.add({ url: receiver.url });
  const kinds = () => new Set(envelopes(receiver).map(({ event }) => event));
  await until(() => kinds().size === 2);
  expect([...kinds()].sort()).toEqual(['account.disconnected', 'inbox.new']);
  await lively.close();
});

describe('closing', () => {
  test('does not wait for a receiver that never responds', async () => {
    const receiver = await receive(() => undefined);
    sandbox.webhooks.add({ url: receiver.url });
    const emitted = sandbox.webhooks.emit('agent.action', {});
    await until(() => receiver.received.length === 1);
    await sandbox.close();
    expect(await emitted).toMatchObject([{ status: 'pending' }]);
    await sandbox.webhooks.settled();
  });

  test('sends nothing more', async () => {
    const receiver = await receive((response) => {
      response.statusCode = 500;
      response.end();
    });
    sandbox.webhooks.add({ url: receiver.url });
    void sandbox.webhooks.emit('agent.action', {});
    const [delivery] = sandbox.webhooks.deliveries;
    await until(() => typeof delivery?.nextAttemptAt === 'string');
    await sandbox.close();
    const count = receiver.received.length;
    const wouldBeDue = Date.parse(delivery?.nextAttemptAt ?? '');
    await until(() => Date.now() > wouldBeDue + 100);
    expect(receiver.received).toHaveLength(count);
  });
});
