import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { addAccount, addAgent } from '../../support/records';
import { callingTool, records, useSandbox } from '../harness';

const service = useSandbox();

/** What a model is answered that calls the tool as it arrives in the editor, call by call. */
async function answers(parameters: INodeParameters, ...calls: IDataObject[]): Promise<unknown[]> {
  const run = await service.run(callingTool({ parameters }), calls);
  return records(run, 'Caller').map(({ answer }) => answer);
}

test('a model pauses the agent that it names, and must say which and whether it runs', async () => {
  addAgent(service.sandbox, {
    name: 'Ideas',
    schedule: '0 9 * * *',
    nextRunAt: '2035-01-01T09:00:00.000Z',
  });

  expect(
    await answers(
      { resource: 'agent', operation: 'update' },
      { agent_id: 1, active: false },
      { agent_id: 1 },
      { active: false },
    ),
  ).toEqual([
    expect.stringContaining('"isActive":false'),
    expect.stringMatching(/Required\s+→ at active/),
    expect.stringMatching(/Required\s+→ at agent_id/),
  ]);

  expect(service.sandbox.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { workspaceId: 1, id: 1, isActive: false },
  ]);
});

test('a model reads the analytics of any number of days, and is told what a period is', async () => {
  expect(
    await answers(
      { resource: 'analytics', operation: 'get' },
      { period: 'last week' },
      { period: '14d' },
    ),
  ).toEqual([
    expect.stringMatching(/^Period .*"last week".*\b30d\b/s),
    expect.stringContaining('"totalPosts":0'),
  ]);

  expect(service.wire()).toEqual(['GET /api/v1/analytics?workspaceId=1&period=14d']);
});

test('a model is told what it can do about a time: no option, no expression, but the time it is', async () => {
  addAccount(service.sandbox);
  const call = { text: 'Hello', media_urls: '', accounts: 'x' };
  const parameters = {
    resource: 'post',
    operation: 'create',
    accounts: "={{ $fromAI('accounts', ``, 'string') }}",
    content: "={{ $fromAI('text', ``, 'string') }}",
    scheduledAt: "={{ $fromAI('publish_at', ``, 'string') }}",
  };
  const told = await answers(
    parameters,
    { ...call, publish_at: '2020-01-05T10:00' },
    { ...call, publish_at: '12/05/2035' },
    { ...call, publish_at: 'tomorrow 9am' },
  );

  for (const answer of told) {
    expect(answer).toMatch(/ISO 8601.* \d{4}-.+T09:00\..* \d{4}-.+ UTC/);
    expect(answer).not.toMatch(/option|Paste/);
  }
});

describe('a list that a model reads', () => {
  const posts = (more: INodeParameters = {}): INodeParameters => ({
    resource: 'post',
    operation: 'getAll',
    ...more,
  });

  /** The answer to one call. */
  async function listed(parameters: INodeParameters, call: IDataObject = {}): Promise<unknown> {
    const [answer] = await answers(parameters, call);
    return (JSON.parse(String(answer)) as unknown[])[0];
  }

  test('has all pages, and says how many there are', async () => {
    service.sandbox.addPosts(150);

    const answer = await listed(posts());

    expect(answer).toMatchObject({ count: 150 });
    expect((answer as { posts: unknown[] }).posts).toHaveLength(150);
  });

  test.each([
    ['without a filter', {}, 150, 1],
    ['with one', { due_before: '2034-06-01' }, 120, 2],
  ])('says how many there are behind the limit of the user, %s', async (_, call, count, pages) => {
    service.sandbox.addPosts(120, { scheduledAt: '2034-01-01T00:00:00.000Z' });
    service.sandbox.addPosts(30, { scheduledAt: '2035-01-01T00:00:00.000Z' });

    const answer = await listed(posts({ returnAll: false, limit: 5 }), call);

    expect(answer).toMatchObject({
      count,
      note: expect.stringMatching(new RegExp(`\\b5\\b.*\\b${count}\\b`)) as string,
      posts: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }, { id: 5 }],
    });
    expect(service.wire()).toHaveLength(pages);
  });

  test('is one answer also when nothing is there', async () => {
    expect(await listed(posts())).toEqual({ count: 0, posts: [] });
    expect(await listed({ resource: 'agent', operation: 'getAll' })).toEqual({
      count: 0,
      agents: [],
    });
  });

  test('of accounts has all, and says how many', async () => {
    for (let index = 0; index < 60; index++) addAccount(service.sandbox);

    expect(await listed({ resource: 'account', operation: 'getAll' })).toMatchObject({ count: 60 });
  });
});

