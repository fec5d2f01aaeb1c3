import { type FaultRule, type Post, type Sandbox, startSandbox } from '../../sandbox';
import { addAccount } from '../support/records';
import { callApi, postBody, until } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox({ seed: false });
  addAccount(sandbox);
  sandbox.addPosts(30);
});

afterEach(() => sandbox.close());

type ApiResponse = Awaited<ReturnType<typeof callApi>>;

const list = () => callApi(sandbox, '/posts?workspaceId=1');
const create = () => callApi(sandbox, '/posts', { body: postBody() });

/** The code of the error that ends a request without a response. */
async function connectionError(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code ?? String(error);
}

describe('a response fault', () => {
  const json = 'application/json; charset=utf-8';
  const cases: Array<[string, FaultRule, (response: ApiResponse) => unknown, unknown]> = [
    [
      '429 without Retry-After',
      { kind: 'rateLimit' },
      ({ status, headers }) => [status, headers.get('retry-after')],
      [429, null],
    ],
    [
      '429 with seconds',
      { kind: 'rateLimit', retryAfter: 7 },
      ({ status, headers }) => [status, headers.get('retry-after')],
      [429, '7'],
    ],
    [
      '429 with an HTTP date',
      { kind: 'rateLimit', retryAfter: new Date('2030-05-06T07:08:09Z') },
      ({ headers }) => headers.get('retry-after'),
      'Mon, 06 May 2030 07:08:09 GMT',
    ],
    [
      'a 503',
      { kind: 'status', status: 503 },
      ({ status, json: body }) => [status, body],
      [503, { error: { code: 'service_unavailable', message: 'Service Unavailable' } }],
    ],
    [
      'a status with text',
      { kind: 'status', status: 502, body: 'Bad gateway' },
      ({ status, headers, text }) => [status, headers.get('content-type'), text],
      [502, 'text/plain; charset=utf-8', 'Bad gateway'],
    ],
    [
      'a status with JSON',
      { kind: 'status', status: 418, body: { errors: ['short', 'stout'] } },
      ({ status, json: body }) => [status, body],
      [418, { errors: ['short', 'stout'] }],
    ],
    [
      'a status with headers',
      { kind: 'status', status: 503, body: '<p>', headers: { 'Content-Type': 'text/html' } },
      ({ headers, text }) => [headers.get('content-type'), text],
      ['text/html', '<p>'],
    ],
    [
      'complete but truncated JSON',
      { kind: 'truncated', contentLength: 'cut' },
      ({ status, headers, text, json: body }) => [
        Math.floor(status / 100),
        headers.get('content-type'),
        Number(headers.get('content-length')) === Buffer.byteLength(text),
        body,
      ],
      [2, json, true, undefined],
    ],
    [
      'malformed JSON',
      { kind: 'malformedJson' },
      ({ status, headers, text, json: body }) => [
        Math.floor(status / 100),
        headers.get('content-type'),
        text.length > 10,
        body,
      ],
      [2, json, true, undefined],
    ],
    [
      'an HTML page',
      { kind: 'html' },
      ({ status, headers, text }) => [
        status,
        headers.get('content-type'),
        text.startsWith('<!doctype html>'),
      ],
      [200, 'text/html; charset=utf-8', true],
    ],
    [
      'no body',
      { kind: 'empty' },
      ({ status, headers, text }) => [status, headers.get('content-length'), text],
      [200, '0', ''],
    ],
    [
      'unexpected JSON',
      { kind: 'wrongShape' },
      ({ status, json: body }) => [Math.floor(status / 100), body],
      [2, { result: 'ok' }],
    ],
    [
      'given JSON',
      { kind: 'wrongShape', body: { posts: {} } },
      ({ json: body }) => body,
      { posts: {} },
    ],
  ];

  test.each(cases)('%s, of a read and of a write', async (_name, rule, observe, expected) => {
    sandbox.faults.add(rule);
    const read = await list();
    expect(observe(read)).toEqual(expected);
    expect(observe(await create())).toEqual(expected);
    expect(read.headers.get('date')).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    expect(read.headers.get('x-ratelimit-limit')).toBe('500000');
  });
});

