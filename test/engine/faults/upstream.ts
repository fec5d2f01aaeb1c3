import './short-lifetime';

import type { IDataObject, INode, INodeParameters, IRun, IRunExecutionData } from 'n8n-workflow';

import { create } from '../../../nodes/SocialPublishing/operations/post/create.operation';
import { addAccount } from '../../support/accounts';
import type { RunOptions, WorkflowFixture } from '../harness';
import {
  callingTool,
  inARow,
  items,
  nodeError,
  records,
  runWorkflow,
  toolNodeTypes,
  useSandbox,
  withNode,
  withParameters,
} from '../harness';
import { claimsOf, CREATE, creatingPosts, existing, loopOf, stopWhen } from './creations';
import {
  doubles as doublesIn,
  killed as killedIn,
  retry as retryIn,
  startOf,
  withItems,
} from './executions';
import { IN_NEXT_SLOT } from './queueing';

const service = useSandbox();

beforeEach(() => addAccount(service.sandbox));

/** An item as the nodes before ours give it. */
interface Given extends IDataObject {
  text: string;
  media?: string;
  at?: string;
}

const minute = (number: number): string => new Date(Date.UTC(2035, 0, 1, 0, number)).toISOString();

const entry = (number: number, signature = 'first'): Given => ({
  text: `Entry ${number}`,
  media: `http://media.example/${number}.png?signature=${signature}`,
  at: minute(10 * number),
});

const entries = (numbers: number[], signature?: string): Given[] =>
  numbers.map((number) => entry(number, signature));

/** Posts one after the other with what each item has. */
const posting = (
  parameters: INodeParameters = {},
  options: INodeParameters = {},
  settings: Partial<INode> = {},
): WorkflowFixture =>
  withParameters(creatingPosts(settings), CREATE, {
    mediaUrls: '={{ $json.media }}',
    scheduledAt: '={{ $json.at }}',
    ...parameters,
    options: { concurrency: 1, ...options },
  });

const NOW = { publish: 'now' };
const LOOK = { uncertain: 'look' };

const run = (workflow: WorkflowFixture, options: RunOptions) =>
  runWorkflow(workflow, { credentials: service.credentials(), ...options });

const killed = (workflow: WorkflowFixture, given: readonly Given[], after: number) =>
  killedIn(service.sandbox, workflow, given, after);

/** Its Retry, in which the nodes before ours give other items. */
const retry = (
  workflow: WorkflowFixture,
  start: IRunExecutionData,
  given?: readonly Given[],
  more: RunOptions = {},
): Promise<IRun> =>
  retryIn(service.sandbox, workflow, given ? withItems(start, given) : start, more);

const texts = () => existing(service.sandbox);

const doubles = (): string[] => doublesIn(service.sandbox);

/** What is said of each item: that it is there, or held. */
function saidOf(result: IRun, count: number): string[] {
  const { created, uncertain } = claimsOf(result, CREATE);
  return Array.from({ length: count }, (_, item) =>
    created.has(item) ? 'there' : uncertain.includes(item) ? 'held' : 'nothing',
  );
}

const descriptionOf = (result: IRun): string => nodeError(result, CREATE).description ?? '';

const GOING_ON = { onError: 'continueRegularOutput' } as const;

describe('a feed has a new entry at its front when a killed execution is retried', () => {
  test('in a loop of one with Continue', async () => {
    const workflow = loopOf(posting(NOW, {}, GOING_ON));
    const start = await killed(workflow, entries([3, 2, 1]), 2);
    const result = await retry(workflow, start, entries([4, 3, 2, 1], 'second'));

    expect(texts()).toEqual(['Entry 3', 'Entry 2', 'Entry 1']);
    // Each round is recognized by itself: the new entry may be one of the others in other words.
    expect(JSON.stringify(result.data.resultData.runData[CREATE]?.[0]?.data)).toContain(
      '"code":"otherWords"',
    );
  });

  test('and Look finds what exists at fixed times', async () => {
    const workflow = posting({}, LOOK);
    const start = await killed(workflow, entries([3, 2, 1]), 3);
    const result = await retry(workflow, start, entries([4, 3, 2, 1], 'second'));

    expect(records(result, CREATE).map(({ id }) => id)).toEqual([4, 1, 2, 3]);
  });
});

