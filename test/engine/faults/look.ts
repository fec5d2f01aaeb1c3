import type { INodeParameters } from 'n8n-workflow';

import { addAccount } from '../../support/accounts';
import type { RunOptions } from '../harness';
import {
  nodeError,
  records,
  runWorkflow,
  shortenWaits,
  useSandbox,
  withParameters,
} from '../harness';
import { claimsOf, CREATE, creatingPosts, existing, oneAfterTheOther, posts } from './creations';

// A request may be on its way for that long: longer than anything else is waited for.
jest.mock('../../../nodes/SocialPublishing/run/tolerances', () => ({
  REQUEST_LIFETIME_MS: 600_000,
  LIST_LAG_MS: 0,
}));

/** Waits for requests that may be on their way are longer than this, in milliseconds. */
const LONG = 300_000;

const service = useSandbox();

beforeEach(() => {
  addAccount(service.sandbox);
  shortenWaits(LONG);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Creates posts one after the other, with a minute of their own each, and looks for what is open. */
const looking = (parameters: INodeParameters = {}, options: INodeParameters = {}) =>
  withParameters(
    creatingPosts({}, { ...oneAfterTheOther, uncertain: 'look', ...options }),
    CREATE,
    {
      scheduledAt: '={{ new Date(Date.UTC(2035, 0, 1) + 60000 * $itemIndex).toISOString() }}',
      ...parameters,
    },
  );

const run = (count: number, workflow = looking(), options: RunOptions = {}) =>
  runWorkflow(workflow, { credentials: service.credentials(), input: posts(count), ...options });

const methods = () => service.sandbox.requests.map(({ method }) => method);

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
  shortenWaits(LONG, Infinity, () => stop.abort());
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
  sandbox.store.addAccount({
    workspaceId: 2,
    platform: 'x',
    platformUsername: 'second',
    displayName: 'Second',
  });
  sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 2 });
  const workflow = looking(
    { accounts: '={{ [$itemIndex + 1] }}' },
    { workspaceId: '={{ $itemIndex + 1 }}' },
  );
  const result = await run(2, workflow);

  expect(records(result, CREATE)).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(service.wire().filter((line) => line.startsWith('GET'))).toEqual([
    expect.stringContaining('workspaceId=1&'),
    expect.stringContaining('workspaceId=2&'),
  ]);
});
