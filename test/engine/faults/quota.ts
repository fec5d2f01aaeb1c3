import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { FaultRule } from '../../../sandbox';
import type { WorkflowFixture } from '../harness';
import {
  items,
  nodeError,
  readWorkflow,
  records,
  retried,
  skipWaitsBetweenTries,
  useBakery,
  withNode,
  withParameters,
} from '../harness';
import {
  claimsOf,
  CREATE,
  creatingPosts,
  existing,
  falseClaims,
  loopOf,
  oneAfterTheOther,
  posts,
  textOf,
} from './creations';

const service = useBakery();

const { run } = service;

const goingOn: Partial<INode> = { onError: 'continueRegularOutput' };

const reading = (
  name: string,
  node: string,
  options: INodeParameters,
  settings: Partial<INode> = {},
): WorkflowFixture =>
  withNode(withParameters(readWorkflow(name), node, { returnAll: true, options }), node, settings);

/** The Pro plan's key, which the node uses. */
const proKey = () => {
  const { store, keys } = service.sandbox;
  const key = store.findKey(keys.pro);
  if (!key) throw new Error('The sandbox has no Pro key');
  return key;
};

/** How many of the 1,000 requests of the Pro plan are left. */
const left = () => 1000 - proKey().usage.used;

/** Answers that overtake each other. */
const jumble = () => {
  for (const [seed, ms] of [5, 11, 23, 41].entries()) {
    service.sandbox.faults.add({ kind: 'latency', ms, probability: 0.5, seed });
  }
};

const hundred = <T>(of: (index: number) => T): T[] => Array.from({ length: 100 }, (_, n) => of(n));