describe('a connection', () => {
  test.each([
    [{ kind: 'reset' } as const, 'ECONNRESET'],
    [{ kind: 'truncated' } as const, 'UND_ERR_SOCKET'],
  ])('is broken by %j', async (rule, code) => {
    sandbox.faults.add(rule);
    expect(await connectionError(list())).toBe(code);
    expect(await connectionError(create())).toBe(code);
    sandbox.faults.clear();
    expect((await list()).status).toBe(200);
  });

  test('that closes early has declared the full length', async () => {
    const { text } = await list();
    sandbox.faults.add({ kind: 'truncated' });
    const response = await fetch(`${sandbox.baseUrl}/posts?workspaceId=1`, {
      headers: { Authorization: `Bearer ${sandbox.keys.agency}` },
    });
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text));
    await expect(response.text()).rejects.toThrow();
  });

  test('that was reset has no status and is no longer in flight', async () => {
    sandbox.faults.add({ kind: 'reset', times: 1 });
    sandbox.clearRequests();
    await connectionError(create());
    expect(sandbox.requests[0]?.status).toBeUndefined();
    expect(sandbox.requests[0]?.body.toString()).toBe(JSON.stringify(postBody()));
    await list();
    expect(sandbox.requests.map(({ inFlight }) => inFlight)).toEqual([1, 1]);
  });
});

describe('whether a write was processed', () => {
  const cases: Array<[FaultRule, boolean]> = [
    [{ kind: 'rateLimit' }, false],
    [{ kind: 'status', status: 500 }, false],
    [{ kind: 'status', status: 500, processed: true }, true],
    [{ kind: 'reset' }, false],
    [{ kind: 'reset', processed: true }, true],
    [{ kind: 'truncated' }, true],
    [{ kind: 'truncated', processed: false }, false],
    [{ kind: 'malformedJson' }, true],
    [{ kind: 'html' }, true],
    [{ kind: 'html', processed: false }, false],
    [{ kind: 'empty' }, true],
    [{ kind: 'wrongShape' }, true],
  ];

  test.each(cases)('%j: %s', async (rule, processed) => {
    sandbox.faults.add(rule);
    await create().catch(() => undefined); // Some of the faults send no response.
    expect(sandbox.store.posts).toHaveLength(processed ? 31 : 30);
  });
});

describe('a list of posts', () => {
  test.each([0, 29, 31, -1, '30', null])('with %j as its total', async (total) => {
    sandbox.faults.add({ kind: 'wrongTotal', total });
    const { json } = await list();
    expect(json).toMatchObject({ total, limit: 20, offset: 0 });
    expect((await create()).json).toHaveProperty('post.id', 31);
  });

  test('without a total', async () => {
    sandbox.faults.add({ kind: 'missingTotal' });
    const { json } = await list();
    expect(Object.keys(json ?? {})).toEqual(['posts', 'limit', 'offset']);
    expect((await callApi(sandbox, '/posts')).status).toBe(400);
  });

  test('with smaller pages, as its limit says', async () => {
    sandbox.faults.add({ kind: 'pageCap', limit: 7, after: 1 });
    const limits = [];
    for (const offset of [0, 10]) {
      const { json } = await callApi(sandbox, `/posts?workspaceId=1&limit=10&offset=${offset}`);
      limits.push([json?.limit, (json?.posts as unknown[]).length, json?.total]);
    }
    expect(limits).toEqual([
      [10, 10, 30],
      [7, 7, 30],
    ]);
  });
});

