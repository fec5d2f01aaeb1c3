import { type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody, rawRequest, startReceiver, until } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ webhookRetry: { attempts: 1 } });
});

afterEach(() => sandbox.close());

async function page(path = '/'): Promise<string> {
  return (await fetch(sandbox.origin + path)).text();
}

/** Submits a form as a browser does and returns the page that follows. */
async function submit(action: string, fields: Record<string, string> | URLSearchParams = {}) {
  const response = await fetch(sandbox.origin + action, {
    method: 'POST',
    headers: { Origin: sandbox.origin },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  const location = response.headers.get('location') ?? '';
  return { location, text: await page(location) };
}

describe('the page', () => {
  test('shows base URL and API keys', async () => {
    const text = await page();
    for (const key of Object.values(sandbox.keys)) expect(text).toContain(key);
    expect(text).toContain(sandbox.baseUrl);
  });

  test('escapes what comes from outside', async () => {
    const evil = `<script>alert("1")</script>'&`;
    const { store } = sandbox;
    sandbox.webhooks.add({ url: 'http://127.0.0.1:65000/"><script>x', secret: evil });
    store.addKey({ name: evil, plan: 'pro' });
    store.addAccount({ workspaceId: 1, platform: evil, platformUsername: evil, displayName: evil });
    store.addPost({
      workspaceId: 1,
      status: evil,
      variants: [{ socialAccountId: 1, content: evil }],
    });
    await callApi(sandbox, '/agents', {
      body: { workspaceId: 1, name: evil, type: evil, schedule: '0 9 * * *' },
    });
    await callApi(sandbox, `/posts?q=${encodeURIComponent(evil)}`, { body: { evil } });
    await sandbox.webhooks.emit(evil, { evil });
    const text = await page();
    expect(text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('<script src="/assets/live.js" defer></script>');
  });

  test('allows no other scripts or styles, and no frames', async () => {
    const { headers } = await fetch(sandbox.origin);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  test.each(['style.css', 'live.js', 'icon.svg'])('has its %s', async (name) => {
    const response = await fetch(`${sandbox.origin}/assets/${name}`);
    expect(response.status).toBe(200);
  });

  test('never shows account tokens', async () => {
    const text = await page();
    for (const { accessToken, refreshToken } of sandbox.store.accounts) {
      expect(text).not.toContain(accessToken);
      expect(text).not.toContain(refreshToken);
    }
  });
});

describe('a foreign web page', () => {
  const body = 'id=1';

  test.each([
    ['another site', { Origin: 'http://evil.example' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['nowhere', { Origin: 'null' }],
    ['another site, without Origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('cannot post from %s', async (_name, headers) => {
    const response = await rawRequest(`${sandbox.origin}/keys/revoke`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
    expect(response.status).toBe(403);
    expect(sandbox.store.keys.every(({ isActive }) => isActive)).toBe(true);
  });

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])(
    'cannot reach it under the name %s',
    async (name) => {
      const { port } = new URL(sandbox.origin);
      const headers = { Host: `${name}:${port}`, Origin: `http://${name}:${port}` };
      const { status, text } = await rawRequest(sandbox.origin, { headers });
      expect(status).toBe(403);
      expect(text).not.toContain(sandbox.keys.pro);
      const response = await rawRequest(`${sandbox.origin}/keys/revoke`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
      expect(response.status).toBe(403);
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]'])('but a user can as %s', async (name) => {
    const headers = { Host: `${name}:${new URL(sandbox.origin).port}` };
    expect((await rawRequest(sandbox.origin, { headers })).status).toBe(200);
  });
});

describe('keys', () => {
  test('a created key works, is shown once and can be revoked', async () => {
    const { text, location } = await submit('/keys/create', { name: 'Mine', plan: 'business' });
    const { key, id } = sandbox.store.keys.at(-1) ?? { key: '', id: 0 };
    expect(text).toContain(key);
    expect(location).toMatch(/#keys$/);
    expect(await page()).not.toContain(key);
    const { headers } = await callApi(sandbox, '/accounts?workspaceId=1', { key });
    expect(headers.get('x-ratelimit-limit')).toBe('50000');
    expect(await page()).toMatch(/1 \/\s+50,000/);

    await submit('/keys/revoke', { id: String(id) });
    expect((await callApi(sandbox, '/accounts?workspaceId=1', { key })).status).toBe(401);
  });

  test.each([
    [{ name: 'Mine', plan: 'gold' }, 'Choose a plan.'],
    [{ name: ' ', plan: 'pro' }, 'Enter a name for the key.'],
  ])('%j is rejected', async (fields, message) => {
    expect((await submit('/keys/create', fields)).text).toContain(message);
    expect(sandbox.store.keys).toHaveLength(4);
  });

  test('a key that does not exist cannot be revoked', async () => {
    expect((await submit('/keys/revoke', { id: '99' })).text).toContain('no longer exists');
  });
});

describe('webhooks', () => {
  test('an endpoint is added, receives its events and is removed', async () => {
    const receiver = await startReceiver();
    const fields = new URLSearchParams({ url: receiver.url, secret: 'of mine' });
    fields.append('events', 'inbox.new');
    fields.append('events', 'agent.action');
    await submit('/webhooks/add', fields);
    expect(sandbox.store.webhookEndpoints).toMatchObject([
      { url: receiver.url, secret: 'of mine', events: ['inbox.new', 'agent.action'] },
    ]);
    await submit('/inbox/receive', { kind: 'mention' });
    await submit('/agents/run', { id: '1' });
    await submit('/accounts/disconnect', { id: '1', reason: 'disconnected' });
    await sandbox.webhooks.settled();
    const events = sandbox.webhooks.deliveries.map(({ event, status }) => [event, status]);
    expect(events).toEqual([
      ['inbox.new', 'delivered'],
      ['agent.action', 'delivered'],
    ]);
    await submit('/webhooks/resend', { id: '1' });
    await sandbox.webhooks.settled();
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received[2]?.body).toEqual(receiver.received[0]?.body);

    await submit('/webhooks/remove', { id: '1' });
    expect(sandbox.store.webhookEndpoints).toEqual([]);
    const { text } = await submit('/webhooks/resend', { id: '1' });
    expect(text).toContain('The endpoint of this delivery was removed.');
    await receiver.close();
  });

  test('an endpoint gets a new address and keeps its secret', async () => {
    const [old, current] = [await startReceiver(), await startReceiver()];
    const { secret } = sandbox.webhooks.add({ url: old.url, events: ['inbox.new'] });
    const { text } = await submit('/webhooks/change-url', { id: '1', url: current.url });
    expect(text).toContain(`The endpoint now receives events at ${current.url}.`);
    expect(sandbox.store.webhookEndpoints).toMatchObject([
      { url: current.url, secret, events: ['inbox.new'] },
    ]);
    await submit('/inbox/receive', { kind: 'reply' });
    await sandbox.webhooks.settled();
    expect([old.received.length, current.received.length]).toEqual([0, 1]);
    await Promise.all([old.close(), current.close()]);
  });

  test.each([
    [{ id: '1', url: 'nowhere' }, 'must be an http or https URL'],
    [{ id: '9', url: 'http://127.0.0.1:65000/' }, 'This record no longer exists.'],
  ])('a change of address to %j is rejected', async (fields, message) => {
    sandbox.webhooks.add({ url: 'http://127.0.0.1:65001/' });
    expect((await submit('/webhooks/change-url', fields)).text).toContain(message);
    expect(sandbox.store.webhookEndpoints).toMatchObject([{ url: 'http://127.0.0.1:65001/' }]);
  });

  test('an invalid address is rejected', async () => {
    const { text } = await submit('/webhooks/add', { url: 'nowhere' });
    expect(text).toContain('must be an http or https URL');
    expect(sandbox.store.webhookEndpoints).toEqual([]);
  });
});

describe('accounts, posts and agents', () => {
  test('an account is set to fail and works again', async () => {
    const publishNow = async () => {
      const { json } = await callApi(sandbox, '/posts', { body: postBody() });
      const id = (json?.post as { id: number }).id;
      await submit('/posts/publish', { id: String(id) });
      return sandbox.store.posts[id - 1]?.status;
    };
    await submit('/accounts/fail', { id: '1', code: 'too_long', message: 'Too long.' });
    expect(await publishNow()).toBe('failed');
    expect(sandbox.store.posts.at(-1)?.variants[0]?.failure).toEqual({
      code: 'too_long',
      message: 'Too long.',
    });
    await submit('/accounts/clear-failure', { id: '1' });
    expect(await publishNow()).toBe('published');
  });

  test('a post published early is not published again at its time', async () => {
    const scheduledAt = new Date(Date.now() + 500).toISOString();
    const [post] = sandbox.addPosts(1, { scheduledAt });
    const count = sandbox.store.platformPosts.length;
    await submit('/posts/publish', { id: String(post?.id) });
    const [later] = sandbox.addPosts(1, { scheduledAt });
    await until(() => later?.status === 'published');
    expect(sandbox.store.platformPosts).toHaveLength(count + 2);
  });

  test('an account is disconnected and connected', async () => {
    await submit('/accounts/disconnect', { id: '2', reason: 'token_expired' });
    expect(sandbox.store.account(2)?.isActive).toBe(false);
    await submit('/accounts/connect', { id: '2' });
    expect(sandbox.store.account(2)?.isActive).toBe(true);
  });

  test('an agent is set to fail and works again', async () => {
    await submit('/agents/fail', { id: '3' });
    expect((await submit('/agents/run', { id: '3' })).text).toContain('ran and failed');
    await submit('/agents/clear-failure', { id: '3' });
    expect((await submit('/agents/run', { id: '3' })).text).not.toContain('ran and failed');
  });
});

describe('faults', () => {
  test('are added with their conditions, applied and removed', async () => {
    await submit('/faults/add', {
      kind: 'rateLimit',
      retryAfter: '12',
      method: 'GET',
      path: '/posts',
      times: '1',
    });
    const first = await callApi(sandbox, '/posts?workspaceId=1');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '12']);
    expect((await callApi(sandbox, '/posts?workspaceId=1')).status).toBe(200);
    expect(await page()).toContain('1 of 2');
    await submit('/faults/remove', { id: '1' });
    expect(sandbox.faults.list()).toEqual([]);
  });

  test.each([
    [{ kind: 'latency', ms: '5' }, { ms: 5 }],
    [{ kind: 'status' }, { status: 503 }],
    [
      { kind: 'status', status: '418', body: 'Teapot' },
      { status: 418, body: 'Teapot' },
    ],
    [{ kind: 'reset', processed: 'yes' }, { processed: true }],
    [{ kind: 'truncated', contentLength: 'cut' }, { contentLength: 'cut' }],
    [{ kind: 'malformedJson', probability: '0.5' }, { probability: 0.5 }],
    [{ kind: 'html', processed: 'no' }, { processed: false }],
    [{ kind: 'empty', after: '3' }, { after: 3 }],
    [{ kind: 'wrongShape', shape: '[1]' }, { body: [1] }],
    [{ kind: 'wrongTotal', total: '9' }, { total: 9 }],
    [{ kind: 'missingTotal' }, {}],
    [{ kind: 'pageCap', limit: '4' }, { limit: 4 }],
    [{ kind: 'listOrder', order: 'oldest' }, { order: 'oldest' }],
    [{ kind: 'lateList', lagMs: '50' }, { ms: 50 }],
    [{ kind: 'slowBody', everyMs: '9' }, { everyMs: 9 }],
  ])('%j can be added', async (fields, rule) => {
    await submit('/faults/add', fields);
    const { id, kind, matched, hits, ...rest } = sandbox.faults.list()[0] ?? {};
    expect({ id, kind, matched, hits }).toEqual({ id: 1, kind: fields.kind, matched: 0, hits: 0 });
    expect(rest).toEqual(rule);
  });

  test('are all removed at once', async () => {
    await submit('/faults/add', { kind: 'html' });
    expect(await page()).not.toContain('Remove all');
    await submit('/faults/add', { kind: 'empty' });
    expect(await page()).toContain('Remove all');
    await submit('/faults/clear');
    expect(sandbox.faults.list()).toEqual([]);
  });

  test('show their settings while they are selected', async () => {
    const kinds = [...(await page()).matchAll(/class="for-(\w+)"/g)].map(([, kind]) => kind);
    const style = await page('/assets/style.css');
    expect(kinds).toContain('latency');
    for (const kind of kinds) {
      expect(style).toContain(`form:has(option[value='${kind}']:checked) .for-${kind}`);
    }
  });

  test.each([
    [{ kind: 'nonsense' }, 'Select a fault.'],
    [{ kind: 'status', status: '99' }, 'The status must be'],
    [{ kind: 'latency', ms: 'soon' }, 'is not a number'],
    [{ kind: 'wrongShape', shape: '{' }, 'is not valid JSON'],
  ])('%j is rejected', async (fields, message) => {
    expect((await submit('/faults/add', fields)).text).toContain(message);
    expect(sandbox.faults.list()).toEqual([]);
  });
});
