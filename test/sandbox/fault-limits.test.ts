import { setTimeout as sleep } from 'node:timers/promises';

import { type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

const list = () => callApi(sandbox, '/posts?workspaceId=1');

async function statusesOf(count: number, request = list): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => request()));
  return responses.map(({ status }) => status).sort();
}

describe('a concurrency limit', () => {
  test('allows so many requests at once, and again as soon as they are over', async () => {
    const rule = sandbox.faults.add({ kind: 'concurrencyLimit', limit: 2 });
    sandbox.faults.add({ kind: 'latency', ms: 300 });
    expect(await statusesOf(5)).toEqual([200, 200, 429, 429, 429]);
    expect(await statusesOf(2)).toEqual([200, 200]);
    expect(rule).toMatchObject({ matched: 7, hits: 3 });
  });

  test('never rejects requests that come one after the other', async () => {
    sandbox.faults.add({ kind: 'concurrencyLimit', limit: 1 });
    const statuses = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await list()).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('does not process what it rejects, and sends its Retry-After', async () => {
    const count = sandbox.store.posts.length;
    sandbox.faults.add({ kind: 'concurrencyLimit', limit: 0, retryAfter: 3 });
    const { status, headers } = await callApi(sandbox, '/posts', { body: postBody() });
    expect([status, headers.get('retry-after')]).toEqual([429, '3']);
    expect(sandbox.store.posts).toHaveLength(count);
  });

  test('admits another request when a client leaves', async () => {
    sandbox.faults.add({ kind: 'concurrencyLimit', limit: 1 });
    sandbox.faults.add({ kind: 'endlessBody', times: 1 });
    const controller = new AbortController();
    const { body } = await fetch(`${sandbox.baseUrl}/posts?workspaceId=1`, {
      headers: { Authorization: `Bearer ${sandbox.keys.agency}` },
      signal: controller.signal,
    });
    expect(body).not.toBeNull();
    expect((await list()).status).toBe(429);
    controller.abort();
    while ((await list()).status !== 200) await sleep(2);
  });
});

describe('a throughput limit', () => {
  const start = Date.UTC(2030, 0, 1);

  // Time stands still, so that a slow machine sends all requests of a test in the same second.
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(start);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('allows so many requests per second, with Retry-After for the others', async () => {
    sandbox.faults.add({ kind: 'throughputLimit', perSecond: 3 });
    expect(await statusesOf(6)).toEqual([200, 200, 200, 429, 429, 429]);
    const { status, headers } = await list();
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  });

  test('allows requests again after the wait that it asks for', async () => {
    sandbox.faults.add({ kind: 'throughputLimit', perSecond: 2 });
    expect(await statusesOf(3)).toEqual([200, 200, 429]);
    jest.spyOn(Date, 'now').mockReturnValue(start + 999);
    expect(await statusesOf(1)).toEqual([429]);
    jest.spyOn(Date, 'now').mockReturnValue(start + 1_000);
    expect(await statusesOf(2)).toEqual([200, 200]);
  });

  test('does not process what it rejects', async () => {
    const count = sandbox.store.posts.length;
    sandbox.faults.add({ kind: 'throughputLimit', perSecond: 2 });
    const create = () => callApi(sandbox, '/posts', { body: postBody() });
    expect(await statusesOf(4, create)).toEqual([201, 201, 429, 429]);
    expect(sandbox.store.posts).toHaveLength(count + 2);
  });
});
