import { type Post, type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody, type RequestOptions, until } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

const postFields = ['createdAt', 'id', 'scheduledAt', 'status', 'workspaceId'];
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function fieldsOf(record: unknown): string[] {
  return Object.keys(record as object).sort();
}

describe('records', () => {
  test('a list of posts holds the documented fields and no other', async () => {
    const { status, json } = await callApi(sandbox, '/posts?workspaceId=1&limit=3&offset=2');
    expect(status).toBe(200);
    expect(fieldsOf(json)).toEqual(['limit', 'offset', 'posts', 'total']);
    expect(json).toMatchObject({ limit: 3, offset: 2, total: sandbox.store.posts.length });
    const posts = json?.posts as unknown[];
    expect(posts).toHaveLength(3);
    for (const post of posts) expect(fieldsOf(post)).toEqual(postFields);
  });

  test('a created post is returned without its variants, which are stored', async () => {
    const variants = [
      { socialAccountId: 1, content: 'One', mediaUrls: ['https://media.example/a.png'] },
      { socialAccountId: 2, mediaUrls: ['http://media.example/b.png'] },
    ];
    const { status, json } = await callApi(sandbox, '/posts', { body: postBody({ variants }) });
    expect(status).toBe(201);
    expect(fieldsOf(json)).toEqual(['post']);
    expect(fieldsOf(json?.post)).toEqual(postFields);
    expect(json?.post).toMatchObject({
      id: sandbox.store.posts.length,
      workspaceId: 1,
      status: 'scheduled',
      scheduledAt: '2040-01-02T03:04:05.678Z',
      createdAt: expect.stringMatching(timestamp) as unknown,
    });
    expect(sandbox.store.posts.at(-1)?.variants).toMatchObject([
      { socialAccountId: 1, content: 'One', mediaUrls: ['https://media.example/a.png'] },
      { socialAccountId: 2, content: '', mediaUrls: ['http://media.example/b.png'] },
    ]);
  });

  test('accounts hold the documented fields and no other', async () => {
    const { json } = await callApi(sandbox, '/accounts?workspaceId=1');
    const accounts = json?.accounts as unknown[];
    expect(accounts.length).toBeGreaterThanOrEqual(5);
    for (const account of accounts) {
      expect(fieldsOf(account)).toEqual([
        'displayName',
        'id',
        'isActive',
        'platform',
        'platformUsername',
      ]);
    }
    expect(accounts).toContainEqual(expect.objectContaining({ isActive: false }));
  });

  test('a list of agents has lastRunAt, a saved agent has nextRunAt', async () => {
    const { json } = await callApi(sandbox, '/agents?workspaceId=1');
    const shared = ['id', 'isActive', 'name', 'schedule', 'type'];
    for (const agent of json?.agents as unknown[]) {
      expect(fieldsOf(agent)).toEqual([...shared, 'lastRunAt'].sort());
    }
    const body = { workspaceId: 1, name: 'A', type: 'seo', schedule: '0 9 * * 1', isActive: true };
    const saved = await callApi(sandbox, '/agents', { body });
    expect(saved.status).toBe(201);
    expect(fieldsOf(saved.json?.agent)).toEqual([...shared, 'nextRunAt'].sort());
    const listed = await callApi(sandbox, '/agents?workspaceId=1');
    expect(fieldsOf((listed.json?.agents as unknown[]).at(-1))).toEqual(shared);
  });

  test('analytics hold the documented fields and count the posts published in the period', async () => {
    const [week, quarter] = await Promise.all(
      ['7d', '90d'].map((period) => callApi(sandbox, `/analytics?workspaceId=1&period=${period}`)),
    );
    const all = quarter?.json?.analytics as Record<string, unknown>;
    expect(fieldsOf(all)).toEqual([
      'engagementRate',
      'platformBreakdown',
      'publishedThisWeek',
      'topPlatform',
      'totalEngagements',
      'totalImpressions',
      'totalPosts',
    ]);
    const published = sandbox.store.posts.filter(({ status }) => status === 'published');
    expect(all.totalPosts).toBe(published.length);
    const impressions = sandbox.store.platformPosts.map((platformPost) => platformPost.impressions);
    expect(all.totalImpressions).toBe(impressions.reduce((sum, value) => sum + value, 0));
    const recent = week?.json?.analytics as Record<string, number>;
    expect(recent.totalPosts).toBeGreaterThan(0);
    expect(recent.totalPosts).toBeLessThan(published.length);
    for (const sums of Object.values(all.platformBreakdown as object)) {
      expect(fieldsOf(sums)).toEqual(['impressions', 'posts']);
    }
  });

  test('no response contains a secret', async () => {
    const { store, keys } = sandbox;
    const { secret } = sandbox.webhooks.add({ url: 'http://127.0.0.1:65000/' });
    const responses = await Promise.all([
      callApi(sandbox, '/posts?workspaceId=1'),
      callApi(sandbox, '/posts', { body: postBody() }),
      callApi(sandbox, '/posts', { body: postBody({ variants: [] }) }),
      callApi(sandbox, '/accounts?workspaceId=1'),
      callApi(sandbox, '/analytics?workspaceId=1'),
      callApi(sandbox, '/agents?workspaceId=1'),
      callApi(sandbox, '/agents', { body: { workspaceId: 1, id: 1 } }),
      callApi(sandbox, '/nothing'),
      callApi(sandbox, '/accounts?workspaceId=1', { key: 'wrong' }),
    ]);
    const secrets = [
      secret,
      'wrong',
      ...Object.values(keys),
      ...store.accounts.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]),
    ];
    expect(secrets).toHaveLength(18);
    for (const { text, headers } of responses) {
      const everything = text + JSON.stringify([...headers]);
      expect(secrets.filter((one) => everything.includes(one))).toEqual([]);
    }
  });
});

