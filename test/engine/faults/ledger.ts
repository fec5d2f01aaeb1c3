import type { IRunExecutionData } from 'n8n-workflow';

import type { RunOptions, WorkflowFixture } from '../harness';
import {
  breakDeduplication,
  breakDeduplicationOf,
  nodeError,
  records,
  retried,
  useBakery,
  withParameters,
} from '../harness';
import {
  atOwnTimes,
  claimsOf,
  CREATE,
  creatingPosts,
  existing,
  falseClaims,
  oneAfterTheOther,
  posts,
  stopWhen,
  textOf,
} from './creations';
import { doubles, retry as retryIn, runFrom, startOf, withSaved } from './executions';

const service = useBakery();

const { run } = service;

const retry = (workflow: WorkflowFixture, from: IRunExecutionData, more: RunOptions = {}) =>
  retryIn(service.sandbox, workflow, from, more);

/** Stops an execution when the service has created some posts; what n8n then has of it is its start. */
async function stopped(
  workflow: WorkflowFixture,
  count: number,
  after: number,
  start = startOf(workflow, posts(count)),
  more: RunOptions = {},
) {
  await stopWhen(service.sandbox, after, (options) =>
    runFrom(service.sandbox, workflow, start, { ...options, ...more }),
  );
  return start;
}

const texts = (count: number) => posts(count).map((_, item) => textOf(item));

test('Look finds what a stopped execution created, beside what others schedule for the same times', async () => {
  for (const [item, text] of texts(40).entries()) {
    // An hour before for some, half an hour after for the others.
    const created = Date.now() + (item % 2 === 0 ? -3_600_000 : 1_800_000);
    service.sandbox.addPosts(1, {
      scheduledAt: new Date(Date.UTC(2035, 0, 1) + 60_000 * item).toISOString(),
      createdAt: new Date(created).toISOString(),
      variants: [{ socialAccountId: 1, content: `Of somebody else, not ${text}` }],
    });
  }
  const workflow = atOwnTimes({}, { uncertain: 'look' });
  const start = await stopped(workflow, 40, 15);
  const first = await retry(workflow, start);
  const second = await retry(workflow, start);

  for (const one of [first, second]) {
    expect(records(one, CREATE)).toHaveLength(40);
    expect(falseClaims(one, CREATE, service.sandbox, 40)).toEqual([]);
  }
  const own = existing(service.sandbox).filter((text) => texts(40).includes(text));
  expect(own.sort()).toEqual(texts(40).sort());
});

test('a manual run is recorded like any other', async () => {
  const workflow = atOwnTimes();
  const start = startOf(workflow, posts(20), CREATE);
  await stopped(workflow, 20, 8, start, { mode: 'manual' });
  const result = await retry(workflow, start);

  expect(doubles(service.sandbox)).toEqual([]);
  expect(falseClaims(result, CREATE, service.sandbox, 20)).toEqual([]);
});

describe('where the record cannot be kept', () => {
  test('nothing goes out, and the error says so with what the database said', async () => {
    breakDeduplication();
    const result = await run(creatingPosts(), posts(3));

    expect(existing(service.sandbox)).toEqual([]);
    expect(service.sandbox.requests).toEqual([]);
    expect(nodeError(result, CREATE).context).toMatchObject({
      code: 'notLogged',
      itemIndex: undefined,
    });
    expect(nodeError(result, CREATE).description).toContain('“The database is locked”');
  });

  test('for a while, a group is not sent, and the others are', async () => {
    // The first group is read and written. The second is tried four times.
    breakDeduplicationOf('own', 2, 4);
    const workflow = creatingPosts({ id: 'own', onError: 'continueRegularOutput' });
    const result = await run(workflow, posts(20));
    const failedItems = records(result, CREATE).flatMap(({ details }, item) =>
      details === undefined ? [] : [item],
    );

    expect(failedItems).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(falseClaims(result, CREATE, service.sandbox, 20)).toEqual([]);
  });

  test('a retry holds what may have been sent', async () => {
    const workflow = creatingPosts();
    const start = await stopped(workflow, 20, 8);
    const before = existing(service.sandbox);
    breakDeduplication();
    const result = await retry(workflow, start);

    expect(existing(service.sandbox)).toEqual(before);
    expect(nodeError(result, CREATE).description).toContain('The database is locked');
  });
});

describe('a retry with the saved workflow', () => {
  const failedAt = async (item: number, count: number) => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: item, times: 1 });
    return await run(creatingPosts({}, oneAfterTheOther), posts(count));
  };

  test('in which no item can be read any more reports what exists', async () => {
    const failed = await failedAt(7, 8);
    const broken = withParameters(
      creatingPosts({ onError: 'continueRegularOutput' }, oneAfterTheOther),
      CREATE,
      { scheduledAt: 'never' },
    );
    const result = await retry(broken, withSaved(broken, retried(failed)));

    expect(records(result, CREATE).map(({ id, details }) => id ?? details)).toEqual([
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      expect.objectContaining({ certainty: 'notSent' }),
    ]);
  });

  test('Uncertain Posts is read for each item', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 2 });
    const each = creatingPosts(
      { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
      { ...oneAfterTheOther, uncertain: '={{ $itemIndex === 0 ? "send" : "hold" }}' },
    );
    const result = await run(each, posts(3));

    expect(existing(service.sandbox)).toEqual([textOf(2), textOf(0)]);
    expect(claimsOf(result, CREATE).uncertain).toEqual([1]);
  });
});

test('what was to be sent again, and was not, stays uncertain', async () => {
  service.sandbox.faults.add({ kind: 'reset', method: 'POST', processed: true, times: 3 });
  const failed = await run(creatingPosts({}, { concurrency: 3 }), posts(3));
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });
  const sending = creatingPosts({}, { ...oneAfterTheOther, uncertain: 'send' });
  const stopped = await retry(sending, withSaved(sending, retried(failed)));
  const holding = creatingPosts();
  const result = await retry(holding, withSaved(holding, retried(stopped)));

  expect(existing(service.sandbox)).toHaveLength(3);
  expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [0, 1, 2] });
});

// Before these accesses, the log is asked; the next write it.
test.each([7, 8, 9, 10, 11])(
  'what was to be sent again, and could not be written down (%i), stays uncertain',
  async (after) => {
    const id = `again-${after}`;
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', processed: true, times: 1 });
    const failed = await run(creatingPosts({ id }), posts(1));
    const sending = creatingPosts({ id }, { uncertain: 'send' });
    breakDeduplicationOf(id, after, Infinity);
    const broken = await retry(sending, withSaved(sending, retried(failed)));
    breakDeduplicationOf(id, 0, 0);
    const sent = existing(service.sandbox).length;
    const holding = creatingPosts({ id });
    await retry(holding, withSaved(holding, retried(broken)));

    expect([after, sent, existing(service.sandbox).length]).toEqual([after, sent, sent]);
  },
);

test('a post without an ID is none: the outcome is uncertain', async () => {
  service.sandbox.faults.add({
    kind: 'wrongShape',
    body: { post: { error: 'Rejected' } },
    times: 1,
  });
  const result = await run(creatingPosts({}, oneAfterTheOther), posts(1));

  expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [0] });
  expect(nodeError(result, CREATE).context).toMatchObject({
    code: 'unexpectedResponse',
    certainty: 'uncertain',
  });
});
