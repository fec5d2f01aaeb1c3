import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../../support/records';
import { creating, cutOffDeduplication, hintsOf, nodeError, records, useBakery } from '../harness';

const service = useBakery();

const NODE = 'Create post';
const TEN = '2035-01-15T10:00:00.000Z';
const GOES_ON = { onError: 'continueRegularOutput' } as const;

/** Creates a post of `text` for the time `at` on the accounts `on` of each item. */
const create = (settings: Partial<INode> = {}, options: INodeParameters = {}) =>
  creating(
    {
      content: '={{ $json.text ?? "Hello" }}',
      mediaUrls: '={{ $json.media ?? "" }}',
      accounts: '={{ $json.on ?? [1] }}',
      scheduledAt: '={{ $json.at }}',
      options: { ifScheduled: 'skip', ...options },
    },
    settings,
  );

const run = (workflow: ReturnType<typeof create>, ...input: IDataObject[]) =>
  service.run(workflow, input);
const again = (...input: IDataObject[]) => run(create(), ...input);

const output = (result: Awaited<ReturnType<typeof run>>) => records(result, NODE);
const idsOf = (result: Awaited<ReturnType<typeof run>>) => output(result).map(({ id }) => id);
const posts = () => service.sandbox.requests.filter(({ method }) => method === 'POST').length;

const rows = Array.from({ length: 28 }, (_, n) => ({
  text: `Row ${n}`,
  // Some rows share their time.
  at: new Date(Date.UTC(2035, 0, 15, 9, n % 20)).toISOString(),
}));

beforeEach(() => {
  addAccount(service.sandbox);
});

test('28 rows and two more are two posts, whatever their times, and the others return with their own IDs', async () => {
  const before = idsOf(await again(...rows));
  const added = [
    { text: 'New, at the time of another', at: rows[3]!.at },
    { text: 'New', at: TEN },
  ];

  const result = await again(added[0]!, ...rows, added[1]!);

  expect(new Set(before).size).toBe(28);
  expect(idsOf(result)).toEqual([29, ...before, 30]);
  expect(posts()).toBe(30);
  expect(output(result).map(({ recognizedBy }) => recognizedBy)).toEqual([
    undefined,
    ...rows.map(() => 'post'),
    undefined,
  ]);
  expect(hintsOf(result, NODE)).toEqual([
    expect.stringMatching(/^2 posts scheduled/),
    expect.stringMatching(/^28 posts .*\bsame\b/),
    expect.stringMatching(/^1 post created for a time\b/),
  ]);
});

test.each([
  ['accounts', { on: [1] }, { on: [2] }],
  ['texts', { text: 'For X' }, { text: 'For LinkedIn' }],
  ['media', { media: 'https://media.example/a.jpg' }, { media: 'https://media.example/b.jpg' }],
])(
  'two rows of one time with other %s are two posts, in one run or in two',
  async (_, one, other) => {
    const both = [
      { ...one, at: TEN },
      { ...other, at: TEN },
    ];

    expect(idsOf(await again(...both))).toEqual([1, 2]);
    expect(idsOf(await again(both[1]!))).toEqual([2]);
    expect(idsOf(await again({ ...both[0]!, at: rows[0]!.at }))).toEqual([3]);
    expect(idsOf(await again({ ...both[1]!, at: rows[0]!.at }))).toEqual([4]);
    expect(posts()).toBe(4);
  },
);

test('what was created before the option was set is the same post, too', async () => {
  await run(create({}, { ifScheduled: 'create' }), rows[0]!);

  expect(idsOf(await again(rows[0]!))).toEqual([1]);
});

test('with Stop With an Error, the same post is named', async () => {
  await again(rows[0]!);

  const result = await run(create({}, { ifScheduled: 'fail' }), { at: TEN }, rows[0]!);

  expect(nodeError(result, NODE)).toMatchObject({
    message: expect.stringMatching(/\bsame post \(ID 1\)/) as string,
    context: { code: 'samePost', itemIndex: 1 },
  });
  expect(posts()).toBe(1);
});

test('only a post that the node does not know is left to the moment, and that is said', async () => {
  service.sandbox.addPosts(1, { scheduledAt: TEN });

  const result = await again({ at: TEN });

  expect(output(result)).toMatchObject([{ id: 1, alreadyScheduled: true, recognizedBy: 'time' }]);
  expect(hintsOf(result, NODE)).toEqual([expect.stringMatching(/^1 post .*\bdoes not know\b/)]);
});

