import { ExecuteContext } from 'n8n-core';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { addAccount } from '../../support/records';
import type { RunOptions, WorkflowFixture } from '../harness';
import { creating, readWorkflow, useBakery, withParameters } from '../harness';

const service = useBakery();

const CREATE = 'Create post';

const create = (parameters: INodeParameters, settings: Partial<INode> = {}) =>
  creating({ content: 'Hello', accounts: '={{ [1] }}', ...parameters }, settings);

/** The lines above the output. */
const hints = (workflow: WorkflowFixture, ...input: IDataObject[]) => hintsOf(workflow, { input });

/** Those of a run by the editor's button. */
const manualHints = (workflow: WorkflowFixture, ...input: IDataObject[]) =>
  hintsOf(workflow, { input, mode: 'manual' });

async function hintsOf(
  workflow: WorkflowFixture,
  options: Pick<RunOptions, 'input' | 'mode'>,
): Promise<string[]> {
  const result = await service.run(workflow, undefined, options);
  const node = String(workflow.nodes.at(-1)?.name);
  return (result.data.resultData.runData[node]?.at(-1)?.hints ?? []).map(
    ({ type, message }) => `${type}: ${message}`,
  );
}

test.each([
  [
    { publish: 'after', delayAmount: 10, delayUnit: 'minutes' },
    /^info: .+ \(Europe\/Berlin\), .*\b10 minutes\b/,
  ],
  [
    { publish: 'after', delayAmount: 1.5, delayUnit: 'hours' },
    /\(Europe\/Berlin\), .*\b1 hour 30 minutes\b/,
  ],
  [{ publish: 'now' }, / \(Europe\/Berlin\), \D+$/],
])('of a post %j says when it is due', async (parameters, words) => {
  expect(await hints(create(parameters), {})).toEqual([expect.stringMatching(words)]);
});

test('gives the time in the zone that was chosen', async () => {
  const zoned = create({ scheduledAt: '2035-07-01T20:00', timeZone: 'Asia/Tokyo' });

  expect(await hints(zoned, {})).toEqual([
    expect.stringMatching(/^info: .* 1 Jul 2035, 20:00 \(Asia\/Tokyo\), .*\d+ days/),
  ]);
});

test('gives the time that Custom Body Fields put in its place', async () => {
  const customBodyFields = '{ "scheduledAt": "2035-07-01T18:00:00.000Z" }';
  const other = create({ publish: 'now', timeZone: 'UTC', options: { customBodyFields } });

  expect(await hints(other, {})).toEqual([
    expect.stringMatching(/^info: .* 1 Jul 2035, 20:00 \(Europe\/Berlin\), .*\d+ days/),
  ]);
});

test('calls no post scheduled that is sent with another status', async () => {
  expect(await hints(create({ publish: 'now', options: { status: 'draft' } }), {})).toEqual([]);
});

test('of several posts gives the first time and the last', async () => {
  const several = create({ scheduledAt: '={{ $json.at }}', timeZone: 'UTC' });

  expect(
    await hints(
      several,
      { at: '2035-01-02T00:00' },
      { at: '2035-01-01T00:00' },
      { at: '2035-01-03T00:00' },
    ),
  ).toEqual([
    expect.stringMatching(
      /^info: 3 .* 1 Jan 2035, 00:00 \(UTC\), .* 3 Jan 2035, 00:00 \(UTC\), .*\d+ days/,
    ),
  ]);
});

test('says once what differs in a value alone, and with which rows', async () => {
  const viewers = create({
    publish: 'now',
    mediaUrls: '=https://drive.google.com/drive/folders/{{ $json.file }}',
  });
  const items = [1, 1, 2, 3].map((file) => ({ file: `file${file}` }));

  expect((await hints(viewers, ...items))[0]).toMatch(
    /^warning: .*file1\b.* \[.*1 to 2;.*3 to 4\]$/,
  );
});

test('shows no more than six lines, and how many warnings it leaves out', async () => {
  const texts = ['image.png', 'drive.google.com/file/d/a/view', 'dropbox.com/s/a/a.png'];
  const many = create(
    {
      scheduledAt: '={{ $json.at }}',
      mediaUrls: '=https://{{ $json.media }}',
      options: { ifWrong: 'warn' },
    },
    { onError: 'continueRegularOutput' },
  );
  const items = [...texts, ...texts].map((media, index) => ({
    media,
    at: ['2035-01-02', 'never', '2035-10-28T02:30', '', 'x', '2035-03-04'][index],
  }));
  const lines = await hints(many, ...items);

  expect(lines.length).toBeLessThanOrEqual(6);
  expect(lines[0]).toMatch(/^warning: 3 .*\b6\b.* \[.*2, 4 to 5\]$/);
  expect(lines.filter((line) => /^warning: \d+ more /.test(line))).not.toEqual([]);
});

