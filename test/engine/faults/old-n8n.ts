import type { INode, IRunExecutionData } from 'n8n-workflow';

import type { RunOptions, WorkflowFixture } from '../harness';
import { inARow, nodeError, records, retried, useBakery, withParameters } from '../harness';
import {
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
import { runFrom, startOf as startWith, withSaved } from './executions';

const service = useBakery();

/** An execution as n8n stores it before the first node runs, of an n8n that gives it no resume token. */
function startOf(workflow: WorkflowFixture, count: number): IRunExecutionData {
  const data = startWith(workflow, posts(count));
  delete (data as Partial<IRunExecutionData>).resumeToken;
  return data;
}

const run = (workflow: WorkflowFixture, from: IRunExecutionData, more: RunOptions = {}) =>
  runFrom(service.sandbox, workflow, from, more);

const retry = (workflow: WorkflowFixture, from: IRunExecutionData) =>
  run(workflow, from, { mode: 'retry' });

const texts = (count: number) => posts(count).map((_, item) => textOf(item));

/** A workflow in which another node stands before the one that creates posts. */
const behindAnother = (message: string): WorkflowFixture =>
  inARow(
    { name: 'Start', type: 'test-nodes.start' },
    { name: 'Other', type: 'test-nodes.failWith', parameters: { message } },
    creatingPosts().nodes.find(({ name }) => name === CREATE) as INode,
  );

describe('in an n8n without resume tokens', () => {
  test.each(['hold', 'look'])(
    'the retry of a stopped execution holds all posts, however often (%s)',
    async (uncertain) => {
      const workflow = creatingPosts({}, { uncertain });
      const start = startOf(workflow, 40);
      await stopWhen(service.sandbox, 15, (options) => run(workflow, start, options));
      const before = existing(service.sandbox);
      const first = await retry(workflow, start);
      const second = await retry(workflow, start);
      const third = await retry(workflow, retried(first));

      expect(existing(service.sandbox)).toEqual(before);
      for (const one of [first, second, third]) {
        expect(falseClaims(one, CREATE, service.sandbox, 40)).toEqual([]);
        expect(claimsOf(one, CREATE).uncertain).toHaveLength(40);
      }
      expect(nodeError(first, CREATE).context).toMatchObject({
        code: uncertain === 'hold' ? 'notRecorded' : 'changingTime',
      });
    },
  );

  test('each retry of a failed execution knows of the others', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: 4, times: 1 });
    const workflow = creatingPosts({}, oneAfterTheOther);
    const failed = await run(workflow, startOf(workflow, 10));
    expect(claimsOf(failed, CREATE).notCreated).toHaveLength(6);
    const first = await retry(workflow, retried(failed));
    const second = await retry(workflow, retried(failed));

    expect(existing(service.sandbox)).toEqual(texts(10));
    expect(records(first, CREATE)).toHaveLength(10);
    expect(claimsOf(second, CREATE).uncertain).toEqual([]);
    expect(falseClaims(second, CREATE, service.sandbox, 10)).toEqual([]);
  });

  test('the retry of an execution that failed at another node creates all posts once', async () => {
    const failed = await run(behindAnother('Not today'), startOf(behindAnother(''), 5));
    expect(failed.data.resultData.lastNodeExecuted).toBe('Other');
    const workflow = behindAnother('');
    const first = await retry(workflow, withSaved(workflow, retried(failed)));

    expect(records(first, CREATE)).toHaveLength(5);
    expect(existing(service.sandbox)).toEqual(expect.arrayContaining(texts(5)));
    expect(existing(service.sandbox)).toHaveLength(5);
  });

  test('the retry of an execution that was stopped behind another node holds all posts', async () => {
    const workflow = behindAnother('');
    const start = startOf(workflow, 20);
    await stopWhen(service.sandbox, 8, (options) => run(workflow, start, options));
    const before = existing(service.sandbox);
    const result = await retry(workflow, start);

    expect(existing(service.sandbox)).toEqual(before);
    expect(claimsOf(result, CREATE).uncertain).toHaveLength(20);
  });

  test('posts are held also when a retry between was refused for its input', async () => {
    const workflow = creatingPosts();
    const start = startOf(workflow, 20);
    await stopWhen(service.sandbox, 8, (options) => run(workflow, start, options));
    const before = existing(service.sandbox);
    const broken = withParameters(workflow, CREATE, { scheduledAt: 'never' });
    const refused = await retry(broken, withSaved(broken, start));
    const result = await retry(workflow, withSaved(workflow, retried(refused)));

    expect(nodeError(refused, CREATE).message).toContain('Date and Time');

    expect(existing(service.sandbox)).toEqual(before);
    expect(claimsOf(result, CREATE).uncertain).toHaveLength(20);
  });
});
