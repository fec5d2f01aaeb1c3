import './short-lifetime';

import { setTimeout as pause } from 'node:timers/promises';

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
  retried,
  runWorkflow,
  toolNodeTypes,
  useSandbox,
  withNode,
  withParameters,
} from '../harness';
import { claimsOf, CREATE, creatingPosts, existing, held, loopOf, stopWhen } from './creations';
import {
  doubles as doublesIn,
  killed as killedIn,
  retry as retryIn,
  startOf,
  withItems,
  withSaved,
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
const AFTER = { publish: 'after', delayAmount: 2, delayUnit: 'hours' };
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
  test.each<[string, INodeParameters]>([
    ['published now', NOW],
    ['published after a delay', AFTER],
    ['in the next free slot', IN_NEXT_SLOT],
    ['at fixed times, with new signatures of the media', {}],
  ])('%s: no entry is posted twice, and the new one is posted', async (_, publish) => {
    const workflow = posting(publish);
    const start = await killed(workflow, entries([3, 2, 1]), 3);
    expect(texts()).toHaveLength(3);
    const result = await retry(workflow, start, entries([4, 3, 2, 1], 'second'));

    expect(texts()).toEqual(['Entry 3', 'Entry 2', 'Entry 1', 'Entry 4']);
    expect(saidOf(result, 4)).toEqual(['there', 'held', 'held', 'held']);
    await retry(workflow, start, entries([5, 4, 3, 2, 1], 'third'));
    expect(doubles()).toEqual([]);
    expect(texts()).toContain('Entry 5');
  });

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

test('times that have passed by the Retry are no reason to say that nothing was sent', async () => {
  const workflow = posting();
  const given = entries([1, 2]);
  const start = await killed(workflow, given, 2);
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2036, 0, 1));
  const result = await retry(workflow, start);
  now.mockRestore();

  expect(saidOf(result, 2)).toEqual(['held', 'held']);
  expect(descriptionOf(result)).not.toContain('Nothing was sent');
  expect(texts()).toHaveLength(2);
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

  test('does not take the post of another execution for its own', async () => {
    const workflow = posting({}, LOOK);
    const other = await run(workflow, { input: [{ ...entry(1), text: 'Of the other' }] });
    expect(other.status).toBe('success');
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const result = await run(workflow, { input: [entry(1)] });

    expect(saidOf(result, 1)).toEqual(['held']);
    expect(texts()).toEqual(['Of the other']);
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

  test('of which one is refused something: what the other sends meanwhile is held in other words', async () => {
    const workflow = posting({}, {}, GOING_ON);
    const start = startOf(workflow, entries([1, 2, 3, 4]));
    service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 2 });
    service.sandbox.faults.add({ kind: 'latency', ms: 300, method: 'POST', after: 3, times: 1 });
    const first = retry(workflow, start);
    while (texts().length < 1) await pause(1);
    await retry(workflow, start, entries([1, 2, 3, 4, 5]));
    await first;
    expect([...texts()].sort()).toEqual(['Entry 3', 'Entry 4', 'Entry 5']);
    const result = await retry(workflow, start, [
      ...entries([3, 4]),
      { ...entry(5), text: 'Entry 5, reworded' },
    ]);

    expect(texts()).toHaveLength(3);
    expect(saidOf(result, 3)).toEqual(['held', 'held', 'held']);
  });

  test('of one that failed, with Send Again, send once more only once', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const failed = await run(posting(), { input: [entry(1)] });
    const again = posting({}, { uncertain: 'send' });
    const from = withSaved(again, retried(failed));
    await Promise.all([retry(again, from), retry(again, from)]);
    expect(texts()).toEqual(['Entry 1']);
    await retry(again, from);

    expect(texts()).toEqual(['Entry 1']);
  });

  test('of one that failed, with Look, send once more only once', async () => {
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const workflow = posting({}, LOOK);
    service.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET', times: 1 });
    const failed = await run(workflow, { input: [entry(1)] });
    const from = retried(failed);
    await Promise.all([retry(workflow, from), retry(workflow, from)]);

    expect(texts()).toEqual(['Entry 1']);
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

  test('the same call and one in other words are held, and the model is told how to look', async () => {
    const workflow = calling();
    const start = startOf(workflow, [{ text: 'One' }]);
    await run(workflow, { from: structuredClone(start), ...more });
    const result = await retry(workflow, start, [{ text: 'One, reworded' }, { text: 'One' }], more);
    const answers = records(result, 'Caller').map(({ answer }) => JSON.stringify(answer));

    expect(texts()).toEqual(['One']);
    expect(answers[0]).toContain(held('otherWords').message);
    expect(answers[0]).toContain(held('otherWords').forModel);
    expect(answers[1]).toContain(held('leftOpen').message);
  });

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

  test('removed and reordered: none twice, all said', async () => {
    const start = await allSent(three);
    const result = await retry(posting(NOW), start, entries([3, 1], 'second'));

    expect(texts()).toHaveLength(3);
    expect(saidOf(result, 2)).toEqual(['held', 'held']);
  });

  test.each<[string, Given[]]>([
    ['one is removed and a new one comes', [entry(4), entry(1), entry(2)]],
    ['two are merged', [{ ...entry(1), text: 'Entry 1 and 2' }, entry(3)]],
    [
      'one is split',
      [
        { ...entry(1), text: 'Entry 1, a' },
        { ...entry(1), text: 'Entry 1, b' },
        entry(2),
        entry(3),
      ],
    ],
    [
      'a model words them anew',
      three.map((given) => ({ ...given, text: `${given.text}, reworded` })),
    ],
    [
      'the texts have the time in them',
      three.map((given) => ({ ...given, text: `${given.text} at 10:05` })),
    ],
    [
      'one is worded anew and has another picture',
      [{ text: 'Other', media: 'http://media.example/x.png', at: minute(1) }, entry(2), entry(3)],
    ],
  ])('%s: what may be one of them is held, and nothing is sent', async (_, given) => {
    for (const publish of [NOW, IN_NEXT_SLOT]) {
      service.sandbox.store.posts.splice(0);
      const start = await allSent(three, publish);
      const result = await retry(posting(publish), start, given);

      expect(texts()).toEqual(['Entry 1', 'Entry 2', 'Entry 3']);
      expect(new Set(saidOf(result, given.length))).toEqual(new Set(['held']));
    }
  });

  test('one caption with many pictures: those that were sent are held, a new one is sent', async () => {
    const picture = (number: number) => ({ ...entry(number), text: 'New picture' });
    const start = await allSent([picture(1), picture(2)]);
    const result = await retry(posting(NOW), start, [picture(3), picture(2), picture(1)]);

    expect(texts()).toHaveLength(3);
    expect(saidOf(result, 3)).toEqual(['there', 'held', 'held']);
  });

  test('one text at many times: those that were sent are held, a new time is sent', async () => {
    const morning = (number: number) => ({ ...entry(number), text: 'Good morning', media: '' });
    const start = await allSent([morning(1), morning(2)], {});
    const result = await retry(posting(), start, [morning(1), morning(2), morning(3)]);

    expect(texts()).toHaveLength(3);
    expect(saidOf(result, 3)).toEqual(['held', 'held', 'there']);
  });

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

  test('identical items: as many are held as were sent, and one more is sent', async () => {
    const start = await allSent([entry(1), entry(1)]);
    const result = await retry(posting(NOW), start, [entry(1), entry(1), entry(1)]);

    expect(texts()).toHaveLength(3);
    expect(saidOf(result, 3)).toEqual(['held', 'held', 'there']);
  });

  test('the times moved: what was sent for another time is held, and a new one is sent', async () => {
    const start = await allSent(three, {});
    const moved = entries([1, 2, 3, 4]).map((given) => ({
      ...given,
      at: given.at!.replace('2035', '2036'),
    }));
    const result = await retry(posting(), start, moved);

    expect(texts()).toHaveLength(4);
    expect(saidOf(result, 4)).toEqual(['held', 'held', 'held', 'there']);
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
