import type { INode, INodeParameters } from 'n8n-workflow';

import {
  inARow,
  items,
  nodeError,
  records,
  resumed,
  retried,
  useBakery,
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
import { withSaved } from './executions';

const service = useBakery();

const { run } = service;

const threeTries: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const goingOn: Partial<INode> = { ...threeTries, onError: 'continueRegularOutput' };

const texts = (count: number) => posts(count).map((_, item) => textOf(item));

describe('Retry On Fail', () => {
  test('creates what is missing and returns what was created, in the order of the items', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 3, times: 1 });

    const result = await run(creatingPosts(threeTries, { concurrency: 8 }), posts(12));

    expect(falseClaims(result, CREATE, service.sandbox, 12)).toEqual([]);
    expect(items(result, CREATE).map(({ pairedItem }) => pairedItem)).toEqual(
      texts(12).map((_, item) => ({ item })),
    );
    expect(existing(service.sandbox).sort()).toEqual(texts(12).sort());
    expect(service.sandbox.requests).toHaveLength(13);
  });

  test('ends after its tries with what all of them did', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 2 });

    const failed = await run(creatingPosts(threeTries, oneAfterTheOther), posts(5));

    expect(nodeError(failed, CREATE).context).toMatchObject({
      code: 'invalidValues',
      itemIndex: 2,
    });
    expect(claimsOf(failed, CREATE)).toEqual({
      created: new Map([
        [0, 1],
        [1, 2],
      ]),
      uncertain: [],
      notCreated: [2, 3, 4],
    });
    expect(existing(service.sandbox)).toEqual(texts(2));
    expect(service.sandbox.requests).toHaveLength(5);
  });

  test('reports what was created after an item whose answer was lost later', async () => {
    service.sandbox.faults.add({ kind: 'latency', ms: 500, times: 1 });
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });

    const failed = await run(creatingPosts(threeTries, { concurrency: 2 }), posts(10));

    expect(nodeError(failed, CREATE).context).toMatchObject({ code: 'leftOpen', itemIndex: 0 });
    expect(falseClaims(failed, CREATE, service.sandbox, 10)).toEqual([]);
    expect(claimsOf(failed, CREATE).uncertain).toEqual([0]);
    expect(service.sandbox.requests).toHaveLength(existing(service.sandbox).length);
  });

  test('gives the quota of the answer that each post was created with', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 2, times: 1 });

    const result = await run(
      creatingPosts(threeTries, { ...oneAfterTheOther, includeQuota: true }),
      posts(3),
    );

    expect(records(result, CREATE)).toMatchObject([
      { id: 1, quota: { limit: '1000', remaining: '999' } },
      { id: 2, quota: { limit: '1000', remaining: '998' } },
      { id: 3, quota: { limit: '1000', remaining: '996' } },
    ]);
  });
});

describe('Uncertain Posts: Send Again', () => {
  const again: INodeParameters = { ...oneAfterTheOther, uncertain: 'send' };

  test('leaves open what the second try was refused', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });
    service.sandbox.faults.add({ kind: 'status', status: 422 });

    const failed = await run(creatingPosts(threeTries, again), posts(2));

    expect(nodeError(failed, CREATE).context).toMatchObject({
      code: 'invalidValues',
      itemIndex: 0,
    });
    expect(claimsOf(failed, CREATE)).toMatchObject({ uncertain: [0], notCreated: [1] });
    expect(existing(service.sandbox)).toEqual([textOf(0)]);
    expect(service.sandbox.requests).toHaveLength(3);
  });

  test('also when the node goes on', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });
    service.sandbox.faults.add({ kind: 'status', status: 422 });

    const result = await run(creatingPosts(goingOn, again), posts(2));

    expect(records(result, CREATE)).toMatchObject([
      {
        details: { code: 'invalidValues', certainty: 'uncertain' },
      },
      { details: { code: 'invalidValues', certainty: 'refused' } },
    ]);
    expect(existing(service.sandbox)).toEqual([textOf(0)]);
    expect(service.sandbox.requests).toHaveLength(6);
  });

  test('sends again what was not carried out', async () => {
    service.sandbox.faults.add({ kind: 'reset', times: 1 });

    const result = await run(creatingPosts(threeTries, again), posts(2));

    expect(records(result, CREATE).map(({ id }) => id)).toEqual([1, 2]);
    expect(existing(service.sandbox)).toEqual(texts(2));
  });
});

describe('Retry On Fail with On Error: Continue', () => {
  test('a first item that stays open: three tries, and nothing is sent twice', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });

    const result = await run(creatingPosts(goingOn, oneAfterTheOther), posts(3));

    expect(records(result, CREATE)).toMatchObject([
      { details: { code: 'leftOpen', certainty: 'uncertain' } },
      { id: 2 },
      { id: 3 },
    ]);
    expect(existing(service.sandbox)).toEqual(texts(3));
    expect(service.sandbox.requests).toHaveLength(3);
  });

  test('a first item that was refused is sent again, and the others are returned', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, times: 2 });

    const result = await run(creatingPosts(goingOn, oneAfterTheOther), posts(3));

    // The second item met the second refusal; the third try left nothing to do but the first item.
    expect(records(result, CREATE).map(({ id }) => id)).toEqual([2, 3, 1]);
    expect(existing(service.sandbox).sort()).toEqual(texts(3));
    expect(service.sandbox.requests).toHaveLength(5);
  });

  test('n8n tries again for the first item alone: another one that failed stays so', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 1, times: 1 });

    const result = await run(creatingPosts(goingOn, oneAfterTheOther), posts(3));

    expect(records(result, CREATE)).toMatchObject([
      { id: 1 },
      { details: { code: 'invalidValues', certainty: 'refused' } },
      { id: 2 },
    ]);
    expect(service.sandbox.requests).toHaveLength(3);
  });
});