describe('a post that a model creates', () => {
  const create: INodeParameters = { resource: 'post', operation: 'create' };
  const call = { text: 'For all', accounts: '1, linkedin', publish_at: '2035-01-01T09:00' };

  beforeEach(() => {
    addAccount(service.sandbox);
    for (const [platform, platformUsername, isActive] of [
      ['linkedin', 'door', true],
      ['tiktok', 'old', false],
    ] as const) {
      addAccount(service.sandbox, {
        platform,
        platformUsername,
        displayName: platformUsername,
        isActive,
      });
    }
  });

  test('gives an account a text of its own', async () => {
    const own = { '@door': 'For LinkedIn' };

    await answers(create, { ...call, texts_for_accounts: JSON.stringify(own) }, call);

    expect(service.sandbox.store.posts.map(({ variants }) => variants)).toMatchObject([
      [
        { socialAccountId: 1, content: 'For all' },
        { socialAccountId: 2, content: 'For LinkedIn' },
      ],
      [
        { socialAccountId: 1, content: 'For all' },
        { socialAccountId: 2, content: 'For all' },
      ],
    ]);
  });

  test.each([
    ['{ "tiktok": "No" }', /^Texts for Some Accounts .*\b3\b.*\bAccounts\b/],
    ['{ "linkedin": "A", "2": "B" }', /^Texts for Some Accounts .*\b2\b/],
    ['For LinkedIn', /^Texts for Some Accounts .*JSON/],
    ['{ "myspace": "A" }', /^Texts for Some Accounts .*"myspace"/],
  ])('of its own is refused where it fits no account: %s', async (texts, answer) => {
    expect(await answers(create, { ...call, texts_for_accounts: texts })).toEqual([
      expect.stringMatching(answer),
    ]);
    expect(service.sandbox.store.posts).toEqual([]);
  });

  test('comes with a warning of an account that is inactive', async () => {
    const [named, byId] = await answers(
      create,
      { ...call, accounts: 'tiktok' },
      { ...call, text: 'Other', accounts: '3' },
    );

    expect(named).toMatch(/"warnings":\["[^"]*TikTok: old \(@old\)/);
    expect(byId).not.toContain('warnings');
    expect(service.wire().filter((line) => line.startsWith('GET'))).toHaveLength(1);
  });

  test('comes with the warning of an account given by ID where the accounts are read anyway', async () => {
    const text = 'A'.repeat(300);

    expect(await answers(create, { ...call, text, accounts: '3' })).toEqual([
      expect.stringMatching(/"warnings":\[.*TikTok: old \(@old\)/),
    ]);
  });
});

describe('what a model is told', () => {
  const create: INodeParameters = { resource: 'post', operation: 'create' };
  const call = { text: 'Hello', accounts: '1', publish_at: '2035-01-01T09:00' };

  test.each<[string, INodeParameters, () => void]>([
    ['of a quota that is kept', { keepRequests: 5000 }, () => undefined],
    [
      'of too many requests',
      {},
      () =>
        service.sandbox.faults.add({
          kind: 'status',
          status: 429,
          headers: { 'retry-after': '60' },
        }),
    ],
    [
      'of a time that is taken',
      { ifScheduled: 'fail' },
      () => service.sandbox.addPosts(1, { scheduledAt: '2035-01-01T09:00:00.000Z' }),
    ],
  ])('names no option and comes once: %s', async (_, options, prepare) => {
    addAccount(service.sandbox);
    prepare();

    const told = await answers({ ...create, options }, call, { ...call, text: 'Other' });

    const answer = told.at(-1);
    expect(answer).toMatch(/\[item 0\]$/);
    expect(answer).not.toMatch(/option|Details:/);
  });
});
