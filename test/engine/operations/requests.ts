import type { IDataObject } from 'n8n-workflow';

import type { WorkflowFixture } from '../harness';
import { nodeError, readWorkflow, records, useSandbox, withParameters } from '../harness';

const service = useSandbox();

const run = (workflow: WorkflowFixture, ...input: IDataObject[]) => service.run(workflow, input);

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const addAccount = (platform: string, platformUsername: string, isActive = true) =>
  service.sandbox.store.addAccount({
    workspaceId: 1,
    platform,
    platformUsername,
    displayName: 'Blue Door Bakery',
    isActive,
  });

describe('every request', () => {
  test('carries the key of the credential and asks for JSON', async () => {
    await run(readWorkflow('post.getAll'), {});

    expect(service.sandbox.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer sandbox_demo_pro',
      accept: 'application/json',
    });
  });

  test.each(['', '  '])(
    "takes the workspace of the node before the credential's, unless it is %j",
    async (empty) => {
      service.sandbox.store.addWorkspace('Second');
      const workflow = withParameters(readWorkflow('agent.getAll'), 'Get agents', {
        options: { workspaceId: '={{ $json.workspace }}' },
      });

      await run(workflow, { workspace: 2 }, { workspace: empty });

      expect(service.wire().sort()).toEqual([
        'GET /api/v1/agents?workspaceId=1',
        'GET /api/v1/agents?workspaceId=2',
      ]);
    },
  );
});