test('a loop whose first item failed its check in the first try, and not in the Retry', async () => {
  const workflow = loopOf(posting({}, {}, GOING_ON));
  const given = entries([1, 2, 3]);
  const start = await killed(workflow, [{ ...given[0]!, at: 'never' }, ...given.slice(1)], 2);
  const result = await retry(workflow, start, given);

  expect(texts()).toEqual(['Entry 2', 'Entry 3']);
  expect(JSON.stringify(result.data.resultData.runData[CREATE]?.[0]?.data)).toContain('uncertain');
});

test('items whose fields can not be read any more are told as what may exist', async () => {
  const workflow = posting();
  const start = await killed(workflow, entries([1, 2]), 2);
  const result = await retry(workflow, start, [
    { ...entry(1), at: 'never' },
    { ...entry(2), at: 'never' },
  ]);

  expect(saidOf(result, 2)).toEqual(['held', 'held']);
  expect(descriptionOf(result)).not.toContain('Nothing was sent for any item');
  expect(descriptionOf(result)).toMatch(/\b2 posts\b/);
});

describe('Look', () => {
  const twoNodes = (): WorkflowFixture => {
    const [, first] = posting({}, LOOK).nodes;
    return inARow(
      { name: 'Start', type: 'test-nodes.start' },
      { ...first!, name: 'First' },
      { ...first!, id: 'second', name: CREATE },
    );
  };

  test('does not take the post of the node before for the one that its own node lost', async () => {
    const workflow = withParameters(twoNodes(), CREATE, {
      content: '={{ $("Start").item.json.text }}, again',
      mediaUrls: '',
      scheduledAt: '={{ $("Start").item.json.at }}',
    });
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', after: 1, times: 1 });
    const result = await run(workflow, { input: [entry(1)] });

    expect(texts()).toEqual(['Entry 1', 'Entry 1, again']);
    expect(records(result, CREATE)).toMatchObject([{ id: 2 }]);
  });

  test('does not take the post of another execution for its own, and sends it', async () => {
    const workflow = posting({}, LOOK);
    const other = await run(workflow, { input: [{ ...entry(1), text: 'Of the other' }] });
    expect(other.status).toBe('success');
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const result = await run(workflow, { input: [entry(1)] });

    expect(saidOf(result, 1)).toEqual(['there']);
    expect(texts()).toEqual(['Of the other', 'Entry 1']);
  });

  test('holds what a service that stores seconds can not tell apart', async () => {
    const workflow = posting({}, LOOK);
    service.sandbox.faults.add({ kind: 'reset', processed: true, method: 'POST', times: 1 });
    const failed = run(workflow, { input: [{ ...entry(1), at: '2035-01-01T00:10:00.500Z' }] });
    while (service.sandbox.store.posts.length === 0) await new Promise(setImmediate);
    service.sandbox.store.posts[0]!.scheduledAt = '2035-01-01T00:10:00Z';
    const result = await failed;

    expect(saidOf(result, 1)).toEqual(['held']);
    expect(texts()).toHaveLength(1);
  });
});

describe('two Retries at once', () => {
  test('of an execution that was killed create what is missing once', async () => {
    const workflow = posting();
    const start = await killed(workflow, entries([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), 2);
    await Promise.all([retry(workflow, start), retry(workflow, start)]);

    expect(doubles()).toEqual([]);
  });
});

describe.each<[string, INodeParameters]>([
  ['now', NOW],
  ['in the next free slot', IN_NEXT_SLOT],
])('an AI agent that publishes %s starts over when its execution is retried', (_, publish) => {
  const calling = (): WorkflowFixture => {
    const [, create] = posting({
      ...publish,
      content: "={{ $fromAI('text', 'The text', 'string') }}",
      mediaUrls: '',
    }).nodes;
    return callingTool(create!);
  };
  const more = { nodeTypes: toolNodeTypes };

  test('with what n8n kept, the same call is answered with the post, and a reworded one is held', async () => {
    const workflow = calling();
    const start = startOf(workflow, [{ text: 'One' }, { text: 'Two' }]);
    const first = await run(workflow, { from: structuredClone(start), ...more });
    const from = structuredClone(start);
    from.executionData!.contextData = structuredClone(first.data.executionData!.contextData);
    const result = await retry(workflow, from, [{ text: 'Two, reworded' }, { text: 'One' }], more);
    const answers = records(result, 'Caller').map(({ answer }) => JSON.stringify(answer));

    expect(texts()).toEqual(['One', 'Two']);
    expect(answers[0]).toContain('in other words');
    expect(answers[1]).toContain('id\\":1');
  });
});

test.each<[string, INodeParameters]>([
  ['at fixed times', {}],
  ['in the next free slot', IN_NEXT_SLOT],
])('items that failed leave by the error output: %s', async (_, publish) => {
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });
  const workflow = withNode(posting(publish), CREATE, { onError: 'continueErrorOutput' });
  const result = await run(workflow, { input: entries([1, 2]) });

  expect(records(result, CREATE, 0)).toMatchObject([{ id: 1 }]);
  expect(items(result, CREATE, 1)).toHaveLength(1);
});