describe('every response', () => {
  const cases: Array<[number, string, RequestOptions]> = [
    [200, '/posts?workspaceId=1', {}],
    [201, '/posts', { body: postBody() }],
    [400, '/posts', {}],
    [400, '/posts', { body: '{"workspaceId":' }],
    [400, '/%', {}],
    [401, '/posts?workspaceId=1', { key: null }],
    [401, '/posts?workspaceId=1', { key: 'sandbox_demo_prO' }],
    [401, '/nothing', { key: null }],
    [403, '/posts?workspaceId=1', { key: 'sandbox_demo_creator' }],
    [404, '/nothing', {}],
    [404, '/posts?workspaceId=2', {}],
    [405, '/posts', { method: 'DELETE' }],
    [405, '/accounts', { body: {} }],
    [413, '/posts', { body: ' '.repeat(2 ** 20 + 1) }],
    [415, '/posts', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
    [422, '/posts', { body: {} }],
  ];

  test.each(cases)(
    '%i %s carries the rate limit, the date, and JSON',
    async (status, path, options) => {
      const response = await callApi(sandbox, path, options);
      expect(response.status).toBe(status);
      for (const name of ['limit', 'remaining', 'reset']) {
        expect(response.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
      const date = Date.parse(response.headers.get('date') ?? '');
      expect(Math.abs(date - Date.now())).toBeLessThan(60_000);
      expect(response.json).toBeDefined();
      if (status >= 400) {
        expect(response.json?.error).toMatchObject({
          code: expect.stringMatching(/^[a-z_]+$/) as unknown,
          message: expect.any(String) as unknown,
        });
      }
    },
  );

  test('405 says which methods are allowed', async () => {
    const { headers } = await callApi(sandbox, '/agents', { method: 'DELETE' });
    expect(headers.get('allow')).toBe('GET, POST');
  });

  test.each([
    'Basic sandbox_demo_pro',
    'bearer sandbox_demo_pro',
    'sandbox_demo_pro',
    'Bearer',
    'Bearer sandbox_demo_pro x',
  ])('the header "%s" gives 401', async (authorization) => {
    const headers = { Authorization: authorization };
    const { status } = await callApi(sandbox, '/accounts?workspaceId=1', { key: null, headers });
    expect(status).toBe(401);
  });
});

describe('agents', () => {
  test('a body with an id updates that agent, and only what it names', async () => {
    const body = { workspaceId: 1, id: 2, isActive: false, schedule: '0 0 1 1 *' };
    const { status, json } = await callApi(sandbox, '/agents', { body });
    expect(status).toBe(200);
    expect(json?.agent).toMatchObject({
      id: 2,
      name: 'Friendly Replies',
      isActive: false,
      schedule: '0 0 1 1 *',
      nextRunAt: `${new Date().getUTCFullYear() + 1}-01-01T00:00:00.000Z`,
    });
    expect(sandbox.store.agents).toHaveLength(3);
    const list = await callApi(sandbox, '/agents?workspaceId=1');
    expect(list.json?.agents).toContainEqual(expect.objectContaining({ id: 2, isActive: false }));
  });

  test('a body without an id creates an agent, also with the name of another', async () => {
    const [agent] = sandbox.store.agents;
    const body = { workspaceId: 1, name: agent?.name, type: 'seo', schedule: '0 9 * * 1' };
    const { status, json } = await callApi(sandbox, '/agents', { body });
    expect(status).toBe(201);
    expect(json?.agent).toMatchObject({ id: sandbox.store.agents.length, name: agent?.name });
  });

  test('an unknown id gives 404', async () => {
    const { status, json } = await callApi(sandbox, '/agents', {
      body: { workspaceId: 1, id: 99 },
    });
    expect(status).toBe(404);
    expect(json?.error).toMatchObject({ field: 'id' });
  });

  test('config and undocumented fields are kept', async () => {
    const config = { targetPlatforms: ['x'], aiProvider: 'some', tone: 'warm' };
    const body = {
      workspaceId: 1,
      name: 'A',
      type: 'new',
      schedule: '5 4 * * *',
      config,
      more: [1],
    };
    await callApi(sandbox, '/agents', { body });
    expect(sandbox.store.agents.at(-1)).toMatchObject({ config, extra: { more: [1] } });
  });
});

describe('the sandbox keeps', () => {
  test('undocumented fields of a post and of a variant', async () => {
    const variants = [{ socialAccountId: 1, content: 'x', firstComment: 'y' }];
    await callApi(sandbox, '/posts', { body: postBody({ variants, campaign: { id: 'spring' } }) });
    const post = sandbox.store.posts.at(-1);
    expect(post?.extra).toEqual({ campaign: { id: 'spring' } });
    expect(post?.variants[0]?.extra).toEqual({ firstComment: 'y' });
  });

  test('requests, in order and with their exact bytes', async () => {
    const body = Buffer.from('{"b":1,  "ä":"\\u00e4"}\n');
    await callApi(sandbox, '/posts?workspaceId=1&limit=2', { key: sandbox.keys.pro });
    await callApi(sandbox, '/agents', { body });
    await callApi(sandbox, '/posts', { key: null, body: '{' });
    expect(sandbox.requests).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/posts',
        url: '/api/v1/posts?workspaceId=1&limit=2',
        query: { workspaceId: '1', limit: '2' },
        headers: { authorization: `Bearer ${sandbox.keys.pro}` },
        status: 200,
      },
      { method: 'POST', path: '/api/v1/agents', query: {}, status: 422 },
      { method: 'POST', path: '/api/v1/posts', status: 401 },
    ]);
    expect(sandbox.requests[1]?.body.equals(body)).toBe(true);
    expect(sandbox.requests[2]?.body.toString()).toBe('{');
    sandbox.clearRequests();
    expect(sandbox.requests).toEqual([]);
  });

  test('only the latest requests when the log has a size', async () => {
    const small = await startSandbox({ requestLogSize: 3 });
    for (let limit = 1; limit <= 10; limit += 1) await callApi(small, `/posts?limit=${limit}`);
    expect(small.requests.length).toBeLessThanOrEqual(6);
    expect(small.requests.slice(-3).map(({ query }) => query.limit)).toEqual(['8', '9', '10']);
    await small.close();
  });
});

