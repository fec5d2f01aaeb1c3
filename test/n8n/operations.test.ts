import { addAccount } from '../support/records';
import { Bench } from './support/bench';

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const inAWeek = new Date(Date.now() + 7 * 24 * 3600 * 1000).toISOString();

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

beforeEach(() => bench.sandbox.clearRequests());

afterAll(() => bench.close());

const isoTime = expect.stringMatching(timestamp) as string;
const anyNumber = expect.any(Number) as number;

describe('the operations give the records of the specification', () => {
  test('post create', async () => {
    const { json } = await bench.run({
      resource: 'post',
      operation: 'create',
      content: 'Hello',
      accounts: [1],
      scheduledAt: inAWeek,
    });
    expect(json).toEqual([
      {
        id: anyNumber,
        workspaceId: 1,
        status: 'scheduled',
        scheduledAt: inAWeek,
        createdAt: isoTime,
        due: expect.stringMatching(/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d/) as string,
      },
    ]);
  });

  test('post get many', async () => {
    const { json } = await bench.run({ resource: 'post', operation: 'getAll', limit: 3 });
    expect(json).toHaveLength(3);
    for (const post of json) {
      expect(post).toEqual({
        id: anyNumber,
        workspaceId: 1,
        status: expect.any(String) as string,
        scheduledAt: isoTime,
        createdAt: isoTime,
      });
    }
  });

  test('account get many', async () => {
    const { json } = await bench.run({ resource: 'account', operation: 'getAll', returnAll: true });
    expect(json).toHaveLength(bench.sandbox.store.accountsOf(1).length);
    expect(json[0]).toEqual({
      id: 1,
      platform: 'instagram',
      platformUsername: 'bluedoorbakery',
      displayName: 'Blue Door Bakery',
      isActive: true,
    });
  });

  test('analytics get', async () => {
    const { json } = await bench.run({ resource: 'analytics', operation: 'get', period: '30d' });
    expect(json).toEqual([
      {
        totalPosts: anyNumber,
        publishedThisWeek: anyNumber,
        totalImpressions: anyNumber,
        totalEngagements: anyNumber,
        engagementRate: anyNumber,
        topPlatform: expect.any(String) as string,
        platformBreakdown: expect.objectContaining({
          instagram: { posts: anyNumber, impressions: anyNumber },
        }) as object,
      },
    ]);
  });

  test('agent create', async () => {
    const { json } = await bench.run({
      resource: 'agent',
      operation: 'create',
      name: 'Morning posts',
      type: 'content',
      scheduleMode: 'everyWeekday',
      hour: 9,
      minute: 0,
      isActive: true,
    });
    expect(json).toEqual([
      {
        id: anyNumber,
        name: 'Morning posts',
        type: 'content',
        isActive: true,
        schedule: '0 9 * * 1-5',
        nextRunAt: isoTime,
      },
    ]);
  });

  test('agent update', async () => {
    const { json } = await bench.run({
      resource: 'agent',
      operation: 'update',
      agentId: { __rl: true, mode: 'id', value: '2' },
      updateFields: {
        name: 'Friendlier replies',
        scheduleMode: 'cron',
        schedule: '*/15 8-18 * * *',
        isActive: false,
      },
    });
    expect(json).toEqual([
      {
        id: 2,
        name: 'Friendlier replies',
        type: 'engagement',
        isActive: false,
        schedule: '*/15 8-18 * * *',
        nextRunAt: isoTime,
      },
    ]);
    expect(bench.sandbox.store.agent(2)).toMatchObject({ name: 'Friendlier replies' });
  });

  test('agent get many', async () => {
    const { json } = await bench.run({ resource: 'agent', operation: 'getAll', limit: 1 });
    expect(json).toEqual([
      {
        id: 1,
        name: 'Morning Ideas',
        type: 'content',
        isActive: true,
        schedule: '0 6 * * 1-5',
        lastRunAt: isoTime,
      },
    ]);
  });
});

