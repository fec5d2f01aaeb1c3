import type { INodeParameters } from 'n8n-workflow';

import { listen } from '../../support/server';
import { readWorkflow, records, runWorkflow, useSandbox, withParameters } from '../harness';

const service = useSandbox();

/** Runs "post get many" with these parameters and gives the ids of the posts in their order. */
async function idsOf(parameters: INodeParameters): Promise<unknown[]> {
  const run = await runWorkflow(
    withParameters(readWorkflow('post.getAll'), 'Get posts', parameters),
    { credentials: service.credentials() },
  );
  return records(run, 'Get posts').map(({ id }) => id);
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

const capPages = (limit: number) => service.sandbox.faults.add({ kind: 'pageCap', limit });

describe('1,234 posts at a service that caps pages at 50', () => {
  beforeEach(() => {
    service.sandbox.addPosts(1234);
    capPages(50);
  });

  test('Return All gives each once, in order', async () => {
    expect(await idsOf({ returnAll: true })).toEqual(numbers(1, 1234));
    expect(service.sandbox.requests).toHaveLength(26);
  });

  test('a limit of 120 gives the first 120', async () => {
    expect(await idsOf({ returnAll: false, limit: 120 })).toEqual(numbers(1, 120));
    expect(service.sandbox.requests).toHaveLength(3);
  });

  test('an offset of 1,230 gives the last 4 in one request', async () => {
    expect(await idsOf({ returnAll: true, options: { offset: 1230 } })).toEqual(
      numbers(1231, 1234),
    );
    expect(service.sandbox.requests).toHaveLength(1);
  });
});

test('pages that end with the list cost no request for an empty page', async () => {
  service.sandbox.addPosts(199);

  expect(await idsOf({ returnAll: true })).toEqual(numbers(1, 199));
  expect(service.wire()).toEqual([
    'GET /api/v1/posts?workspaceId=1&limit=100&offset=0',
    'GET /api/v1/posts?workspaceId=1&limit=100&offset=99',
  ]);
});

test('a workspace without posts costs one request and gives no items', async () => {
  expect(await idsOf({ returnAll: true })).toEqual([]);
  expect(service.sandbox.requests).toHaveLength(1);
});

test('a limit below the page size asks for no more than it', async () => {
  service.sandbox.addPosts(300);

  expect(await idsOf({ returnAll: false, limit: 130 })).toEqual(numbers(1, 130));
  expect(service.wire()).toEqual([
    'GET /api/v1/posts?workspaceId=1&limit=100&offset=0',
    'GET /api/v1/posts?workspaceId=1&limit=31&offset=99',
  ]);
});

test('Page Size sets what is asked for in one request', async () => {
  service.sandbox.addPosts(10);

  expect(await idsOf({ returnAll: true, options: { pageSize: 4 } })).toEqual(numbers(1, 10));
  expect(service.sandbox.requests.map(({ query }) => [query.limit, query.offset])).toEqual([
    ['4', '0'],
    ['4', '3'],
    ['4', '6'],
  ]);
});

describe('a total that cannot be relied on', () => {
  beforeEach(() => service.sandbox.addPosts(250));

  test.each([
    { what: 'too low', fault: { kind: 'wrongTotal' as const, total: 3 }, requests: 3 },
    { what: 'zero', fault: { kind: 'wrongTotal' as const, total: 0 }, requests: 3 },
    { what: 'negative', fault: { kind: 'wrongTotal' as const, total: -1 }, requests: 3 },
    { what: 'a text', fault: { kind: 'wrongTotal' as const, total: '250' }, requests: 3 },
    { what: 'missing', fault: { kind: 'missingTotal' as const }, requests: 3 },
    { what: 'slightly too high', fault: { kind: 'wrongTotal' as const, total: 251 }, requests: 4 },
  ])(
    'that is $what neither cuts the walk short nor makes it endless',
    async ({ fault, requests }) => {
      service.sandbox.faults.add(fault);

      expect(await idsOf({ returnAll: true })).toEqual(numbers(1, 250));
      expect(service.sandbox.requests).toHaveLength(requests);
    },
  );

  test('that is far too high ends the walk at the first empty page', async () => {
    service.sandbox.faults.add({ kind: 'wrongTotal', total: 1_000_000 });

    expect(await idsOf({ returnAll: true, options: { concurrency: 4 } })).toEqual(numbers(1, 250));
    expect(service.sandbox.requests.length).toBeLessThanOrEqual(10);
  });
});

test('pages after the first are fetched at the same time, bounded by Concurrency', async () => {
  service.sandbox.addPosts(1000);
  service.sandbox.faults.add({ kind: 'latency', ms: 20 });

  await idsOf({ returnAll: true, options: { concurrency: 3 } });

  expect(service.sandbox.requests).toHaveLength(11);
  expect(service.sandbox.requests[0]?.inFlight).toBe(1);
  expect(service.sandbox.maxInFlight).toBe(3);
});

test('a post that is added during the walk makes none come twice', async () => {
  const posts = numbers(1, 250).map((id) => ({ id }));
  const server = await listen(({ url = '' }, response) => {
    const { limit, offset } = Object.fromEntries(new URL(url, 'http://service').searchParams);
    const page = posts.slice(Number(offset), Number(offset) + Number(limit));
    posts.unshift({ id: 1000 + posts.length });
    response.end(JSON.stringify({ posts: page, total: posts.length, limit: Number(limit) }));
  });
  try {
    const run = await runWorkflow(
      withParameters(readWorkflow('post.getAll'), 'Get posts', { options: { concurrency: 1 } }),
      { credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }) },
    );

    expect(records(run, 'Get posts').map(({ id }) => id)).toEqual(numbers(1, 250));
  } finally {
    await server.close();
  }
});