test('a mistake of ours ends the run, and is no failure of an item', async () => {
  const workflow = withNode(posting({ content: '={{ $json.text }}' }), CREATE, GOING_ON);
  const write = jest.spyOn(create, 'write').mockImplementation(() => {
    throw new TypeError('x is not a function');
  });
  const result = await run(workflow, { input: entries([1, 2]) });
  write.mockRestore();

  expect(texts()).toEqual([]);
  expect(JSON.stringify(result.data.resultData)).toContain('x is not a function');
  expect(JSON.stringify(result.data.resultData)).not.toContain('"certainty"');
});

describe('items change between a kill and the Retry', () => {
  const three = entries([1, 2, 3]);
  const allSent = (given: readonly Given[], publish: INodeParameters = NOW) =>
    killed(posting(publish), given, given.length);

  test('one text at two times, of which the one that was sent reads differently: none twice', async () => {
    const at = (number: number, text: string) => ({ ...entry(number), text, media: '' });
    const start = startOf(posting(), [at(1, 'Hello'), at(2, 'Hello')]);
    // A stop takes back what was not sent.
    await stopWhen(service.sandbox, 1, (options) =>
      run(posting(), { from: structuredClone(start), ...options }),
    );
    expect(texts()).toHaveLength(1);
    const result = await retry(posting(), start, [at(1, 'Hello again'), at(2, 'Hello')]);

    expect(texts()).toHaveLength(1);
    expect(saidOf(result, 2)).toEqual(['held', 'held']);
  });

  test('the node was renamed and its workflow edited: none twice', async () => {
    const start = await allSent(three);
    const renamed = posting({ ...NOW, content: '={{ $json.text.trim() }}' });
    const workflow: WorkflowFixture = {
      ...renamed,
      nodes: renamed.nodes.map((node) =>
        node.name === CREATE ? { ...node, name: 'Post it' } : node,
      ),
      connections: { Start: { main: [[{ node: 'Post it', type: 'main', index: 0 }]] } },
    };
    await retry(workflow, start);

    expect(texts()).toHaveLength(3);
  });

  test.each<[string, INodeParameters, Given[]]>([
    [
      'reads differently',
      NOW,
      three.map((given) => ({ ...given, text: `${given.text}, reworded` })),
    ],
    ['has another time', {}, three.map((given) => ({ ...given, at: minute(500) }))],
  ])(
    'with Send Again, what %s is sent, also when fewer items are left',
    async (_, publish, given) => {
      const same = entries([1, 1, 1, 2, 3]).map((one, n) => ({ ...one, at: minute(n) }));
      const start = await allSent(same, publish);
      const result = await retry(posting(publish, { uncertain: 'send' }), start, given.slice(0, 1));

      expect(saidOf(result, 1)).toEqual(['there']);
      expect(texts()).toHaveLength(6);
    },
  );

  test('a Retry of a Retry that was killed: none twice, none missing', async () => {
    const workflow = posting(NOW);
    const given = Array.from({ length: 20 }, (_, n) => entry(n));
    const start = await killed(workflow, given, 3);
    const second = structuredClone(start);
    await stopWhen(service.sandbox, 3, (options) =>
      run(workflow, { mode: 'retry', from: structuredClone(second), ...options }),
    );
    const result = await retry(workflow, second, [...given.slice(5), ...given.slice(0, 5)]);

    expect(doubles()).toEqual([]);
    expect(saidOf(result, 20)).not.toContain('nothing');
  });
});
