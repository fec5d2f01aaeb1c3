import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowFixture } from '../harness';
import {
  creating,
  items,
  nodeError,
  readWorkflow,
  records,
  runWorkflow,
  useBakery,
  withNode,
  withParameters,
} from '../harness';

const service = useBakery();

const CREATE = 'Create post';
const NINE = '2035-01-15T09:00:00.000Z';
const TEN = '2035-01-15T10:00:00.000Z';

/** Creates a post for the time `at` of each item, with Include Other Input Fields. */
const create = (
  onError: INode['onError'] = 'stopWorkflow',
  options: INodeParameters = {},
  parameters: INodeParameters = {},
) =>
  creating(
    {
      content: 'Hello',
      scheduledAt: '={{ $json.at }}',
      options: { includeInputFields: true, ...options },
      ...parameters,
    },
    { onError },
  );

const run = (workflow: WorkflowFixture, ...input: IDataObject[]) => service.run(workflow, input);

/** What the node outputs, by its first or another output. */
const outputOf = async (workflow: WorkflowFixture, input: IDataObject[], output = 0) =>
  records(await run(workflow, ...input), String(workflow.nodes.at(-1)?.name), output);

describe('Include Other Input Fields', () => {
  const row = { at: NINE, row: 7, client: { name: 'Bakery' } };
  const bad = { at: 'never', row: 8 };

  test('is off unless the user turns it on', async () => {
    const [record] = await outputOf(create('stopWorkflow', { includeInputFields: false }), [row]);

    expect(record).not.toHaveProperty('row');
  });

  test('puts the fields of the input after those of the node', async () => {
    const [record] = await outputOf(create(), [row]);

    expect(record).toMatchObject({ id: 1, ...row });
    expect(Object.keys(record ?? {})).toEqual([
      'id',
      'workspaceId',
      'status',
      'scheduledAt',
      'createdAt',
      'due',
      'at',
      'row',
      'client',
    ]);
  });

  test('keeps the field of the node where the input has one of the same name', async () => {
    const [record] = await outputOf(create(), [{ ...row, id: 'row-7', status: 'ready' }]);

    expect(record).toMatchObject({ id: 1, status: 'scheduled', row: 7 });
  });

  test('of an item that failed has the input, and its error in the first column', async () => {
    const output = await outputOf(create('continueRegularOutput'), [row, { ...bad, error: 'old' }]);

    expect(output).toMatchObject([
      { id: 1, error: null, row: 7 },
      { ...bad, error: expect.stringContaining('[item 1]') as string },
    ]);
    expect(output.map((record) => Object.keys(record)[0])).toEqual(['error', 'error']);
    expect(Object.keys(output[1] ?? {}).at(-1)).toBe('details');
  });

  test('of an item that failed leaves by the error output, which has only those', async () => {
    const workflow = create('continueErrorOutput');
    const result = await run(workflow, row, bad);

    expect(records(result, CREATE, 0)).toMatchObject([{ id: 1, row: 7 }]);
    expect(records(result, CREATE, 0)[0]).not.toHaveProperty('error');
    expect(records(result, CREATE, 1)).toMatchObject([
      { ...bad, error: expect.stringContaining('[item 1]') as string },
    ]);
  });

  test('holds where nothing of the item could be read', async () => {
    const result = await runWorkflow(create('continueRegularOutput'), {
      credentials: service.credentials({ baseUrl: 'nowhere' }),
      input: [row],
    });

    expect(records(result, CREATE)).toMatchObject([
      { ...row, error: expect.stringContaining('Base URL') as string },
    ]);
  });

  test('of a post that is held has the input', async () => {
    service.sandbox.faults.add({ kind: 'reset', processed: true, times: 1 });
    const workflow = withNode(create('continueRegularOutput'), CREATE, {
      retryOnFail: true,
      maxTries: 2,
      waitBetweenTries: 1,
    });

    expect(await outputOf(workflow, [row])).toMatchObject([
      { ...row, details: { certainty: 'uncertain' } },
    ]);
  });

  test('gives each record of a read the fields of the item that asked for it', async () => {
    service.sandbox.addPosts(2, { workspaceId: 1 });
    const read = withParameters(readWorkflow('post.getAll'), 'Get posts', {
      options: { includeInputFields: true },
    });

    expect(await outputOf(read, [{ client: 'A' }, { client: 'B' }])).toMatchObject([
      { id: 1, client: 'A' },
      { id: 2, client: 'A' },
      { id: 1, client: 'B' },
      { id: 2, client: 'B' },
    ]);
  });

  test('gives a preview the fields of the input', async () => {
    const preview = withParameters(create(), CREATE, { operation: 'preview' });

    expect(await outputOf(preview, [row])).toMatchObject([{ requests: 1, row: 7 }]);
  });

  test('copies the input, so that a later change of one is no change of the other', async () => {
    const result = await run(create(), row);
    const [output] = items(result, CREATE);
    const [input] = items(result, 'Start');

    expect(output?.json.client).toEqual(input?.json.client);
    expect(output?.json.client).not.toBe(input?.json.client);
  });

  test('holds for all items of a run', async () => {
    const options = { includeInputFields: '={{ $json.row === 7 }}' };
    const result = await run(create('stopWorkflow', options), row, { ...row, row: 8 });

    expect(nodeError(result, CREATE).message).toMatch(/^Options → Include Other Input Fields /);
    expect(service.sandbox.requests).toEqual([]);
  });
});

describe('On Error: Continue', () => {
  test.each([false, true])(
    'puts the error first, null where there is none: Include Other Input Fields %s',
    async (includeInputFields) => {
      const output = await outputOf(create('continueRegularOutput', { includeInputFields }), [
        { at: NINE },
        { at: 'never' },
      ]);

      expect(output.map(({ error }) => error)).toEqual([null, expect.any(String)]);
      expect(output.map((record) => Object.keys(record)[0])).toEqual(['error', 'error']);
    },
  );

  test.each(['stopWorkflow', 'continueErrorOutput'] as const)(
    'is no matter of %s',
    async (onError) => {
      const [record] = await outputOf(create(onError), [{ at: NINE }]);

      expect(record).not.toHaveProperty('error');
    },
  );
});

describe('a post that Skip and Return It left out', () => {
  const skip = { ifScheduled: 'skip', includeInputFields: false };

  test('says so, whether it was there before or comes from the same run', async () => {
    service.sandbox.addPosts(1, { scheduledAt: NINE });

    const output = await outputOf(create('stopWorkflow', skip), [
      { at: NINE },
      { at: TEN },
      { at: TEN },
    ]);

    expect(output.map(({ id, alreadyScheduled }) => [id, alreadyScheduled])).toEqual([
      [1, true],
      [2, undefined],
      [2, true],
    ]);
  });
});

test('with Continue, a record with an error of its own is no failed item', async () => {
  const post = { id: 7, workspaceId: 1, error: 'A variant was cut' };
  service.sandbox.faults.add({ kind: 'status', status: 201, body: { post }, times: 2 });
  const input = { input: [{ at: NINE, error: 'Of the item' }], credentials: service.credentials() };

  const going = records(await runWorkflow(create('continueRegularOutput'), input), CREATE);
  const stopping = records(await runWorkflow(create(), input), CREATE);

  expect(going).toEqual([
    expect.objectContaining({ id: 7, error: null, recordError: 'A variant was cut' }),
  ]);
  expect(stopping).toEqual([expect.objectContaining(post)]);
});