describe('an expression that gives another value on each try', () => {
  const soon = (settings: Partial<INode>) =>
    withParameters(creatingPosts(settings, oneAfterTheOther), CREATE, {
      scheduledAt: '={{ $now.plus({ years: 5, milliseconds: Math.floor(1e9 * Math.random()) }) }}',
      options: oneAfterTheOther,
    });

  test('does not send again what is open', async () => {
    service.sandbox.faults.add({ kind: 'truncated', times: 1 });

    const failed = await run(soon(threeTries), posts(2));

    expect(nodeError(failed, CREATE).context).toMatchObject({ code: 'leftOpen', itemIndex: 0 });
    expect(nodeError(failed, CREATE).description).toMatch(/“.*127\.0\.0\.1:\d+.*”\. /);
    expect(existing(service.sandbox)).toEqual(texts(2));
    expect(service.sandbox.requests).toHaveLength(2);
  });

  test('and cannot be sent on the second hides nothing that was created', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 1, times: 1 });
    const workflow = withParameters(creatingPosts(threeTries, oneAfterTheOther), CREATE, {
      scheduledAt: '={{ $vars.isSecondTry ? "never" : "2035-01-01" }}',
    });

    const variables = {
      get isSecondTry() {
        return service.sandbox.requests.length > 0;
      },
    };
    const failed = await run(workflow, posts(3), { variables });

    expect(nodeError(failed, CREATE).context).toMatchObject({ field: 'scheduledAt' });
    expect(falseClaims(failed, CREATE, service.sandbox, 3)).toEqual([]);
    expect(existing(service.sandbox)).toEqual(texts(1));
    expect(service.sandbox.requests).toHaveLength(2);
  });
});

describe('where an intent ends', () => {
  test('each round of a loop creates, and is tried again by itself', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 1, times: 1 });

    const result = await run(loopOf(creatingPosts(threeTries, oneAfterTheOther)), [
      ...posts(1),
      ...posts(1),
      ...posts(1),
    ]);

    expect(result.status).toBe('success');
    expect(existing(service.sandbox)).toEqual([textOf(0), textOf(0), textOf(0)]);
    expect(service.sandbox.requests).toHaveLength(4);
  });

  test('a later round does not send what an earlier one left open', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });
    const workflow = loopOf(creatingPosts({ onError: 'continueRegularOutput' }, oneAfterTheOther));

    const result = await run(workflow, [...posts(2), ...posts(2)]);

    expect(records(result, 'Loop')).toMatchObject([
      { details: { certainty: 'uncertain' } },
      { id: 2 },
      { details: { code: 'leftOpen', certainty: 'uncertain' } },
      { id: 3 },
    ]);
    expect(existing(service.sandbox)).toEqual([textOf(0), textOf(1), textOf(1)]);
  });

  test('a retry of an execution that left a post open sends what was not sent, and holds that post', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, after: 1, times: 1 });
    const workflow = creatingPosts({}, oneAfterTheOther);
    const failed = await run(workflow, posts(4));

    const again = await run(workflow, [], { mode: 'retry', from: retried(failed) });

    expect(nodeError(again, CREATE).context).toMatchObject({ code: 'leftOpen', itemIndex: 1 });
    expect(nodeError(again, CREATE).description).toContain('Uncertain Posts');
    expect(nodeError(again, CREATE).description).toMatch(/\b1\b.* 2035-01-01T00:00:00\.000Z/);
    expect(falseClaims(again, CREATE, service.sandbox, 4)).toEqual([]);
    expect(service.sandbox.requests).toHaveLength(4);
  });

  test('that the user has looked at the service is told by Uncertain Posts: Send Again', async () => {
    service.sandbox.faults.add({ kind: 'reset', after: 1, times: 1 });
    const failed = await run(creatingPosts({}, oneAfterTheOther), posts(4));
    expect(existing(service.sandbox)).toEqual(texts(1));

    const changed = creatingPosts({}, { ...oneAfterTheOther, uncertain: 'send' });
    const from = withSaved(changed, retried(failed));
    const result = await run(changed, [], { mode: 'retry', from });

    expect(records(result, CREATE).map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(existing(service.sandbox)).toEqual(texts(4));
    expect(service.sandbox.requests).toHaveLength(5);
  });

  test('a resumed execution sends nothing that was sent before it waited', async () => {
    const workflow = inARow(
      { name: 'Start', type: 'test-nodes.start' },
      ...creatingPosts().nodes.filter(({ name }) => name === CREATE),
      { name: 'Wait', type: 'test-nodes.wait' },
    );
    const waiting = await run(workflow, posts(3), { executionId: '7' });

    const result = await run(workflow, [], { executionId: '7', from: resumed(waiting) });

    expect(result.status).toBe('success');
    expect(existing(service.sandbox).sort()).toEqual(texts(3));
    expect(service.sandbox.requests).toHaveLength(3);
  });

  test('a new execution is a new intent, also after one that left a post open', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });

    await run(creatingPosts(), posts(1));
    await run(creatingPosts(), posts(1));

    expect(existing(service.sandbox)).toEqual([textOf(0), textOf(0)]);
  });
});
