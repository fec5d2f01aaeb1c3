import type { IDataObject } from 'n8n-workflow';

import { readWorkflow, useBakery, withParameters } from '../harness';
import { creatingPosts, existing, posts, textOf } from './creations';

const service = useBakery();

const LONG = { kind: 'latency', ms: 60_000 } as const;

const { run } = service;

const walking = (options: IDataObject) =>
  withParameters(readWorkflow('post.getAll'), 'Get posts', {
    returnAll: true,
    options: { pageSize: 2, ...options },
  });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Stops an execution when a condition holds, and waits for its end. */
async function stopWhen(
  condition: () => boolean,
  start: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const stop = new AbortController();
  const running = start(stop.signal);
  await until(condition);
  stop.abort();
  await running;
}

const arrived = (count: number) => () => service.sandbox.requests.length >= count;

/**
 * Lets another execution send a number of requests, one after the other, so that some time goes by. It has
 * a key of its own: executions with the same one wait together.
 */
async function letTimeGoBy(): Promise<void> {
  service.sandbox.faults.clear();
  const input = Array.from({ length: 20 }, (_, n) => ({
    name: `Agent ${n}`,
    schedule: '0 6 * * *',
  }));
  await run(
    withParameters(readWorkflow('agent.create'), 'Save agent', {
      isActive: true,
      options: { concurrency: 1 },
    }),
    input,
    { credentials: service.credentials({ apiKey: service.sandbox.keys.business }) },
  );
}

const sent = (path: string) =>
  service.sandbox.requests.filter((request) => request.path === `/api/v1${path}`).length;

test('a walk through pages ends with the pages that are under way', async () => {
  service.sandbox.addPosts(200);
  service.sandbox.faults.add({ ...LONG, after: 5 });

  await stopWhen(arrived(9), (signal) => run(walking({ concurrency: 4 }), [{}], { signal }));
  await letTimeGoBy();

  expect(sent('/posts')).toBe(9);
});

test('writes end with those that are under way, and with Retry On Fail they stay ended', async () => {
  service.sandbox.faults.add({ ...LONG, after: 5 });

  await stopWhen(arrived(8), (signal) =>
    run(
      creatingPosts({ retryOnFail: true, maxTries: 5, waitBetweenTries: 1 }, { concurrency: 3 }),
      posts(50),
      { signal },
    ),
  );
  await letTimeGoBy();

  expect(sent('/posts')).toBe(8);
  expect(existing(service.sandbox).filter((text) => text === textOf(9))).toEqual([]);
});

test('writes that wait for the first answer are not sent', async () => {
  service.sandbox.faults.add(LONG);

  await stopWhen(arrived(1), (signal) =>
    run(creatingPosts({}, { concurrency: 8, keepRequests: 1 }), posts(20), { signal }),
  );
  await letTimeGoBy();

  expect(sent('/posts')).toBe(1);
});

test('a pause before a retry ends, without the retry', async () => {
  service.sandbox.faults.add({ kind: 'rateLimit', retryAfter: 25 });

  await stopWhen(
    () => service.sandbox.requests.filter(({ status }) => status === 429).length >= 3,
    (signal) => run(creatingPosts({}, { concurrency: 3 }), posts(9), { signal }),
  );
  await letTimeGoBy();

  expect(sent('/posts')).toBe(3);
}, 20_000);

test('an execution that was stopped before it began sends nothing', async () => {
  await run(creatingPosts(), posts(3), { signal: AbortSignal.abort() });
  await letTimeGoBy();

  expect(sent('/posts')).toBe(0);
});
