import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { creating, hintsOf, nodeError, records, useBakery, withParameters } from '../harness';

const service = useBakery();

const NODE = 'Create post';
const NINE = '2035-01-15T09:00:00.000Z';
const TEN = '2035-01-15T10:00:00.000Z';

/** Creates a post for the time `at` of each item. */
const create = (
  ifScheduled: string,
  settings: Partial<INode> = {},
  options: INodeParameters = {},
) =>
  creating(
    {
      content: '={{ $json.text ?? "Hello" }}',
      scheduledAt: '={{ $json.at }}',
      options: { ifScheduled, ...options },
    },
    settings,
  );

const run = (workflow: ReturnType<typeof create>, ...input: IDataObject[]) =>
  service.run(workflow, input);

const methods = () => service.sandbox.requests.map(({ method }) => method);

test('a post for a time that has one is created anyway unless the user says otherwise', async () => {
  service.sandbox.addPosts(1, { scheduledAt: NINE });

  await run(create('create'), { at: NINE });

  expect(methods()).toEqual(['POST']);
});

test.each([{ publish: 'now' }, { publish: 'after', delayAmount: 1, delayUnit: 'hours' }])(
  'items of one run with %j share a moment, and each is a post',
  async (time) => {
    const going = withParameters(create('skip'), NODE, time);
    const output = records(await run(going, {}, {}, {}, {}, {}), NODE);

    expect(methods()).toEqual(Array(5).fill('POST'));
    expect(new Set(output.map(({ id }) => id)).size).toBe(5);
    expect(new Set(output.map(({ scheduledAt }) => scheduledAt)).size).toBe(1);
  },
);

test('one walk returns the posts that exist, and creates the others', async () => {
  service.sandbox.addPosts(250, { scheduledAt: '2034-01-01T00:00:00.000Z' });
  const [existing] = service.sandbox.addPosts(1, { scheduledAt: NINE });

  const result = await run(
    create('skip'),
    { at: '2035-01-15T10:00:00+01:00' },
    { at: TEN },
    { at: NINE },
  );

  expect(methods()).toEqual(['GET', 'GET', 'GET', 'POST']);
  expect(records(result, NODE).map(({ id }) => id)).toEqual([existing?.id, 252, existing?.id]);
  expect(hintsOf(result, NODE)).toContainEqual(expect.stringMatching(/^2 posts? /));
  expect(hintsOf(result, NODE, 'warning')).toEqual([]);
});

test('the time counts that Custom Body Fields put in the place of the one chosen', async () => {
  const [existing] = service.sandbox.addPosts(1, { scheduledAt: NINE });

  const result = await run(
    create('skip', {}, { customBodyFields: `{ "scheduledAt": "${NINE}" }` }),
    { at: TEN },
  );

  expect(records(result, NODE).map(({ id }) => id)).toEqual([existing?.id]);
  expect(methods()).toEqual(['GET']);
});

test('that posts may not have been seen is said', async () => {
  const [existing] = service.sandbox.addPosts(1, { scheduledAt: NINE });
  service.sandbox.faults.add({ kind: 'wrongTotal', total: 4 });

  const result = await run(create('skip', {}, { includeQuota: true }), { at: NINE }, { at: TEN });

  expect(hintsOf(result, NODE, 'warning')).toHaveLength(1);
  expect(records(result, NODE)).toMatchObject([
    { id: existing?.id, quota: { limit: '1000' } },
    { id: 2 },
  ]);
});

test('items of the same run that are the same post get one', async () => {
  const result = await run(create('skip'), { at: NINE }, { at: NINE }, { at: TEN }, { at: NINE });

  expect(records(result, NODE).map(({ id, scheduledAt }) => [id, scheduledAt])).toEqual([
    [1, NINE],
    [1, NINE],
    [2, TEN],
    [1, NINE],
  ]);
  expect(methods().filter((method) => method === 'POST')).toHaveLength(2);
});

test('an item fails with the one that is the same post', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 1 });

  const result = await run(
    create('skip', { onError: 'continueRegularOutput' }, { concurrency: 1 }),
    { at: NINE },
    { at: NINE },
  );

  expect(records(result, NODE)).toMatchObject([
    { details: { code: 'invalidValues', certainty: 'refused' } },
    {
      details: { code: 'invalidValues', certainty: 'notSent' },
    },
  ]);
});

test('a time that is taken stops the run before anything is created', async () => {
  const [existing] = service.sandbox.addPosts(1, { scheduledAt: NINE });

  const result = await run(create('fail'), { at: TEN }, { at: NINE });

  expect(nodeError(result, NODE)).toMatchObject({
    message: expect.stringContaining(`(ID ${existing?.id})`) as string,
    context: { code: 'timeTaken', itemIndex: 1 },
  });
  expect(methods()).toEqual(['GET']);
});

test('two items that are the same post stop the run before anything is created', async () => {
  const result = await run(create('fail'), { at: TEN }, { at: TEN });

  expect(nodeError(result, NODE).context).toMatchObject({ code: 'postShared', itemIndex: 1 });
  expect(methods()).toEqual(['GET']);
});

test('what cannot be looked up is not created', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 403, method: 'GET' });

  const result = await run(create('skip'), { at: TEN });

  expect(nodeError(result, NODE).context).toMatchObject({ code: 'notAllowed', itemIndex: 0 });
  expect(methods()).toEqual(['GET']);
});