describe('post create', () => {
  test.each([
    [{ content: 'Hi' }, { content: 'Hi', mediaUrls: ['https://media.example/all.jpg'] }],
    [
      { mediaUrls: 'https://media.example/own.jpg' },
      { content: 'Hello', mediaUrls: ['https://media.example/own.jpg'] },
    ],
  ])('an account with %j of its own publishes the rest as all do', async (own, sent) => {
    const account = addAccount('x', 'bluedoor').id;
    const socialAccountId = { __rl: true, mode: 'id', value: String(account) };
    const workflow = withParameters(readWorkflow('post.create'), 'Create post', {
      accounts: [1, account],
      content: 'Hello',
      mediaUrls: 'https://media.example/all.jpg',
      overrides: { override: [{ socialAccountId, ...own }] },
    });

    await run(workflow, { publishAt: '2035-01-15T09:30' });

    expect(JSON.parse(String(service.sandbox.requests.at(-1)?.body))).toMatchObject({
      variants: [
        { socialAccountId: 1, content: 'Hello', mediaUrls: ['https://media.example/all.jpg'] },
        { socialAccountId: account, ...sent },
      ],
    });
  });

  test('the status may come from an expression', async () => {
    await run(
      withParameters(readWorkflow('post.create'), 'Create post', {
        options: { status: '={{ $json.status }}' },
      }),
      { publishAt: '2035-01-15T09:30', account: 1, text: 'Hello', status: 'draft' },
    );
    expect(JSON.parse(String(service.sandbox.requests[0]?.body))).toMatchObject({
      status: 'draft',
    });
  });

  test.each([42, false])('%j as text is sent as text', async (text) => {
    await run(readWorkflow('post.create'), { publishAt: '2035-01-15T09:30', account: 1, text });

    const { variants } = JSON.parse(String(service.sandbox.requests[0]?.body)) as IDataObject;
    expect(variants).toContainEqual(expect.objectContaining({ content: String(text) }));
  });

  beforeEach(() => {
    addAccount('instagram', 'bluedoorbakery');
    addAccount('x', 'bluedoorbakes');
  });

  test('sends a variant for each account and returns the post', async () => {
    const result = await run(readWorkflow('post.create'), {
      publishAt: '2035-01-15T09:30:00',
      account: 1,
      text: 'Fresh „Brot“ 🥖\nevery day',
      media: 'https://example.com/a.jpg\nhttps://example.com/b,c.mp4',
    });

    expect(service.wire()).toEqual([
      'POST /api/v1/posts {"workspaceId":1,"status":"scheduled","scheduledAt":"2035-01-15T08:30:00.000Z","variants":[' +
        '{"socialAccountId":1,"content":"Fresh „Brot“ 🥖\\nevery day","mediaUrls":["https://example.com/a.jpg","https://example.com/b,c.mp4"]},' +
        '{"socialAccountId":2,"content":"The same on another platform","mediaUrls":["https://example.com/a.jpg","https://example.com/b,c.mp4"]}]}',
    ]);
    expect(service.sandbox.requests[0]?.headers['content-type']).toBe('application/json');
    expect(records(result, 'Create post')).toEqual([
      {
        id: 1,
        workspaceId: 1,
        status: 'scheduled',
        scheduledAt: '2035-01-15T08:30:00.000Z',
        createdAt: expect.stringMatching(timestamp) as string,
        due: 'Mon 15 Jan 2035, 09:30 (Europe/Berlin)',
      },
    ]);
  });

  test('sends the variants of a JSON field, a custom status and custom body fields', async () => {
    const variants = [
      { socialAccountId: 2, content: 'Hello', mediaUrls: [] },
      { socialAccountId: '1', mediaUrls: ['https://example.com/a.jpg'], altText: 'A loaf' },
    ];

    const result = await run(
      readWorkflow('post.create.json'),
      { workspace: '1', variants },
      { workspace: 1, variants: JSON.stringify(variants) },
    );

    const sent =
      'POST /api/v1/posts {"workspaceId":1,"status":"draft","scheduledAt":"2035-01-15T09:30:00.000Z","variants":[{"socialAccountId":2,"content":"Hello"},' +
      '{"socialAccountId":1,"mediaUrls":["https://example.com/a.jpg"],"altText":"A loaf"}],"campaign":"spring"}';
    expect(service.wire()).toEqual([sent, sent]);
    expect(records(result, 'Create post')).toMatchObject([
      { id: 1, status: 'draft' },
      { id: 2, status: 'draft' },
    ]);
  });

  test.each([
    ['2035-07-01T12:00', 'Europe/Berlin', '2035-07-01T10:00:00.000Z'],
    ['2035-07-01T12:00:00+05:30', 'America/New_York', '2035-07-01T06:30:00.000Z'],
    [2066904000, 'Asia/Tokyo', '2035-07-01T12:00:00.000Z'],
    [
      "={{ DateTime.fromISO('2035-07-01T12:00', { zone: 'Asia/Tokyo' }) }}",
      'UTC',
      '2035-07-01T03:00:00.000Z',
    ],
    ['={{ new Date(Date.UTC(2035, 6, 1, 12)) }}', 'Asia/Tokyo', '2035-07-01T12:00:00.000Z'],
  ])('sends %s in %s as %s', async (given, timezone, sent) => {
    const workflow = withParameters(readWorkflow('post.create'), 'Create post', {
      scheduledAt: String(given).startsWith('={{') ? given : '={{ $json.at }}',
    });

    await service.run(workflow, [{ at: given, account: 1, text: 'Hello' }], { timezone });

    expect(JSON.parse(String(service.sandbox.requests[0]?.body))).toMatchObject({
      scheduledAt: sent,
    });
  });
});

describe('post get many', () => {
  test('asks for a page and returns the posts', async () => {
    service.sandbox.addPosts(2, { scheduledAt: '2035-01-01T00:00:00.000Z' });

    const result = await run(readWorkflow('post.getAll'), {});

    expect(service.wire()).toEqual(['GET /api/v1/posts?workspaceId=1&limit=100&offset=0']);
    expect(records(result, 'Get posts')).toEqual(
      [1, 2].map((id) => ({
        id,
        workspaceId: 1,
        status: 'scheduled',
        scheduledAt: '2035-01-01T00:00:00.000Z',
        createdAt: expect.stringMatching(timestamp) as string,
      })),
    );
  });

  test('asks for no more than Limit, from Offset on', async () => {
    service.sandbox.addPosts(9);
    const workflow = withParameters(readWorkflow('post.getAll'), 'Get posts', {
      returnAll: false,
      limit: 3,
      options: { offset: 5 },
    });

    const result = await run(workflow, {});

    expect(service.wire()).toEqual(['GET /api/v1/posts?workspaceId=1&limit=3&offset=5']);
    expect(records(result, 'Get posts').map(({ id }) => id)).toEqual([6, 7, 8]);
  });
});