test('responses and new posts show the clock of the service, which may be wrong', async () => {
  const ahead = await startSandbox({ clockOffsetMs: 3_600_000 });
  const start = Date.now();
  const { headers, json } = await callApi(ahead, '/posts', { body: postBody() });
  const times = [
    headers.get('date'),
    (json?.post as Post).createdAt,
    ahead.addPosts(1)[0]?.createdAt,
  ];
  for (const time of times) {
    const offset = Date.parse(time ?? '') - start;
    expect(offset).toBeGreaterThanOrEqual(3_599_000);
    expect(offset).toBeLessThan(3_660_000);
  }
  await ahead.close();
});

describe('requests in flight', () => {
  test('are counted', async () => {
    const slow = await startSandbox({ latencyMs: 50 });
    await Promise.all(Array.from({ length: 5 }, () => callApi(slow, '/accounts?workspaceId=1')));
    expect(slow.maxInFlight).toBeGreaterThan(1);
    expect(slow.maxInFlight).toBeLessThanOrEqual(5);
    slow.clearRequests();
    await callApi(slow, '/accounts?workspaceId=1');
    await callApi(slow, '/accounts?workspaceId=1');
    expect(slow.maxInFlight).toBe(1);
    await slow.close();
  });

  test('that are delayed do not keep the sandbox from closing', async () => {
    const slow = await startSandbox({ latencyMs: 600_000 });
    const response = callApi(slow, '/accounts?workspaceId=1');
    await until(() => slow.requests.length === 1);
    await Promise.all([slow.close(), expect(response).rejects.toThrow()]);
  });
});

describe('without a seed', () => {
  test('there are keys and an empty workspace', async () => {
    const empty = await startSandbox({ seed: false });
    const { json } = await callApi(empty, '/posts?workspaceId=1', { key: empty.keys.pro });
    expect(json).toMatchObject({ posts: [], total: 0 });
    const accounts = await callApi(empty, '/accounts?workspaceId=1');
    expect(accounts.json).toEqual({ accounts: [] });
    const analytics = await callApi(empty, '/analytics?workspaceId=1');
    expect(analytics.json?.analytics).toEqual({
      totalPosts: 0,
      publishedThisWeek: 0,
      totalImpressions: 0,
      totalEngagements: 0,
      engagementRate: 0,
      topPlatform: '',
      platformBreakdown: {},
    });
    await empty.close();
  });
});
