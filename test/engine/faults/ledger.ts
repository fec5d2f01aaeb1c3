import './short-lifetime';

import type { INode, INodeParameters, IRunExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { addAccount } from '../../support/accounts';
import type { RunOptions, WorkflowFixture } from '../harness';
import {
  breakDeduplication,
  nodeError,
  records,
  retried,
  runWorkflow,
  useSandbox,
  withParameters,
} from '../harness';
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
import {
  doubles as doublesIn,
  retry as retryIn,
  startOf,
  withItems,
  withSaved,
} from './executions';

const service = useSandbox();

beforeEach(() => addAccount(service.sandbox));

const timeOf = '={{ new Date(Date.UTC(2035, 0, 1) + 60000 * $itemIndex).toISOString() }}';

/** Posts with a minute of their own each. */
const atOwnTimes = (options: INodeParameters = {}, settings: Partial<INode> = {}) =>
  withParameters(creatingPosts(settings, options), CREATE, {
    scheduledAt: timeOf,
    options: {
      ...(creatingPosts(settings, options).nodes.find(({ name }) => name === CREATE)!.parameters[
        'options'
      ] as INodeParameters),
    },
  });

const fromNow = (options: INodeParameters = {}) =>
  withParameters(creatingPosts({}, options), CREATE, {
    scheduledAt: '={{ $now.plus({ years: 5, milliseconds: Math.floor(1e9 * Math.random()) }) }}',
  });

const run = (workflow: WorkflowFixture, options: RunOptions) =>
  runWorkflow(workflow, { credentials: service.credentials(), ...options });

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
    run(workflow, { from: structuredClone(start), ...options, ...more }),
  );
  return start;
}

const doubles = (): string[] => doublesIn(service.sandbox);

const texts = (count: number) => posts(count).map((_, item) => textOf(item));

describe('an execution that was stopped, of which n8n kept only the start', () => {
  test('Look in the Service settles all posts with a time of their own', async () => {
    const workflow = atOwnTimes({ uncertain: 'look' });
    const start = await stopped(workflow, 40, 15);
    const first = await retry(workflow, start);
    const second = await retry(workflow, start);

    expect(existing(service.sandbox).sort()).toEqual(texts(40).sort());
    for (const one of [first, second]) {
      expect(records(one, CREATE)).toHaveLength(40);
      expect(falseClaims(one, CREATE, service.sandbox, 40)).toEqual([]);
    }
  }, 30_000);

  describe('while somebody else schedules for the same times', () => {
    const own = () => existing(service.sandbox).filter((text) => texts(40).includes(text));

    /** Adds a post of somebody else for the time of each item. */
    function schedule(createdAt: number): void {
      for (let item = 0; item < 40; item++) {
        service.sandbox.addPosts(1, {
          scheduledAt: new Date(Date.UTC(2035, 0, 1) + 60_000 * item).toISOString(),
          createdAt: new Date(createdAt).toISOString(),
          variants: [{ socialAccountId: 1, content: `Of somebody else, for item ${item}` }],
        });
      }
    }

    test.each([
      ['an hour before', -3_600_000],
      ['half an hour after', 1_800_000],
    ])(
      'what they add %s the execution is taken for no result',
      async (_, milliseconds) => {
        schedule(Date.now() + milliseconds);
        const workflow = atOwnTimes({ uncertain: 'look' });
        const start = await stopped(workflow, 40, 15);
        const result = await retry(workflow, start);

        expect(records(result, CREATE)).toHaveLength(40);
        expect(falseClaims(result, CREATE, service.sandbox, 40)).toEqual([]);
        expect(own().sort()).toEqual(texts(40).sort());
      },
      30_000,
    );
  });

  test.each(['hold', 'look'])(
    'with times counted from now, %s creates none twice',
    async (uncertain) => {
      const workflow = fromNow({ uncertain });
      const start = await stopped(workflow, 40, 15);
      const first = await retry(workflow, start);
      await retry(workflow, start);

      expect(doubles()).toEqual([]);
      expect(falseClaims(first, CREATE, service.sandbox, 40)).toEqual([]);
    },
    30_000,
  );

  test('Send Again creates what may exist twice, as the user says', async () => {
    const start = await stopped(atOwnTimes(), 40, 15);
    const result = await retry(atOwnTimes({ uncertain: 'send' }), start);

    expect(records(result, CREATE)).toHaveLength(40);
    expect(existing(service.sandbox).length).toBeGreaterThan(40);
  }, 30_000);

  test('a manual run is recorded like any other', async () => {
    const workflow = atOwnTimes();
    const start = startOf(workflow, posts(20), CREATE);
    await stopped(workflow, 20, 8, start, { mode: 'manual' });
    const result = await retry(workflow, start);

    expect(doubles()).toEqual([]);
    expect(falseClaims(result, CREATE, service.sandbox, 20)).toEqual([]);
  }, 30_000);

  test('items that come in another order on the retry are known by what they ask for', async () => {
    const workflow = creatingPosts({}, { concurrency: 4 });
    const start = await stopped(workflow, 20, 8);
    await retry(workflow, withItems(start, [{ text: 'A new one' }, ...posts(20)]));

    expect(doubles()).toEqual([]);
  }, 30_000);
});