describe('account get many', () => {
  beforeEach(() => {
    addAccount('instagram', 'bluedoorbakery');
    addAccount('tiktok', 'bluedoor', false);
  });

  test('returns the documented fields of the accounts and no secret', async () => {
    const result = await run(readWorkflow('account.getAll'), { workspace: '' });

    expect(service.wire()).toEqual(['GET /api/v1/accounts?workspaceId=1']);
    expect(records(result, 'Get accounts')).toEqual([
      {
        id: 1,
        platform: 'instagram',
        platformUsername: 'bluedoorbakery',
        displayName: 'Blue Door Bakery',
        isActive: true,
      },
      {
        id: 2,
        platform: 'tiktok',
        platformUsername: 'bluedoor',
        displayName: 'Blue Door Bakery',
        isActive: false,
      },
    ]);
  });
});

describe('analytics get', () => {
  const analytics = {
    totalPosts: 12,
    publishedThisWeek: 3,
    totalImpressions: 4800,
    totalEngagements: 96,
    engagementRate: 2.5,
    topPlatform: 'instagram',
    platformBreakdown: {
      instagram: { posts: 8, impressions: 4000 },
      x: { posts: 4, impressions: 800 },
    },
  };

  beforeEach(() => {
    service.sandbox.faults.add({
      kind: 'wrongShape',
      body: { analytics },
      method: 'GET',
      path: '/analytics',
    });
  });

  test('sends the period and returns the summary', async () => {
    const result = await run(readWorkflow('analytics.get'), { period: '7d' }, { period: '90d' });

    expect(service.wire().sort()).toEqual([
      'GET /api/v1/analytics?workspaceId=1&period=7d',
      'GET /api/v1/analytics?workspaceId=1&period=90d',
    ]);
    expect(records(result, 'Get analytics')).toEqual([analytics, analytics]);
  });

  test('sends a number of days, and splits the summary by platform', async () => {
    const workflow = withParameters(readWorkflow('analytics.get'), 'Get analytics', {
      period: 'custom',
      customDays: 14,
      options: { splitByPlatform: true },
    });

    const result = await run(workflow, {});

    expect(service.wire()).toEqual(['GET /api/v1/analytics?workspaceId=1&period=14d']);
    expect(records(result, 'Get analytics')).toEqual([
      { platform: 'instagram', posts: 8, impressions: 4000 },
      { platform: 'x', posts: 4, impressions: 800 },
    ]);
  });

  test('splits figures that are no object, or have a platform of their own', async () => {
    service.sandbox.faults.clear();
    const platformBreakdown = { x: 12, tiktok: { platform: 'TikTok', posts: 3 }, other: null };
    service.sandbox.faults.add({
      kind: 'status',
      status: 200,
      body: { analytics: { platformBreakdown } },
    });
    const workflow = withParameters(readWorkflow('analytics.get'), 'Get analytics', {
      period: '7d',
      options: { splitByPlatform: true },
    });

    expect(records(await run(workflow, {}), 'Get analytics')).toEqual([
      { platform: 'x', figures: 12 },
      { platform: 'tiktok', posts: 3, platformName: 'TikTok' },
      { platform: 'other', figures: null },
    ]);
  });

  test('a summary without figures of platforms cannot be split', async () => {
    service.sandbox.faults.clear();
    const body = { analytics: { totalPosts: 3 } };
    service.sandbox.faults.add({ kind: 'wrongShape', body });
    const workflow = withParameters(readWorkflow('analytics.get'), 'Get analytics', {
      period: '30d',
      options: { splitByPlatform: true },
    });

    const { message, context } = nodeError(await run(workflow, {}), 'Get analytics');

    expect(context).toMatchObject({ field: 'options.splitByPlatform', certainty: 'failed' });
    expect(message).toContain('"platformBreakdown"');
  });

  test('computes nothing itself: what the service returns is passed on', async () => {
    service.sandbox.faults.clear();

    const result = await run(readWorkflow('analytics.get'), { period: '30d' });

    expect(records(result, 'Get analytics')).toEqual([
      {
        totalPosts: 0,
        publishedThisWeek: 0,
        totalImpressions: 0,
        totalEngagements: 0,
        engagementRate: 0,
        topPlatform: '',
        platformBreakdown: {},
      },
    ]);
  });
});

