import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../support/accounts';
import {
  breakDeduplication,
  hintsOf,
  nodeError,
  readWorkflow,
  records,
  runWorkflow,
  useSandbox,
  withNode,
  withParameters,
} from './harness';

const service = useSandbox();

const NODE = 'Create post';
const NINE = '2035-01-15T09:00:00.000Z';
const TEN = '2035-01-15T10:00:00.000Z';

/** Creates a post for the time `at` of each item. */
const create = (
  ifScheduled: string,
  settings: Partial<INode> = {},
  options: INodeParameters = {},
) =>
  withNode(
    withParameters(readWorkflow('post.create'), NODE, {
      content: '={{ $json.text ?? "Hello" }}',
      mediaUrls: '',
      accounts: [1],
      scheduledAt: '={{ $json.at }}',
      overrides: {},
      options: { ifScheduled, ...options },
    }),
    NODE,
    settings,
  );

const run = (workflow: ReturnType<typeof create>, ...input: IDataObject[]) =>
  runWorkflow(workflow, { credentials: service.credentials(), input });

const methods = () => service.sandbox.requests.map(({ method }) => method);

beforeEach(() => {
  addAccount(service.sandbox);
});

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

test('many posts that exist do not hold back the ones after them', async () => {
  const at = Array.from({ length: 60 }, (_, n) =>
    new Date(Date.UTC(2035, 0, 1, 0, n)).toISOString(),
  );
  for (const scheduledAt of at.slice(0, 30)) service.sandbox.addPosts(1, { scheduledAt });

  const result = await run(create('skip'), ...at.map((time) => ({ at: time })));

  expect(records(result, NODE).map(({ scheduledAt }) => scheduledAt)).toEqual(at);
  expect(methods().filter((method) => method === 'POST')).toHaveLength(30);
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

test("nothing is said to exist, and nothing is created, where n8n's database fails", async () => {
  service.sandbox.addPosts(1, { scheduledAt: NINE });
  breakDeduplication();

  const result = await run(
    create('skip', { onError: 'continueRegularOutput' }),
    { at: NINE },
    { at: TEN },
  );

  const details = { code: 'notLogged', certainty: 'notSent' };
  expect(records(result, NODE)).toMatchObject([{ details }, { details }]);
  expect(methods()).toEqual(['GET']);
});

describe('a sheet that runs again', () => {
  const rows = Array.from({ length: 28 }, (_, n) => ({
    text: `Row ${n}`,
    // Some rows share their time.
    at: new Date(Date.UTC(2035, 0, 15, 9, n % 20)).toISOString(),
  }));
  const again = (...input: IDataObject[]) => run(create('skip'), ...input);
  const posts = () => methods().filter((method) => method === 'POST').length;
  const idsOf = (result: Awaited<ReturnType<typeof again>>) =>
    records(result, NODE).map(({ id }) => id);

  test('with two more rows creates two posts, and returns the others with their own IDs', async () => {
    const before = idsOf(await again(...rows));
    const added = [
      { text: 'New, at the time of another', at: rows[3]!.at },
      { text: 'New', at: TEN },
    ];

    const result = await again(added[0]!, ...rows, added[1]!);

    expect(new Set(before).size).toBe(28);
    expect(idsOf(result)).toEqual([29, ...before, 30]);
    expect(posts()).toBe(30);
    expect(records(result, NODE).map((one) => one.recognizedBy)).toEqual([
      undefined,
      ...rows.map(() => 'post'),
      undefined,
    ]);
    expect(hintsOf(result, NODE)).toContainEqual(expect.stringMatching(/^28 posts .*\bsame\b/));
  });

  test('knows what it created before the option was set', async () => {
    await run(create('create'), rows[0]!);

    expect(idsOf(await again(rows[0]!))).toEqual([1]);
  });

  test('leaves only a post that it does not know to the moment, and says so', async () => {
    service.sandbox.addPosts(1, { scheduledAt: TEN });

    const result = await again({ at: TEN });

    expect(records(result, NODE)).toMatchObject([
      { id: 1, alreadyScheduled: true, recognizedBy: 'time' },
    ]);
    expect(hintsOf(result, NODE)).toContainEqual(expect.stringMatching(/does not know/));
  });

  test('creates nothing twice when two executions run at once', async () => {
    const input = rows.slice(0, 6);
    const going = create('skip', { onError: 'continueRegularOutput' });

    const results = await Promise.all([run(going, ...input), run(going, ...input)]);

    const output = results.flatMap((result) => records(result, NODE));
    expect(posts()).toBe(6);
    for (const one of output.filter(({ error }) => error !== null)) {
      expect(one).toMatchObject({ details: { code: 'wanted', certainty: 'uncertain' } });
    }
    expect(idsOf(await again(...input)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(posts()).toBe(6);
  });

  test('holds what was sent and is not there, unless it is to be sent again', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 500, method: 'POST', times: 1 });
    await again({ at: TEN });

    expect(nodeError(await again({ at: TEN }), NODE).context).toMatchObject({ code: 'wanted' });
    expect(posts()).toBe(1);

    const sent = await run(create('skip', {}, { uncertain: 'send' }), { at: TEN });
    expect(idsOf(sent)).toEqual(idsOf(await again({ at: TEN })));
    expect(posts()).toBe(2);
  });

  test('sends what the service refused', async () => {
    service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 2 });
    await again({ at: TEN });
    await again({ at: TEN });

    expect(idsOf(await again({ at: TEN }))).toEqual([1]);
  });
});