test('warns of a time that has passed and is published at once', async () => {
  const past = create({ scheduledAt: '2020-01-05T10:00Z', options: { ifPast: 'publish' } });

  expect(await hints(past, {})).toEqual([
    expect.stringMatching(/^warning: /),
    expect.stringMatching(/^info: .* 5 Jan 2020, 11:00 \(Europe\/Berlin\), .*\d+ days/),
  ]);
});

test('warns of a date without a time', async () => {
  const bare = create({ scheduledAt: '2035-07-01', timeZone: 'UTC' });

  expect(await hints(bare, {})).toEqual([
    expect.stringMatching(/^warning: The date has no time of day.*09:00/),
    expect.stringMatching(/^info: .* 1 Jul 2035, 00:00 \(UTC\)/),
  ]);
});

describe('warns of an account that is inactive', () => {
  beforeEach(() => {
    addAccount(service.sandbox, {
      platform: 'tiktok',
      platformUsername: 'old',
      displayName: 'Old',
      isActive: false,
    });
  });

  test.each([['tiktok'], ['@old, 1'], ['x, 2']])('that %s names', async (accounts) => {
    expect(
      await hints(create({ publish: 'now', accounts: `={{ "${accounts}" }}` }), {}),
    ).toContainEqual(expect.stringMatching(/^warning: .*TikTok: Old \(@old\)/));
  });

  test('and spends no request on accounts given by ID', async () => {
    expect(await hints(create({ publish: 'now', accounts: [1, 2] }), {})).toHaveLength(1);
    expect(service.wire().filter((line) => line.startsWith('GET'))).toEqual([]);
  });
});

test('says which of two equal times was sent', async () => {
  const twice = create({ scheduledAt: '2035-10-28T02:30' });

  expect((await hints(twice, {}))[0]).toMatch(/^warning: .*Europe\/Berlin/);
});

test('with Continue, says what was not created', async () => {
  const going = create({ scheduledAt: '={{ $json.at }}' }, { onError: 'continueRegularOutput' });

  expect(await hints(going, { at: '2035-01-02' }, { at: 'never' }, { at: 'never' })).toContainEqual(
    expect.stringMatching(/^warning: 2 \D*3 posts /),
  );
});