describe('a list of posts that changes', () => {
  const idsOf = async (query = '') => {
    const { json } = await callApi(sandbox, `/posts?workspaceId=1&limit=100${query}`);
    return (json?.posts as Post[]).map(({ id }) => id);
  };

  test.each([
    ['newest', [2, 4, 3, 1]],
    ['oldest', [1, 3, 4, 2]],
    ['id', [1, 2, 3, 4]],
  ] as const)('is in the order %s, on every page', async (order, ids) => {
    sandbox.store.addWorkspace('Another');
    for (const day of ['01', '04', '02', '02']) {
      sandbox.addPosts(1, { workspaceId: 2, createdAt: `2030-01-${day}T00:00:00.000Z` });
    }
    sandbox.faults.add({ kind: 'listOrder', order });
    const pages = [];
    for (const offset of [0, 2]) {
      const { json } = await callApi(sandbox, `/posts?workspaceId=2&limit=2&offset=${offset}`);
      pages.push(...(json?.posts as Post[]).map(({ id }) => id - 30));
    }
    expect(pages).toEqual(ids);
  });

  test('grows before each response', async () => {
    sandbox.faults.add({ kind: 'growingList', count: 2, after: 1 });
    const totals = [];
    for (let n = 0; n < 3; n += 1) totals.push((await list()).json?.total);
    expect(totals).toEqual([30, 32, 34]);
    expect(await idsOf('&offset=30')).toEqual([31, 32, 33, 34, 35, 36]);
  });

  test('shows a post late', async () => {
    sandbox.faults.add({ kind: 'lateList', ms: 60_000 });
    const [shown] = sandbox.addPosts(1, { createdAt: new Date(Date.now() - 61_000).toISOString() });
    sandbox.addPosts(1, { createdAt: new Date(Date.now() - 50_000).toISOString() });
    expect((await idsOf()).filter((id) => id > 30)).toEqual([shown?.id]);
  });

  test('grows by one post per interval until it is stopped', async () => {
    const stop = sandbox.addPostEvery(5);
    await until(() => sandbox.store.posts.length >= 35);
    stop();
    const { length } = sandbox.store.posts;
    sandbox.addPosts(1, { scheduledAt: new Date(Date.now() + 50).toISOString() });
    await until(() => sandbox.store.posts.at(-1)?.status === 'published');
    expect(sandbox.store.posts).toHaveLength(length + 1);
  });
});

describe('which requests a fault applies to', () => {
  async function statuses(count: number, request: () => Promise<ApiResponse> = list) {
    const received = [];
    for (let n = 0; n < count; n += 1) received.push((await request()).status);
    return received;
  }

  test('at most `times` requests, after the first `after` requests', async () => {
    const rule = sandbox.faults.add({ kind: 'status', status: 500, after: 1, times: 2 });
    expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
    expect(rule).toMatchObject({ matched: 5, hits: 2 });
  });

  test('those with a method and a path', async () => {
    sandbox.faults.add({ kind: 'status', status: 500, method: 'post', path: '/posts' });
    sandbox.faults.add({ kind: 'status', status: 502, path: '/api/v1/accounts' });
    expect(await statuses(1, list)).toEqual([200]);
    expect(await statuses(1, create)).toEqual([500]);
    expect(await statuses(1, () => callApi(sandbox, '/accounts?workspaceId=1'))).toEqual([502]);
    expect(await statuses(1, () => callApi(sandbox, '/agents?workspaceId=1'))).toEqual([200]);
  });

  test('rules apply one after the other, in the order they were added', async () => {
    sandbox.faults.add({ kind: 'status', status: 500, times: 2 });
    sandbox.faults.add({ kind: 'rateLimit', times: 1 });
    expect(await statuses(4)).toEqual([500, 500, 429, 200]);
  });

  test('a random choice, the same for the same seed', async () => {
    const statusesFor = async (seed: number) => {
      sandbox.faults.clear();
      sandbox.faults.add({ kind: 'status', status: 500, probability: 0.5, seed });
      return statuses(40);
    };
    const first = await statusesFor(1);
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await statusesFor(1)).toEqual(first);
    expect(await statusesFor(2)).not.toEqual(first);
  });

  test('no request, once the rule is removed', async () => {
    const { id } = sandbox.faults.add({ kind: 'status', status: 500 });
    const other = sandbox.faults.add({ kind: 'status', status: 501, after: 2 });
    expect(sandbox.faults.list()).toHaveLength(2);
    expect(await statuses(1)).toEqual([500]);
    sandbox.faults.remove(id);
    expect(sandbox.faults.list()).toEqual([other]);
    expect(await statuses(2)).toEqual([200, 501]);
    sandbox.faults.clear();
    expect(await statuses(1)).toEqual([200]);
  });

  test('requests without access have no faults', async () => {
    sandbox.faults.add({ kind: 'html' });
    const { status } = await callApi(sandbox, '/posts?workspaceId=1', { key: null });
    expect(status).toBe(401);
  });
});

test('latency delays a request, also with another fault', async () => {
  sandbox.faults.add({ kind: 'latency', ms: 30, path: '/posts' });
  sandbox.faults.add({ kind: 'latency', ms: 30, path: '/posts' });
  sandbox.faults.add({ kind: 'status', status: 500, times: 1 });
  const start = performance.now();
  expect((await list()).status).toBe(500);
  // Node.js timers may fire a millisecond early. There is no upper bound.
  expect(performance.now() - start).toBeGreaterThanOrEqual(58);
});
