import type { INodeParameters } from 'n8n-workflow';

import { readWorkflow, records, useSandbox, withParameters } from '../harness';

const service = useSandbox();

/** Runs "post get many" with these parameters and gives the ids of the posts in their order. */
async function idsOf(parameters: INodeParameters): Promise<unknown[]> {
  const run = await service.run(
    withParameters(readWorkflow('post.getAll'), 'Get posts', parameters),
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
