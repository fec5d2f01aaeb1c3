import { addAccount } from '../../support/records';
import type { RunOptions, WorkflowFixture } from '../harness';
import { nodeError, records, useBakery, withParameters } from '../harness';
import { atOwnTimes, claimsOf, CREATE, existing, oneAfterTheOther, posts } from './creations';
import { skipWaitsForRequests } from './lifetime';

const service = useBakery();

/** Creates posts one after the other, with a minute of their own each, and looks for what is open. */
const looking = (): WorkflowFixture => atOwnTimes({}, { ...oneAfterTheOther, uncertain: 'look' });

const run = (count: number, workflow = looking(), options: RunOptions = {}) =>
  service.run(workflow, posts(count), options);

const { methods } = service;

test('a post that is found is looked for once', async () => {
  service.sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 1 });
  const result = await run(2);

  expect(records(result, CREATE)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(methods()).toEqual(['POST', 'POST', 'GET']);
});

test('posts that are missing are looked for again before they are sent again', async () => {
  service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 2 });
  const result = await run(2);

  expect(records(result, CREATE)).toHaveLength(2);
  expect(existing(service.sandbox)).toHaveLength(2);
  expect(methods()).toEqual(['POST', 'POST', 'GET', 'GET', 'POST', 'POST']);
});

test('a post that is refused when it is sent again does not exist', async () => {
  service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST' });
  const result = await run(1);

  expect(methods()).toEqual(['POST', 'GET', 'GET', 'POST']);
  expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [], notCreated: [0] });
});

test('after a post that was refused, one that is missing is not sent again', async () => {
  service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });
  const result = await run(3);

  expect(methods()).toEqual(['POST', 'POST', 'GET']);
  expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [0], notCreated: [1, 2] });
});

test('a stop ends the wait for a post that is missing, and it is not sent again', async () => {
  const stop = new AbortController();
  jest.restoreAllMocks();
  skipWaitsForRequests(() => stop.abort());
  service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
  await run(1, looking(), { signal: stop.signal });

  expect(stop.signal.aborted).toBe(true);
  expect(methods()).toEqual(['POST', 'GET']);
});

test('with 21 posts open no more are sent', async () => {
  service.sandbox.faults.add({ kind: 'reset', method: 'POST' });
  const result = await run(30);

  expect(methods().filter((method) => method === 'POST')).toHaveLength(21);
  expect(nodeError(result, CREATE).context).toMatchObject({ certainty: 'uncertain' });
});

test('a post that somebody else has scheduled for the same time is named beside', async () => {
  service.sandbox.addPosts(1, {
    scheduledAt: '2035-01-01T00:00:00.000Z',
    createdAt: new Date(Date.now() + 60_000).toISOString(),
    variants: [{ socialAccountId: 1, content: 'Of somebody else' }],
  });
  service.sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 1 });
  const result = await run(1);

  expect(nodeError(result, CREATE).description).toMatch(
    /\b0\b.* 2035-01-01T00:00:00\.000Z .*\b2, 1\b|\b1, 2\b/,
  );
});

test('posts of two workspaces are each looked for in their own', async () => {
  const { sandbox } = service;
  sandbox.store.addWorkspace('Second');
  addAccount(sandbox, { workspaceId: 2, platformUsername: 'second', displayName: 'Second' });
  sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 2 });
  const workflow = withParameters(looking(), CREATE, {
    accounts: '={{ [$itemIndex + 1] }}',
    options: {
      ...oneAfterTheOther,
      uncertain: 'look',
      workspaceId: '={{ $itemIndex + 1 }}',
    },
  });
  const result = await run(2, workflow);

  expect(records(result, CREATE)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(service.wire().filter((line) => line.startsWith('GET'))).toEqual([
    expect.stringContaining('workspaceId=1&'),
    expect.stringContaining('workspaceId=2&'),
  ]);
});