test('says what an earlier try had created', async () => {
  service.sandbox.faults.add({ kind: 'status', status: 422, after: 2, times: 1 });
  const again = create(
    { scheduledAt: '2035-01-02', options: { concurrency: 1 } },
    { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
  );

  expect(await hints(again, {}, {}, {})).toContainEqual(expect.stringMatching(/^info: 2 posts /));
});

test('says when a fifth of the quota or less is left, and not before', async () => {
  const { sandbox } = service;
  const key = sandbox.store.keys.find(({ plan }) => plan === 'pro');
  const read = readWorkflow('account.getAll');
  const hintsWith = async (used: number) => {
    if (key) key.usage.used = used;
    return await hints(read, {});
  };
  await hintsWith(0);

  expect(await hintsWith(798)).toEqual([]);
  expect(await hintsWith(799)).toEqual([expect.stringMatching(/^warning: 200 \D+1,000 /)]);
});

test('shows the cron expression of a schedule in words', async () => {
  const agent = withParameters(readWorkflow('agent.create'), 'Save agent', {
    scheduleMode: 'everyWeekday',
    hour: 7,
    minute: 30,
  });

  expect(await hints(agent, { name: 'A', active: true })).toEqual([
    expect.stringMatching(/^info: .* 30 7 \* \* 1-5 /),
  ]);
});

test.each([
  ['Custom Body Fields replace', { schedule: '0 6 * * *' }, ['0 6 * * *']],
  ['Custom Body Fields remove', { schedule: null }, []],
])('shows the schedule that is sent where %s it', async (_, customBodyFields, sent) => {
  const agent = withParameters(readWorkflow('agent.create'), 'Save agent', {
    scheduleMode: 'everyWeekday',
    options: { customBodyFields: JSON.stringify(customBodyFields) },
  });

  expect(await hints(agent, { name: 'A', active: true })).toEqual(
    sent.map((cron) => expect.stringContaining(cron) as string),
  );
});

test('shows what looks like a tag as text', async () => {
  const agent = withParameters(readWorkflow('agent.create'), 'Save agent', {
    scheduleMode: 'cron',
    schedule: '0 9 * * 1-5',
  });
  const [hint] = await hints(agent, { name: '<b>A</b>', active: true });

  expect(hint).not.toContain('<');
});

test('an n8n that shows no lines above the output creates the post all the same', async () => {
  const { prototype } = ExecuteContext;
  const shows = Object.getOwnPropertyDescriptor(prototype, 'addExecutionHints');
  Object.defineProperty(prototype, 'addExecutionHints', { ...shows, value: undefined });
  try {
    expect(await hints(create({ publish: 'now' }), {})).toEqual([]);
  } finally {
    Object.defineProperty(prototype, 'addExecutionHints', { ...shows });
  }
  expect(service.sandbox.store.posts).toHaveLength(1);
});

describe('after a run in the editor', () => {
  const at = { publish: 'at', scheduledAt: '={{ $json.at }}' };
  const one = { at: '2035-01-02' };
  const two = { at: '2035-01-03' };
  /** What is told beside the time or the schedule of what was sent. */
  const real = (lines: string[]) =>
    lines.filter((line) => line.startsWith('info: ') && !/ 2035|\* \* \*/.test(line));

  test('says that the post is real, and that each run creates another', async () => {
    expect(real(await manualHints(create(at), one))).toEqual([expect.stringMatching(/\. /)]);
    expect(real(await manualHints(create(at), one, two))).toEqual([
      expect.stringMatching(/\b2\b.*\. /),
    ]);
  });

  test('says so after no other run, and not where nothing was created', async () => {
    const bad = create(at, { onError: 'continueRegularOutput' });
    const preview = withParameters(create(at), CREATE, { operation: 'preview' });

    expect(real(await hints(create(at), one))).toEqual([]);
    expect(real(await manualHints(bad, { at: 'never' }))).toEqual([]);
    expect(real(await manualHints(preview, one))).toEqual([]);
    expect(real(await manualHints(readWorkflow('agent.update'), { id: 1 }))).toEqual([]);
  });

  test("doesn't say that the next run creates another where it returns this one", async () => {
    const once = create({ ...at, options: { ifScheduled: 'skip' } });

    expect(real(await manualHints(once, one))).toEqual([expect.not.stringContaining('. ')]);
    // The one line that is left says that the post was not created.
    expect(real(await manualHints(once, one))).toEqual([expect.stringMatching(/\b1\b/)]);
  });

  test('says it of an agent, too', async () => {
    expect(
      real(
        await manualHints(readWorkflow('agent.create'), {
          name: 'A',
          active: true,
          schedule: '0 6 * * *',
        }),
      ),
    ).toEqual([expect.stringMatching(/\bagent\b.*\. /)]);
  });
});

describe('of a read that returns nothing', () => {
  const posts = (parameters: INodeParameters) =>
    withParameters(readWorkflow('post.getAll'), 'Get posts', parameters);

  test.each([
    [readWorkflow('agent.getAll'), /^info: \D*\b1$/],
    [posts({}), /^info: \D*\b1$/],
    [posts({ options: { workspaceId: '2' } }), /^info: \D*\b2$/],
    [posts({ options: { offset: 5 } }), /^info: \D*\b1\b\D*\b5$/],
    [posts({ filters: { status: 'sent' } }), /^info: \D*\b1\b.* "sent"$/],
    [
      posts({ filters: { dueAfter: '2035-01-02', dueBefore: '2035-01-03' } }),
      /^info: \D*\b1\b.* 2 Jan 2035, 00:00 \(.+\) .* 3 Jan 2035, 00:00 \(.+\)$/,
    ],
  ])('says in which workspace, and by which filter: %#', async (workflow, words) => {
    service.sandbox.store.addWorkspace('Second');

    expect(await hints(workflow, {})).toEqual([expect.stringMatching(words)]);
  });

  test('says it once of items that ask for the same, and not of those that get some', async () => {
    for (const name of ['Second', 'Third']) service.sandbox.store.addWorkspace(name);
    service.sandbox.addPosts(1, { workspaceId: 1 });
    const each = posts({ options: { workspaceId: '={{ $json.workspace }}' } });
    const workspaces = [1, 2, 2, 3].map((workspace) => ({ workspace }));

    expect(await hints(each, ...workspaces)).toEqual([
      expect.stringMatching(/^info: \D*\b2 \(2 .*\)$/),
      expect.stringMatching(/^info: \D*\b3$/),
    ]);
  });
});
