import { type FaultRule, type Sandbox, startSandbox } from '../../sandbox';
import { addAccount } from '../support/records';
import { callApi, postBody } from './helpers';

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