describe('every field of a request arrives as the specification writes it', () => {
  test('post create, all fields, from expressions', async () => {
    await bench.run(
      {
        resource: 'post',
        operation: 'create',
        content: '={{ $json.text }}',
        mediaUrls: 'https://media.example/a.jpg\nhttps://media.example/b.mp4',
        accounts: '={{ [$json.account, 2] }}',
        publish: 'at',
        scheduledAt: '={{ $json.when }}',
        timeZone: 'Asia/Tokyo',
        overrides: {
          override: [
            {
              socialAccountId: { __rl: true, mode: 'list', value: 2, cachedResultName: 'X' },
              content: 'Second',
              mediaUrls: 'https://media.example/c.jpg',
            },
          ],
        },
        options: { workspaceId: '={{ $json.workspace }}', status: 'scheduled' },
      },
      {
        items: [
          {
            workspace: '1',
            when: '2030-03-31T09:30:00+02:00',
            account: '1',
            text: 'Grüße 👋 "quoted"',
          },
        ],
      },
    );
    const request = bench.onlyRequest();
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/posts', query: {} });
    expect(request.headers['content-type']).toMatch(/^application\/json/);
    expect(request.headers.authorization).toBe(`Bearer ${bench.apiKey}`);
    expect(request.body).toStrictEqual({
      workspaceId: 1,
      status: 'scheduled',
      scheduledAt: '2030-03-31T07:30:00.000Z',
      variants: [
        {
          socialAccountId: 1,
          content: 'Grüße 👋 "quoted"',
          mediaUrls: ['https://media.example/a.jpg', 'https://media.example/b.mp4'],
        },
        {
          socialAccountId: 2,
          content: 'Second',
          mediaUrls: ['https://media.example/c.jpg'],
        },
      ],
    });
  });

  test('post create, variants as JSON and a status of its own', async () => {
    await bench.run({
      resource: 'post',
      operation: 'create',
      scheduledAt: '2030-03-31T09:30:00Z',
      options: {
        status: 'draft',
        variantsJson: '[{ "socialAccountId": 1, "content": "From JSON", "mediaUrls": [] }]',
        customBodyFields: '{ "campaign": "spring" }',
      },
    });
    expect(bench.onlyRequest().body).toStrictEqual({
      workspaceId: 1,
      status: 'draft',
      scheduledAt: '2030-03-31T09:30:00.000Z',
      variants: [{ socialAccountId: 1, content: 'From JSON' }],
      campaign: 'spring',
    });
  });

  test('post get many', async () => {
    await bench.run({
      resource: 'post',
      operation: 'getAll',
      limit: 5,
      options: { offset: 10, pageSize: 20 },
    });
    expect(bench.onlyRequest()).toMatchObject({
      method: 'GET',
      path: '/api/v1/posts',
      query: { workspaceId: '1', limit: '5', offset: '10' },
      body: undefined,
    });
  });

  test.each(['account', 'agent'])('%s get many', async (resource) => {
    await bench.run({ resource, operation: 'getAll', returnAll: true });
    const request = bench.onlyRequest();
    expect(request).toMatchObject({ method: 'GET', path: `/api/v1/${resource}s`, body: undefined });
    expect(request.query).toStrictEqual({ workspaceId: '1' });
  });

  test('analytics get with days of its own', async () => {
    await bench.run({
      resource: 'analytics',
      operation: 'get',
      period: 'custom',
      customDays: 14,
    });
    const request = bench.onlyRequest();
    expect(request).toMatchObject({ method: 'GET', path: '/api/v1/analytics', body: undefined });
    expect(request.query).toStrictEqual({ workspaceId: '1', period: '14d' });
  });

  test('agent create with a config', async () => {
    await bench.run({
      resource: 'agent',
      operation: 'create',
      name: 'Scout',
      type: 'custom',
      customType: 'research',
      scheduleMode: 'everyWeek',
      weekday: 0,
      hour: 3,
      minute: 0,
      isActive: false,
      config: { targetPlatforms: 'instagram, linkedin', aiProvider: 'openai' },
      options: { configJson: '{ "depth": 2 }' },
    });
    const request = bench.onlyRequest();
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/agents' });
    expect(request.body).toStrictEqual({
      workspaceId: 1,
      name: 'Scout',
      type: 'research',
      schedule: '0 3 * * 0',
      isActive: false,
      config: { targetPlatforms: ['instagram', 'linkedin'], aiProvider: 'openai', depth: 2 },
    });
  });
});

test('1,234 posts at a page size of 100 are 13 requests, in order, none twice', async () => {
  const large = await Bench.open({ seed: false }, 'Large account');
  try {
    addAccount(large.sandbox, { platformUsername: 'x', displayName: 'X' });
    const posts = large.sandbox.addPosts(1234);
    const { json } = await large.run({ resource: 'post', operation: 'getAll', returnAll: true });
    expect(json.map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
    expect(large.sandbox.requests).toHaveLength(13);
  } finally {
    await large.close();
  }
});

test('every item that comes out is linked to the one it came from', async () => {
  const { items } = await bench.run(
    { resource: 'analytics', operation: 'get', period: '={{ $json.period }}' },
    { items: [{ period: '7d' }, { period: '30d' }, { period: '90d' }] },
  );
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
    { item: 0 },
    { item: 1 },
    { item: 2 },
  ]);
});