describe('Include Quota', () => {
  test.each([
    ['account.getAll', 'Get accounts'],
    ['analytics.get', 'Get analytics'],
  ])('%s: each record has the values of its answer as text, as they came', async (name, node) => {
    const result = await run(reading(name, node, { includeQuota: true }), [{ period: '30d' }]);

    const { limit, remaining, reset } = records(result, node)[0]?.quota as IDataObject;
    expect([limit, remaining]).toEqual(['1000', '999']);
    expect(reset).toMatch(/^\d{10}$/);
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('post.getAll: the last page tells', async () => {
    service.sandbox.addPosts(5);

    const result = await run(
      reading('post.getAll', 'Get posts', { includeQuota: true, pageSize: 3, concurrency: 1 }),
      [{}],
    );

    expect(records(result, 'Get posts').map(({ quota }) => quota)).toEqual(
      Array.from({ length: 5 }, () => expect.objectContaining({ remaining: '998' }) as unknown),
    );
    expect(service.sandbox.requests).toHaveLength(2);
  });
});

describe('Keep Requests', () => {
  test('sends the first request alone, as nothing is known before its answer', async () => {
    service.sandbox.faults.add({ kind: 'latency', ms: 500 });

    await run(creatingPosts({}, { keepRequests: 1, concurrency: 8 }), posts(20));

    expect(service.sandbox.requests.slice(0, 2).map(({ inFlight }) => inFlight)).toEqual([1, 1]);
    expect(service.sandbox.maxInFlight).toBe(8);
  });

  test('uses all above it and nothing below, whatever the order of the answers', async () => {
    proKey().usage = { ...proKey().usage, used: 900 };
    jumble();

    const failed = await run(creatingPosts({}, { keepRequests: 63, concurrency: 8 }), posts(60));

    expect(left()).toBe(63);
    expect(nodeError(failed, CREATE).context).toMatchObject({
      code: 'keepRequests',
      itemIndex: 37,
    });
    expect(falseClaims(failed, CREATE, service.sandbox, 60)).toEqual([]);
    expect(claimsOf(failed, CREATE).created.size).toBe(37);
  });

  test('holds for the pages of a walk', async () => {
    service.sandbox.addPosts(100);
    proKey().usage = { ...proKey().usage, used: 990 };
    jumble();

    const failed = await run(
      reading('post.getAll', 'Get posts', { keepRequests: 3, pageSize: 2 }),
      [{}],
    );

    expect(nodeError(failed, 'Get posts').context).toMatchObject({
      code: 'keepRequests',
      itemIndex: 0,
    });
    expect(left()).toBe(3);
  });

  test('holds for the tries of Retry On Fail together', async () => {
    const failed = await run(
      creatingPosts(
        { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
        { ...oneAfterTheOther, keepRequests: 997 },
      ),
      posts(10),
    );

    expect(nodeError(failed, CREATE).context).toMatchObject({ code: 'keepRequests', itemIndex: 3 });
    expect(left()).toBe(997);
  });

  test('is not misled by an answer to a key that was not accepted', async () => {
    const key = proKey();
    key.isActive = false;
    const workflow = creatingPosts({}, { keepRequests: 1 });
    const failed = await run(workflow, posts(2));
    key.isActive = true;

    const result = await run(workflow, [], { mode: 'retry', from: retried(failed) });

    expect(nodeError(failed, CREATE).context).toMatchObject({
      code: 'keyNotAccepted',
      itemIndex: 0,
    });
    expect(records(result, CREATE)).toHaveLength(2);
  });

  test('keeps the API key out of what n8n saves', async () => {
    const result = await run(creatingPosts({}, { keepRequests: 1 }), posts(1));

    expect(JSON.stringify(result.data.executionData?.contextData)).toContain('quota:');
    expect(JSON.stringify(result)).not.toContain(service.sandbox.keys.pro);
  });

  test('holds for the rounds of a loop together', async () => {
    const workflow = loopOf(creatingPosts(goingOn, { keepRequests: 997 }));
    const result = await run(workflow, posts(10));

    expect(existing(service.sandbox)).toEqual([0, 1, 2].map(textOf));
    expect(left()).toBe(997);
    expect(records(result, 'Loop').filter(({ error }) => typeof error === 'string')).toHaveLength(
      7,
    );
  });

  test('an unknown rest stops what would need a second request', async () => {
    service.sandbox.faults.add({
      kind: 'status',
      status: 200,
      body: { post: { id: 1 } },
      headers: { 'X-RateLimit-Remaining': 'plenty', 'Content-Type': 'application/json' },
    });

    const failed = await run(creatingPosts({}, { keepRequests: 1 }), posts(3));

    expect(nodeError(failed, CREATE).context).toMatchObject({ code: 'quotaUnknown', itemIndex: 1 });
    expect(service.sandbox.requests).toHaveLength(1);
  });

  test('what the first request met is not hidden by it', async () => {
    service.sandbox.faults.add({ kind: 'reset' });
    skipWaitsBetweenTries();

    const failed = await run(reading('account.getAll', 'Get accounts', { keepRequests: 1 }), [{}]);

    expect(nodeError(failed, 'Get accounts').context).toMatchObject({
      code: 'noResponse',
      itemIndex: 0,
    });
  });
});

describe('100 items', () => {
  test.each<[string, () => void, string]>([
    ['a key that is not accepted', () => void (proKey().isActive = false), 'keyNotAccepted'],
    ['a quota that is used up', () => void (proKey().usage.used = 1000), 'quotaUsedUp'],
    [
      'a wait of an hour',
      () => void service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: 3600 }),
      'tooManyRequests',
    ],
    [
      'a service that is down for an hour',
      () =>
        void service.sandbox.faults.add({
          kind: 'status',
          status: 503,
          headers: { 'Retry-After': '3600' },
        } satisfies FaultRule),
      'serviceFailed',
    ],
  ])('%s costs no more requests than are under way at once', async (_what, begin, code) => {
    begin();

    const result = await run(creatingPosts(goingOn, { concurrency: 4 }), posts(100));

    expect(service.sandbox.requests).toHaveLength(4);
    const told = records(result, CREATE);
    expect(told).toHaveLength(100);
    for (const { details } of told) expect(details).toMatchObject({ code });
    const certainties = told.map(({ details }) => (details as IDataObject).certainty);
    expect(certainties.slice(4)).toEqual(Array.from({ length: 96 }, () => 'notSent'));
    expect(falseClaims(result, CREATE, service.sandbox, 100)).toEqual([]);
  });
});

describe('Concurrency', () => {
  test('bounds writes', async () => {
    const concurrency = 3;
    jumble();
    service.sandbox.faults.add({ kind: 'latency', ms: 30 * concurrency });

    const result = await run(creatingPosts({}, { concurrency }), posts(32));

    expect(service.sandbox.maxInFlight).toBe(concurrency);
    expect(falseClaims(result, CREATE, service.sandbox, 32)).toEqual([]);
    expect(items(result, CREATE).map(({ pairedItem }) => pairedItem)).toEqual(
      posts(32).map((_, item) => ({ item })),
    );
  });

  test('bounds the pages of one walk', async () => {
    const concurrency = 3;
    service.sandbox.addPosts(100);
    jumble();
    service.sandbox.faults.add({ kind: 'latency', ms: 60 });

    const result = await run(reading('post.getAll', 'Get posts', { concurrency, pageSize: 4 }), [
      {},
    ]);

    expect(service.sandbox.maxInFlight).toBe(concurrency);
    expect(records(result, 'Get posts').map(({ id }) => id)).toEqual(hundred((n) => n + 1));
    expect(service.sandbox.requests).toHaveLength(33);
  });

  test('bounds the pages of the walks of all items together', async () => {
    service.sandbox.addPosts(40);
    service.sandbox.faults.add({ kind: 'latency', ms: 60 });

    const result = await run(
      withParameters(readWorkflow('post.getAll'), 'Get posts', {
        returnAll: true,
        options: { concurrency: 5, pageSize: 2, offset: '={{ $json.offset }}' },
      }),
      [0, 10, 20, 30].map((offset) => ({ offset })),
    );

    expect(service.sandbox.maxInFlight).toBe(5);
    expect(records(result, 'Get posts').map(({ id }) => id)).toEqual(
      [0, 10, 20, 30].flatMap((offset) =>
        Array.from({ length: 40 - offset }, (_, n) => offset + n + 1),
      ),
    );
  });
});