describe('agents', () => {
  const agent = {
    name: 'Morning Ideas',
    schedule: '0 6 * * 1-5',
    active: true,
  };

  test('the type may come from an expression', async () => {
    await run(
      withParameters(readWorkflow('agent.create'), 'Save agent', { type: '={{ $json.type }}' }),
      { ...agent, type: 'engagement' },
    );
    expect(JSON.parse(String(service.sandbox.requests[0]?.body))).toMatchObject({
      type: 'engagement',
    });
  });

  test('create sends the documented fields and returns the agent', async () => {
    const result = await run(readWorkflow('agent.create'), agent);

    expect(service.wire()).toEqual([
      'POST /api/v1/agents {"workspaceId":1,"name":"Morning Ideas","type":"seo","schedule":"0 6 * * 1-5","isActive":true,' +
        '"config":{"targetPlatforms":["instagram","x"],"aiProvider":"openai"}}',
    ]);
    expect(records(result, 'Save agent')).toEqual([
      {
        id: 1,
        name: 'Morning Ideas',
        type: 'seo',
        isActive: true,
        schedule: '0 6 * * 1-5',
        nextRunAt: expect.stringMatching(timestamp) as string,
      },
    ]);
  });

  test('a custom type is sent as it is', async () => {
    const workflow = withParameters(readWorkflow('agent.create'), 'Save agent', {
      type: 'custom',
      customType: 'community',
    });

    await run(workflow, agent);

    expect(JSON.parse(String(service.sandbox.requests[0]?.body))).toMatchObject({
      type: 'community',
    });
  });

  test('update sends the id and what was added, and nothing else', async () => {
    await run(readWorkflow('agent.create'), agent);
    service.sandbox.clearRequests();

    const result = await run(readWorkflow('agent.update'), { agent: '1' });

    expect(service.wire()).toEqual([
      'POST /api/v1/agents {"workspaceId":1,"id":1,"isActive":false,"config":{"tone":"warm"}}',
    ]);
    expect(records(result, 'Save agent')).toMatchObject([
      { id: 1, name: 'Morning Ideas', isActive: false },
    ]);
  });

  test.each([
    ['true', true],
    ['false', false],
    [true, true],
  ])('an activity that an expression gives as %j is sent as %j', async (active, sent) => {
    const workflow = withParameters(readWorkflow('agent.update'), 'Save agent', {
      updateFields: { isActive: '={{ $json.active }}' },
    });

    await run(workflow, { agent: 1, active });

    expect(JSON.parse(String(service.sandbox.requests[0]?.body))).toMatchObject({
      isActive: sent,
    });
  });

  test('get many returns the agents with their last run', async () => {
    await run(readWorkflow('agent.create'), agent, {
      ...agent,
      name: 'Evening Ideas',
      active: false,
    });
    service.sandbox.clearRequests();

    const result = await run(readWorkflow('agent.getAll'), {});

    expect(service.wire()).toEqual(['GET /api/v1/agents?workspaceId=1']);
    expect(records(result, 'Get agents')).toEqual([
      {
        id: 1,
        name: 'Morning Ideas',
        type: 'seo',
        isActive: true,
        schedule: '0 6 * * 1-5',
      },
      {
        id: 2,
        name: 'Evening Ideas',
        type: 'seo',
        isActive: false,
        schedule: '0 6 * * 1-5',
      },
    ]);
  });
});
