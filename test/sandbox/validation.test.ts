import { type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody } from './helpers';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(() => sandbox.close());

const variant = { socialAccountId: 1, content: 'Hello' };
const agent = { workspaceId: 1, name: 'A', type: 'content', schedule: '0 9 * * *' };

describe('POST /posts rejects', () => {
  const cases: Array<[string, Record<string, unknown>]> = [
    ['workspaceId', { workspaceId: undefined }],
    ['workspaceId', { workspaceId: '1' }],
    ['workspaceId', { workspaceId: 1.5 }],
    ['workspaceId', { workspaceId: 0 }],
    ['workspaceId', { workspaceId: null }],
    ['status', { status: undefined }],
    ['status', { status: '' }],
    ['status', { status: 1 }],
    ['scheduledAt', { scheduledAt: undefined }],
    ['scheduledAt', { scheduledAt: null }],
    ['scheduledAt', { scheduledAt: 1_900_000_000_000 }],
    ['scheduledAt', { scheduledAt: '2040-01-02' }],
    ['scheduledAt', { scheduledAt: '2040-01-02T03:04:05Z' }],
    ['scheduledAt', { scheduledAt: '2040-01-02T03:04:05.678' }],
    ['scheduledAt', { scheduledAt: '2040-01-02T03:04:05.678+00:00' }],
    ['scheduledAt', { scheduledAt: '2040-01-02T03:04:05.6789Z' }],
    ['scheduledAt', { scheduledAt: '2040-02-30T03:04:05.678Z' }],
    ['scheduledAt', { scheduledAt: ' 2040-01-02T03:04:05.678Z' }],
    ['variants', { variants: undefined }],
    ['variants', { variants: [] }],
    ['variants', { variants: variant }],
    ['variants[0]', { variants: ['Hello'] }],
    ['variants[0].socialAccountId', { variants: [{ content: 'x' }] }],
    ['variants[0].socialAccountId', { variants: [{ ...variant, socialAccountId: '1' }] }],
    ['variants[0].socialAccountId', { variants: [{ ...variant, socialAccountId: 99 }] }],
    ['variants[1].socialAccountId', { variants: [variant, { ...variant, socialAccountId: 1.5 }] }],
    ['variants[0].content', { variants: [{ socialAccountId: 1 }] }],
    ['variants[0].content', { variants: [{ socialAccountId: 1, content: ' ', mediaUrls: [] }] }],
    ['variants[1].content', { variants: [variant, { socialAccountId: 1, content: 5 }] }],
    ['variants[0].mediaUrls', { variants: [{ ...variant, mediaUrls: 'https://a.example/' }] }],
    ['variants[0].mediaUrls[0]', { variants: [{ ...variant, mediaUrls: ['/a.png'] }] }],
    ['variants[0].mediaUrls[0]', { variants: [{ ...variant, mediaUrls: ['ftp://a.example/a'] }] }],
    ['variants[0].mediaUrls[0]', { variants: [{ ...variant, mediaUrls: ['https:a.example'] }] }],
    ['variants[0].mediaUrls[1]', { variants: [{ ...variant, mediaUrls: ['http://a.b/', null] }] }],
  ];

  test.each(cases)('%s in %j', async (field, overrides) => {
    const before = sandbox.store.posts.length;
    const { status, json } = await callApi(sandbox, '/posts', { body: postBody(overrides) });
    expect(status).toBe(422);
    expect(json?.error).toMatchObject({ field });
    expect((json?.error as { message: string }).message).toContain(
      field === 'variants[0].socialAccountId' ? 'ccount' : field,
    );
    expect(sandbox.store.posts).toHaveLength(before);
  });

  test('an account of another workspace', async () => {
    const { id } = sandbox.store.addWorkspace('Another');
    const { status, json } = await callApi(sandbox, '/posts', {
      body: postBody({ workspaceId: id }),
    });
    expect(status).toBe(422);
    expect(json?.error).toMatchObject({ field: 'variants[0].socialAccountId' });
  });
});

