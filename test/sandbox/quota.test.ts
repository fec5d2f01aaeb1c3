import { type Sandbox, startSandbox } from '../../sandbox';
import { countRequest } from '../../sandbox/api/quota';
import { Store } from '../../sandbox/records/store';
import { callApi } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

function rateLimitOf(headers: Headers) {
  return ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
}

test.each([
  ['pro', 1_000],
  ['business', 50_000],
  ['agency', 500_000],
] as const)('a %s key has %i requests a month', async (plan, limit) => {
  const options = { key: sandbox.keys[plan] };
  const first = await callApi(sandbox, '/accounts?workspaceId=1', options);
  const second = await callApi(sandbox, '/nothing', options);
  expect(rateLimitOf(first.headers).slice(0, 2)).toEqual([limit, limit - 1]);
  expect(rateLimitOf(second.headers).slice(0, 2)).toEqual([limit, limit - 2]);
});

test('the reset is the start of the next month in UTC, in Unix seconds', async () => {
  const { headers } = await callApi(sandbox, '/accounts?workspaceId=1');
  const reset = new Date((rateLimitOf(headers)[2] ?? 0) * 1000);
  const lastSecond = new Date(reset.getTime() - 1000);
  expect(reset.toISOString()).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
  expect(lastSecond.toISOString().slice(0, 7)).toBe(new Date().toISOString().slice(0, 7));
});

test('a Creator key has no API access', async () => {
  const { status, headers, json } = await callApi(sandbox, '/accounts?workspaceId=1', {
    key: sandbox.keys.creator,
  });
  expect(status).toBe(403);
  expect(json?.error).toMatchObject({ code: 'no_api_access' });
  expect(rateLimitOf(headers).slice(0, 2)).toEqual([0, 0]);
});

test('a request without a valid key has no quota and counts toward none', async () => {
  const { headers } = await callApi(sandbox, '/accounts?workspaceId=1', { key: 'wrong' });
  expect(rateLimitOf(headers).slice(0, 2)).toEqual([0, 0]);
  expect(sandbox.store.keys.map(({ usage }) => usage.used)).toEqual([0, 0, 0, 0]);
});

test('a used-up quota gives 429 with Retry-After, and the request neither acts nor counts', async () => {
  const key = sandbox.store.findKey(sandbox.keys.pro);
  if (!key) throw new Error('The Pro key is missing.');
  key.usage.used = 999;
  const last = await callApi(sandbox, '/accounts?workspaceId=1', { key: key.key });
  expect(last.status).toBe(200);
  expect(rateLimitOf(last.headers)[1]).toBe(0);

  const posts = sandbox.store.posts.length;
  for (const path of ['/posts', '/agents']) {
    const { status, headers, json } = await callApi(sandbox, path, { key: key.key, body: {} });
    expect(status).toBe(429);
    expect(json?.error).toMatchObject({ code: 'quota_exceeded' });
    const [limit, remaining, reset] = rateLimitOf(headers);
    expect([limit, remaining]).toEqual([1_000, 0]);
    const retryAt = Math.floor(Date.now() / 1000) + Number(headers.get('retry-after'));
    expect(Math.abs(retryAt - (reset ?? 0))).toBeLessThanOrEqual(2);
  }
  expect(sandbox.store.posts).toHaveLength(posts);
  expect(key.usage.used).toBe(1_000);
  const other = await callApi(sandbox, '/accounts?workspaceId=1', { key: sandbox.keys.business });
  expect(other.status).toBe(200);
});

test('a revoked key is not valid', async () => {
  const key = sandbox.store.addKey({ name: 'Short-lived', plan: 'pro' });
  expect((await callApi(sandbox, '/accounts?workspaceId=1', { key: key.key })).status).toBe(200);
  key.isActive = false;
  expect((await callApi(sandbox, '/accounts?workspaceId=1', { key: key.key })).status).toBe(401);
});

test('a new month starts with a full quota', () => {
  const key = new Store().addKey({ name: 'Pro', plan: 'pro' });
  const december = new Date('2030-12-31T23:59:59.999Z');
  key.usage = { month: '2030-12', used: 999 };
  expect(countRequest(key, december)).toEqual({
    allowed: true,
    limit: 1_000,
    remaining: 0,
    reset: Date.parse('2031-01-01T00:00:00Z') / 1000,
  });
  expect(countRequest(key, december)).toMatchObject({ allowed: false, remaining: 0 });
  expect(countRequest(key, new Date('2031-01-01T00:00:00Z'))).toEqual({
    allowed: true,
    limit: 1_000,
    remaining: 999,
    reset: Date.parse('2031-02-01T00:00:00Z') / 1000,
  });
});
