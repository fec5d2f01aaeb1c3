import type { IDataObject, INode, INodeParameters, IRun, IRunExecutionData } from 'n8n-workflow';

import { create } from '../../../nodes/SocialPublishing/operations/post/create.operation';
import type { RunOptions, WorkflowFixture } from '../harness';
import {
  callingTool,
  inARow,
  items,
  nodeError,
  records,
  useBakery,
  withNode,
  withParameters,
} from '../harness';
import { claimsOf, CREATE, creatingPosts, existing } from './creations';
import { killed as killedIn, retry as retryIn, runFrom, startOf, withItems } from './executions';
import { IN_NEXT_SLOT } from './queueing';

const service = useBakery();

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

const { run } = service;

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

/** What is said of each item: that it is there, or held. */
function saidOf(result: IRun, count: number): string[] {
  const { created, uncertain } = claimsOf(result, CREATE);
  return Array.from({ length: count }, (_, item) =>
    created.has(item) ? 'there' : uncertain.includes(item) ? 'held' : 'nothing',
  );
}

const descriptionOf = (result: IRun): string => nodeError(result, CREATE).description ?? '';

const GOING_ON = { onError: 'continueRegularOutput' } as const;

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
    const result = await run(workflow, [entry(1)]);

    expect(texts()).toEqual(['Entry 1', 'Entry 1, again']);
    expect(records(result, CREATE)).toMatchObject([{ id: 2 }]);
  });

  test('does not take the post of another execution for its own, and sends it', async () => {
    const workflow = posting({}, LOOK);
    const other = await run(workflow, [{ ...entry(1), text: 'Of the other' }]);
    expect(other.status).toBe('success');
    service.sandbox.faults.add({ kind: 'reset', method: 'POST', times: 1 });
    const result = await run(workflow, [entry(1)]);

    expect(saidOf(result, 1)).toEqual(['there']);
    expect(texts()).toEqual(['Of the other', 'Entry 1']);
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

  test('with what n8n kept, the same call is answered with the post, and a reworded one is held', async () => {
    const workflow = calling();
    const start = startOf(workflow, [{ text: 'One' }, { text: 'Two' }]);
    const first = await runFrom(service.sandbox, workflow, start);
    const from = structuredClone(start);
    from.executionData!.contextData = structuredClone(first.data.executionData!.contextData);
    const result = await retry(workflow, from, [{ text: 'Two, reworded' }, { text: 'One' }]);
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
  const result = await run(workflow, entries([1, 2]));

  expect(records(result, CREATE, 0)).toMatchObject([{ id: 1 }]);
  expect(items(result, CREATE, 1)).toHaveLength(1);
});

test('a mistake of ours ends the run, and is no failure of an item', async () => {
  const workflow = withNode(posting({ content: '={{ $json.text }}' }), CREATE, GOING_ON);
  const write = jest.spyOn(create, 'write').mockImplementation(() => {
    throw new TypeError('x is not a function');
  });
  const result = await run(workflow, entries([1, 2]));
  write.mockRestore();

  expect(texts()).toEqual([]);
  expect(JSON.stringify(result.data.resultData)).toContain('x is not a function');
  expect(JSON.stringify(result.data.resultData)).not.toContain('"certainty"');
});

describe('items change between a kill and the Retry', () => {
  const three = entries([1, 2, 3]);
  const allSent = (given: readonly Given[], publish: INodeParameters = NOW) =>
    killed(posting(publish), given, given.length);

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
});