describe('POST /agents rejects', () => {
  const cases: Array<[string, Record<string, unknown>]> = [
    ['workspaceId', { workspaceId: '1' }],
    ['name', { name: undefined }],
    ['name', { name: ' ' }],
    ['type', { type: 3 }],
    ['schedule', { schedule: undefined }],
    ['schedule', { schedule: '0 9 * *' }],
    ['schedule', { schedule: '0 0 9 * * *' }],
    ['schedule', { schedule: '@daily' }],
    ['schedule', { schedule: '61 * * * *' }],
    ['schedule', { schedule: '0 0 31 2 *' }],
    ['schedule', { schedule: 'a b c d e' }],
    ['isActive', { isActive: 'true' }],
    ['isActive', { isActive: 1 }],
    ['config', { config: [] }],
    ['config.targetPlatforms', { config: { targetPlatforms: 'x' } }],
    ['config.targetPlatforms[1]', { config: { targetPlatforms: ['x', 1] } }],
    ['config.aiProvider', { config: { aiProvider: null } }],
    ['id', { id: '1' }],
  ];

  test.each(cases)('%s in %j', async (field, overrides) => {
    const { status, json } = await callApi(sandbox, '/agents', {
      body: { ...agent, ...overrides },
    });
    expect(status).toBe(422);
    expect(json?.error).toMatchObject({ field });
    expect(sandbox.store.agents).toHaveLength(3);
  });
});

describe('GET rejects', () => {
  const cases: Array<[string, string]> = [
    ['workspaceId', '/posts'],
    ['workspaceId', '/accounts'],
    ['workspaceId', '/analytics?period=7d'],
    ['workspaceId', '/agents?workspaceId='],
    ['workspaceId', '/posts?workspaceId=one'],
    ['workspaceId', '/posts?workspaceId=1.0'],
    ['workspaceId', '/posts?workspaceId=-1'],
    ['workspaceId', '/posts?workspaceId=1&workspaceId=1'],
    ['limit', '/posts?workspaceId=1&limit=0'],
    ['limit', '/posts?workspaceId=1&limit=-5'],
    ['limit', '/posts?workspaceId=1&limit=ten'],
    ['offset', '/posts?workspaceId=1&offset=-1'],
    ['offset', '/posts?workspaceId=1&offset=1.5'],
    ['period', '/analytics?workspaceId=1&period=7'],
    ['period', '/analytics?workspaceId=1&period=d'],
    ['period', '/analytics?workspaceId=1&period=0d'],
    ['period', '/analytics?workspaceId=1&period=7D'],
  ];

  test.each(cases)('%s in %s', async (field, path) => {
    const { status, json } = await callApi(sandbox, path);
    expect(status).toBe(400);
    expect(json?.error).toMatchObject({ field });
  });

  test.each(['/posts', '/accounts', '/analytics', '/agents'])(
    'an unknown workspace at %s',
    async (path) => {
      const { status, json } = await callApi(sandbox, `${path}?workspaceId=77`);
      expect(status).toBe(404);
      expect(json?.error).toMatchObject({ field: 'workspaceId' });
    },
  );
});

describe('an unreadable body', () => {
  test.each([
    ['nothing', ''],
    ['broken JSON', '{"workspaceId":1'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a byte order mark', '\ufeff{}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s gives 400', async (_name, body) => {
    const { status, json } = await callApi(sandbox, '/posts', { method: 'POST', body });
    expect(status).toBe(400);
    expect(json?.error).toMatchObject({ code: 'malformed_json' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'of type %s gives 415',
    async (contentType) => {
      const headers = { 'Content-Type': contentType };
      const { status } = await callApi(sandbox, '/posts', { body: postBody(), headers });
      expect(status).toBe(415);
    },
  );

  test('a charset is accepted', async () => {
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    const { status } = await callApi(sandbox, '/posts', { body: postBody(), headers });
    expect(status).toBe(201);
  });
});
