import { type EventName, type Sandbox, startSandbox } from '../../sandbox';
import { samples } from '../../sandbox/samples';
import { callApi, postBody, startReceiver, until } from './helpers';

/** Replaces every value by its type, so that two objects can be compared by their fields. */
function shapeOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

const causes: Record<EventName, (sandbox: Sandbox) => unknown> = {
  'post.published': (sandbox) => publish(sandbox),
  'post.failed': (sandbox) => {
    for (const account of sandbox.store.accounts) account.failure = { code: 'a', message: 'b' };
    return publish(sandbox);
  },
  'agent.action': (sandbox) => runAgent(sandbox),
  'agent.error': (sandbox) => {
    for (const agent of sandbox.store.agents) agent.failure = { code: 'a', message: 'b' };
    return runAgent(sandbox);
  },
  'inbox.new': (sandbox) => sandbox.inbox.receive(1, 'comment'),
  'account.disconnected': ({ inbox, store }) => {
    const [account] = store.accounts;
    if (account) inbox.disconnect(account, 'token_expired');
  },
};

function publish(sandbox: Sandbox) {
  return callApi(sandbox, '/posts', {
    body: postBody({ scheduledAt: '2001-02-03T04:05:06.007Z' }),
  });
}

function runAgent({ origin }: Sandbox) {
  return fetch(`${origin}/agents/run`, { method: 'POST', body: new URLSearchParams({ id: '1' }) });
}

test.each(Object.keys(causes) as EventName[])(
  'the sample of %s has the fields of the event that the sandbox sends',
  async (kind) => {
    const sandbox = await startSandbox();
    const receiver = await startReceiver();
    sandbox.webhooks.add({ url: receiver.url });
    await causes[kind](sandbox);
    await until(() => receiver.received.length > 0);
    const sent: unknown = JSON.parse(receiver.received[0]?.body.toString() ?? '');
    const { deliveryId, ...envelope } = samples[kind].pinData[0];
    expect(envelope).toHaveProperty('event', kind);
    expect(shapeOf(envelope)).toEqual(shapeOf(sent));
    expect(deliveryId).toMatch(/^[0-9a-f]{64}$/);
    await sandbox.close();
    await receiver.close();
  },
);

test('only the data of post.published is documented', () => {
  const documented = Object.entries(samples).map(([kind, sample]) => [kind, sample.dataDocumented]);
  expect(documented).toEqual([
    ['post.published', true],
    ['post.failed', false],
    ['agent.action', false],
    ['agent.error', false],
    ['inbox.new', false],
    ['account.disconnected', false],
  ]);
  for (const { dataDocumented, note } of Object.values(samples)) {
    expect(note === undefined).toBe(dataDocumented);
  }
});

test('the sample of post.published never changes', () => {
  // printf '%s' '{"event":"post.published",…,"timestamp":"2026-03-02T09:00:00.000Z"}' | sha256sum
  expect(samples['post.published'].pinData).toEqual([
    {
      event: 'post.published',
      data: {
        postId: 42,
        variantId: 97,
        platform: 'instagram',
        content: 'Fresh sourdough, straight from the oven.',
        platformUrl: 'https://instagram.example/p/instagram-00000097',
        platformPostId: 'instagram-00000097',
      },
      timestamp: '2026-03-02T09:00:00.000Z',
      deliveryId: '5083c1a0075d864e7aec20d2c8973541e7c04e71db336989ce597c5391c741c5',
    },
  ]);
});