test.each(['hold', 'send'])(
  'two executions of one sheet at the same time create nothing twice: %s',
  async (uncertain) => {
    const input = rows.slice(0, 6);
    const going = create(GOES_ON, { uncertain });

    const results = await Promise.all([run(going, ...input), run(going, ...[...input].reverse())]);

    expect(posts()).toBe(6);
    for (const one of results.flatMap(output).filter(({ error }) => error !== null)) {
      expect(one).toMatchObject({ details: { code: 'wanted', certainty: 'uncertain' } });
    }
    expect(idsOf(await again(...input)).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(posts()).toBe(6);
  },
);

const loseAnswer = (kind: 'truncated' | 'status') =>
  service.sandbox.faults.add(
    kind === 'status'
      ? { kind, status: 500, method: 'POST', times: 1 }
      : { kind, method: 'POST', times: 1 },
  );

/** Lets four minutes pass: nothing that was sent can still be under way. */
function later(): void {
  const clocks = [Date.now, performance.now.bind(performance)] as const;
  jest.spyOn(Date, 'now').mockImplementation(() => clocks[0]() + 4 * 60_000);
  jest.spyOn(performance, 'now').mockImplementation(() => clocks[1]() + 4 * 60_000);
}

test('a row whose answer was lost takes the post of its time, and leaves the time to others', async () => {
  loseAnswer('truncated');
  await again({ at: TEN });

  const result = await again({ at: TEN, text: 'For LinkedIn' }, { at: TEN });

  expect(output(result)).toMatchObject([{ id: 2 }, { id: 1, recognizedBy: 'lostAnswer' }]);
  expect(posts()).toBe(2);
});

test('a row that was sent, and is not there, is held until it is to be sent again', async () => {
  loseAnswer('status');
  await again({ at: TEN });

  for (let run = 0; run < 2; run++) {
    const error = nodeError(await again({ at: TEN }), NODE);
    expect(error.context).toMatchObject({ code: 'wanted', certainty: 'uncertain' });
  }
  const sendsAgain = create({}, { uncertain: 'send' });
  // It may be under way in the other execution.
  expect(nodeError(await run(sendsAgain, { at: TEN }), NODE).context).toMatchObject({
    code: 'wanted',
  });
  expect(posts()).toBe(1);

  later();
  expect(nodeError(await again({ at: TEN }), NODE).context).toMatchObject({ code: 'wanted' });
  expect(idsOf(await run(sendsAgain, { at: TEN }))).toEqual([1]);
  expect(idsOf(await again({ at: TEN }))).toEqual([1]);
  expect(posts()).toBe(2);
});

test('a post that was deleted in the service is not created again unasked', async () => {
  await again({ at: TEN });
  service.sandbox.store.removePost(1, 1);
  later();

  expect(nodeError(await again({ at: TEN }), NODE).context).toMatchObject({ code: 'wanted' });
  expect(posts()).toBe(1);
});

test('where fewer posts are there than were sent without an answer, nobody gets one', async () => {
  const two = [
    { at: TEN, text: 'One' },
    { at: TEN, text: 'Other' },
  ];
  loseAnswer('truncated');
  loseAnswer('status');
  await run(create(GOES_ON, { concurrency: 1 }), ...two);

  const details = { code: 'wanted', certainty: 'uncertain' };
  expect(output(await run(create(GOES_ON), ...two))).toMatchObject([{ details }, { details }]);
  expect(posts()).toBe(2);
});

test('what the service refused is sent again', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 422, method: 'POST', times: 2 });
  await again({ at: TEN });
  await again({ at: TEN });

  expect(idsOf(await again({ at: TEN }))).toEqual([1]);
});

test("nothing is said to exist, and nothing is created, where n8n's database fails", async () => {
  service.sandbox.addPosts(1, { scheduledAt: rows[0]!.at });
  const { id } = create().nodes.find(({ name }) => name === NODE)!;
  const mend = cutOffDeduplication(id);

  const result = await run(create(GOES_ON), rows[0]!, { at: TEN });
  mend();

  const details = { code: 'notLogged', certainty: 'notSent' };
  expect(output(result)).toMatchObject([{ details }, { details }]);
  expect(posts()).toBe(0);
});