describe('where the record cannot be kept', () => {
  test('nothing goes out, and the error says so with what the database said', async () => {
    breakDeduplication();
    const result = await run(creatingPosts(), { input: posts(3) });

    expect(existing(service.sandbox)).toEqual([]);
    expect(service.sandbox.requests).toEqual([]);
    expect(nodeError(result, CREATE).context).toMatchObject({
      code: 'notLogged',
      itemIndex: undefined,
    });
    expect(nodeError(result, CREATE).description).toContain('“The database is locked”');
  }, 30_000);

  test('a retry holds what may have been sent', async () => {
    const workflow = creatingPosts();
    const start = await stopped(workflow, 20, 8);
    const before = existing(service.sandbox);
    breakDeduplication();
    const result = await retry(workflow, start);

    expect(existing(service.sandbox)).toEqual(before);
    expect(nodeError(result, CREATE).description).toContain('The database is locked');
  }, 30_000);
});

describe('a retry with the saved workflow', () => {
  let other: Sandbox;

  beforeEach(async () => {
    other = await startSandbox({ seed: false });
    addAccount(other);
  });

  afterEach(() => other.close());

  const failedAt = async (item: number, count: number) => {
    service.sandbox.faults.add({ kind: 'status', status: 422, after: item, times: 1 });
    return await run(creatingPosts({}, oneAfterTheOther), { input: posts(count) });
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
    const workflow = withParameters(
      creatingPosts(
        { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
        oneAfterTheOther,
      ),
      CREATE,
      {},
    );
    const options = workflow.nodes.find(({ name }) => name === CREATE)!.parameters[
      'options'
    ] as INodeParameters;
    const each = withParameters(workflow, CREATE, {
      options: { ...options, uncertain: '={{ $itemIndex === 0 ? "send" : "hold" }}' },
    });
    const result = await run(each, { input: posts(3) });

    expect(existing(service.sandbox)).toEqual([textOf(2), textOf(0)]);
    expect(claimsOf(result, CREATE).uncertain).toEqual([1]);
  });
});

test('a post without an ID is none: the outcome is uncertain', async () => {
  service.sandbox.faults.add({
    kind: 'wrongShape',
    body: { post: { error: 'Rejected' } },
    times: 1,
  });
  const result = await run(creatingPosts({}, oneAfterTheOther), { input: posts(1) });

  expect(claimsOf(result, CREATE)).toMatchObject({ uncertain: [0] });
  expect(nodeError(result, CREATE).context).toMatchObject({
    code: 'unexpectedResponse',
    certainty: 'uncertain',
  });
});
