import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Delivery } from '../../../sandbox';
import { type InboxKind, inboxKinds } from '../../../sandbox/records';
import { repositoryDir } from '../../../scripts/n8n/paths';
import { type Execution, outputOf, type WorkflowFile } from '../../../scripts/n8n/rest';
import { Editor } from '../support/editor';
import { causeEvent } from '../trigger/event-causes';
import { submitForm } from './form';
import { type Example, Gallery } from './gallery';
import { airtableRecords, sheetRows } from './rows';

let gallery: Gallery;

beforeEach(async () => {
  gallery = await Gallery.open();
});

afterEach(() => gallery.close());

const statuses = (executions: Execution[]) => executions.map(({ status }) => status);

/** Bodies of the requests that wrote something. */
const written = () =>
  gallery.bench.sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body.toString()) as unknown);

/** As many as the sandbox sends to one endpoint at the same time. */
const AT_ONCE = 16;

/** Sends as many events, without waiting for one before the next. */
async function emitAtOnce(): Promise<Delivery[]> {
  const { webhooks } = gallery.bench.sandbox;
  const sent = agentsSent.map((agentId) => webhooks.emit('agent.action', { agentId }));
  return (await Promise.all(sent)).flat();
}

/** The agents of the events that the chat was told about, in their order. */
const agentsTold = () =>
  gallery.chat.messages
    .map((text) => Number(/^Agent (\d+) completed a task\.$/.exec(text)?.[1]))
    .sort((a, b) => a - b);

const agentsSent = Array.from({ length: AT_ONCE }, (_, agentId) => agentId);

describe('the files', () => {
  const folder = join(repositoryDir, 'examples');
  const placeholders = [
    'socialPublishingApi socialPublishing',
    'socialPublishingWebhookApi socialPublishingWebhook',
    'smtp smtp',
    'openAiApi openAi',
    'googleSheetsOAuth2Api googleSheets',
    'airtableTokenApi airtable',
  ];

  test('hold no address and no credential but placeholders', async () => {
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
    expect(files.length).toBeGreaterThanOrEqual(6);
    for (const file of files) {
      const text = await readFile(join(folder, file), 'utf8');
      const hosts = [...text.matchAll(/https?:\/\/([^/"\\\s]+)/g)].map(([, host]) => host);
      expect(hosts.filter((host = '') => !/\.example(\.com)?$/.test(host))).toEqual([]);
      expect(text).not.toMatch(/localhost|127\.0\.0\.1|"\/\w/);
      const { nodes } = JSON.parse(text) as WorkflowFile;
      const ids = nodes.flatMap(({ credentials = {} }) =>
        Object.entries(credentials).map(([type, { id }]) => `${type} ${id}`),
      );
      expect(ids.filter((id) => !placeholders.includes(id))).toEqual([]);
    }
  });

  test('are listed in the README, each of them', async () => {
    const readme = await readFile(join(folder, 'README.md'), 'utf8');
    const listed = [...readme.matchAll(/\]\(([\w-]+\.json)\)/g)].map(([, file]) => file);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
    expect(listed.sort()).toEqual(files.sort());
  });
});

describe('schedule posts from a table', () => {
  const plan = { Date: '2030-05-01', Time: '9:00', Accounts: 'linkedin', 'Media URLs': '' };

  /** Publishes the example and adds a row for each filled-in form. */
  async function planPosts(...forms: Array<Record<string, string>>): Promise<Example> {
    const { api } = gallery.bench;
    const example = await gallery.publish('schedule-posts-from-a-table', (file) => {
      file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
    });
    const trigger = example.workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
    const editor = await Editor.open(api.origin);
    try {
      for (const form of forms) {
        const url = `${api.origin}/form/${trigger?.webhookId}`;
        const answer = await submitForm(editor.page, url, { ...plan, ...form }, 'Plan');
        expect(answer).toContain('The post is in the table.');
      }
    } finally {
      await editor.close();
    }
    const runs = await example.nextRuns(forms.length);
    expect(statuses(runs)).toEqual(forms.map(() => 'success'));
    return example;
  }

  /** Presses "Execute workflow". Returns what was written into each row, by its text. */
  async function schedule(example: Example) {
    const run = await example.run('Every hour');
    expect(run.status).toBe('success');
    const rows = outputOf(run, 'Write down the result').map(({ json }) => json);
    return Object.fromEntries(rows.map((row) => [row['content'] as string, row]));
  }

  test('a row for each form, a post for each good row, the result in the row', async () => {
    const { sandbox } = gallery.bench;
    const example = await planPosts(
      {
        Text: 'Fresh "sourdough", 9 a.m.',
        Accounts: 'instagram, @blue-door-bakery',
        'Media URLs': 'https://media.example/a.jpg\nhttps://media.example/b.jpg',
      },
      { Text: 'At the same time' },
      { Text: 'For nobody', Time: '10:00', Accounts: 'nobody' },
      { Text: 'Some time', Time: 'noonish' },
      { Text: 'To LinkedIn', Time: '11:00', Accounts: 'linkedin' },
    );
    expect(sandbox.requests).toHaveLength(0);

    const rows = await schedule(example);

    const post = { workspaceId: 1, status: 'scheduled' };
    const media = {
      content: 'Fresh "sourdough", 9 a.m.',
      mediaUrls: ['https://media.example/a.jpg', 'https://media.example/b.jpg'],
    };
    const bodies = written();
    expect(bodies).toHaveLength(3);
    expect(bodies).toContainEqual({
      ...post,
      scheduledAt: '2030-05-01T07:00:00.000Z',
      variants: [
        { socialAccountId: 1, ...media },
        { socialAccountId: 3, ...media },
      ],
    });
    expect(bodies).toContainEqual({
      ...post,
      scheduledAt: '2030-05-01T09:00:00.000Z',
      variants: [{ socialAccountId: 3, content: 'To LinkedIn' }],
    });
    const postWith = (text: string) =>
      sandbox.store.posts.find(({ variants }) => variants[0]?.content === text)?.id;
    const [nine, other, eleven] = [media.content, 'At the same time', 'To LinkedIn'].map(postWith);
    expect(Object.keys(rows)).toHaveLength(5);
    expect(rows).toMatchObject({
      'Fresh "sourdough", 9 a.m.': {
        ready: false,
        postId: nine,
        result: `Scheduled as post ${nine} for Wed 1 May 2030, 09:00 (Europe/Berlin).`,
      },
      'At the same time': {
        ready: false,
        postId: other,
        result: `Scheduled as post ${other} for Wed 1 May 2030, 09:00 (Europe/Berlin).`,
      },
      'For nobody': { ready: false, postId: null },
      'Some time': { ready: false, postId: null },
      'To LinkedIn': {
        ready: false,
        postId: eleven,
        result: `Scheduled as post ${eleven} for Wed 1 May 2030, 11:00 (Europe/Berlin).`,
      },
    });
    expect(rows['For nobody']?.['result']).toContain(
      '"nobody", which is not an account of this workspace',
    );
    expect(rows['Some time']?.['result']).toContain('"2030-05-01 noonish"');
    // One for the accounts, one for each 100 posts, one for each new post.
    expect(sandbox.requests).toHaveLength(
      1 + Math.ceil((sandbox.store.posts.length - 3) / 100) + 3,
    );

    sandbox.clearRequests();
    expect(await schedule(example)).toEqual({});
    expect(written()).toEqual([]);
  });

  test('a table without a ready row costs no request', async () => {
    const example = await gallery.publish('schedule-posts-from-a-table');

    expect(await schedule(example)).toEqual({});

    expect(gallery.bench.sandbox.requests).toHaveLength(0);
  });

  test('a post whose answer was lost is found by the next run, and not created again', async () => {
    const { sandbox } = gallery.bench;
    const example = await planPosts({ Text: 'Only once', Time: '12:00' });
    sandbox.faults.add({ kind: 'truncated', method: 'POST', times: 1 });
    const made = () =>
      sandbox.store.posts.filter(({ scheduledAt }) => scheduledAt === '2030-05-01T10:00:00.000Z');

    const lost = await schedule(example);

    expect(made()).toHaveLength(1);
    expect(lost['Only once']).toMatchObject({
      ready: true,
      postId: null,
      result: expect.stringMatching(/^Sending again with the next run: /) as string,
    });
    const found = await schedule(example);
    expect(made()).toHaveLength(1);
    expect(found['Only once']).toMatchObject({
      ready: false,
      postId: made()[0]?.id,
      result: `Scheduled as post ${made()[0]?.id} for Wed 1 May 2030, 12:00 (Europe/Berlin).`,
    });
  });

  test('a row whose post was made, but not written down, takes it with the next run', async () => {
    const { api, sandbox } = gallery.bench;
    const example = await planPosts({ Text: 'n8n stopped', Time: '13:00' });
    const { workflow } = example;
    const connections = { ...workflow.connections };
    delete connections['See what became of it'];
    await api.saveWorkflow({ ...workflow, connections }, {});
    expect((await example.run('Every hour')).status).toBe('success');
    const post = sandbox.store.posts.at(-1);
    await api.saveWorkflow(workflow, {});

    expect(await schedule(example)).toMatchObject({
      'n8n stopped': {
        ready: false,
        postId: post?.id,
        result: `Scheduled as post ${post?.id} for Wed 1 May 2030, 13:00 (Europe/Berlin).`,
      },
    });
    expect(written()).toHaveLength(1);
  });

  test("a row whose time somebody else's post has says so, and stays ready", async () => {
    const { sandbox } = gallery.bench;
    const example = await planPosts({ Text: 'Too late', Time: '14:00' });
    const { id } = sandbox.store.addPost({
      workspaceId: 1,
      status: 'scheduled',
      scheduledAt: '2030-05-01T12:00:00.000Z',
      variants: [{ socialAccountId: 3, content: 'From the dashboard' }],
    });
    const taken = {
      'Too late': { ready: true, postId: null, result: `Not scheduled: post ${id} has that time` },
    };

    expect(await schedule(example)).toMatchObject(taken);
    expect(await schedule(example)).toMatchObject(taken);
    expect(written()).toEqual([]);
  });
});

describe('schedule posts from a sheet of somebody else', () => {
  /** Runs an example with these rows. Instead of writing into the sheet, it shows what it would write. */
  async function scheduleRows(name: string, reading: string, rows: INodeExecutionData[]) {
    const example = await gallery.import(name, (file) => {
      file.settings = { ...file.settings, timezone: 'Europe/Berlin' };
      file.pinData = { [reading]: rows };
      for (const node of file.nodes.filter((one) => one.name === 'Write down the result')) {
        const { value } = node.parameters['columns'] as { value: Record<string, string> };
        node.type = 'n8n-nodes-base.set';
        node.typeVersion = 3.5;
        node.parameters = {
          assignments: {
            assignments: Object.entries(value).map(([column, content]) => ({
              id: column,
              name: column,
              value: content,
              type: column === 'Ready' ? 'boolean' : column === 'row_number' ? 'number' : 'string',
            })),
          },
          options: {},
        };
      }
    });
    const run = await example.run('Every hour');
    expect(run.status).toBe('success');
    return outputOf(run, 'Write down the result').map(({ json }) => json);
  }

  const postWith = (text: string) =>
    gallery.bench.sandbox.store.posts.find(({ variants }) => variants[0]?.content === text)?.id;

  const idOf = (text: string) => String(postWith(text));

  const scheduled = (text: string, due: string): string =>
    `Scheduled as post ${postWith(text)} for ${due} (Europe/Berlin).`;

  test('Google Sheets: dates and platforms as people have them', async () => {
    const rows = await scheduleRows(
      'schedule-posts-from-google-sheets',
      'Read the sheet',
      sheetRows,
    );

    const { store } = gallery.bench.sandbox;
    const bodies = written() as Array<{
      scheduledAt: string;
      variants: Array<{ socialAccountId: number; content: string }>;
    }>;
    const posts = bodies.map(({ scheduledAt, variants }) => [
      scheduledAt,
      variants[0]?.content,
      ...variants.map(({ socialAccountId }) => store.account(socialAccountId)?.platform),
    ]);
    const may = '2030-05-01T07:00:00.000Z';
    expect(posts.sort()).toEqual([
      [may, 'Same time', 'linkedin'],
      [may, 'With a date', 'instagram', 'x'],
      ['2030-05-02T07:00:00.000Z', 'As text', 'linkedin'],
      ['2030-12-25T08:00:00.000Z', 'Dots', 'x'],
    ]);
    expect(rows).toEqual([
      {
        row_number: 2,
        Ready: false,
        'Post ID': idOf('With a date'),
        Result: scheduled('With a date', 'Wed 1 May 2030, 09:00'),
      },
      {
        row_number: 3,
        Ready: false,
        'Post ID': '',
        Result: expect.stringMatching(
          /^Not scheduled: The date is .*5\/2\/2030 9am.*Write the month in letters\.$/,
        ) as string,
      },
      {
        row_number: 4,
        Ready: false,
        'Post ID': idOf('As text'),
        Result: scheduled('As text', 'Thu 2 May 2030, 09:00'),
      },
      {
        row_number: 5,
        Ready: false,
        'Post ID': '',
        Result: expect.stringContaining('"Pinterest"') as string,
      },
      {
        row_number: 6,
        Ready: false,
        'Post ID': idOf('Dots'),
        Result: scheduled('Dots', 'Wed 25 Dec 2030, 09:00'),
      },
      {
        row_number: 7,
        Ready: false,
        'Post ID': idOf('Same time'),
        Result: scheduled('Same time', 'Wed 1 May 2030, 09:00'),
      },
    ]);
  });

  test('Airtable: a multiple select, a time in UTC, and a record for each result', async () => {
    const rows = await scheduleRows(
      'schedule-posts-from-airtable',
      'Read the records that are ready',
      airtableRecords,
    );

    const picture = { content: 'From Airtable', mediaUrls: ['https://media.example/a.jpg'] };
    const july = '2030-07-01T07:00:00.000Z';
    expect(written()).toMatchObject([
      {
        scheduledAt: july,
        variants: [
          { socialAccountId: 1, ...picture },
          { socialAccountId: 2, ...picture },
        ],
      },
      { scheduledAt: july, variants: [{ content: 'Same time' }] },
    ]);
    const due = 'Mon 1 Jul 2030, 09:00';
    expect(rows).toEqual([
      { id: 'recA1b2C3d4E5f6G7', Ready: false, Result: scheduled('From Airtable', due) },
      { id: 'recH8i9J0k1L2m3N4', Ready: false, Result: scheduled('Same time', due) },
    ]);
  });

  test('a row whose answer was lost takes its post with the next run', async () => {
    const [row] = sheetRows;
    gallery.bench.sandbox.faults.add({ kind: 'truncated', method: 'POST', times: 1 });
    const runWith = (json: IDataObject) =>
      scheduleRows('schedule-posts-from-google-sheets', 'Read the sheet', [{ json }]);

    const [lost] = await runWith({ ...row?.json });
    expect(lost).toMatchObject({
      Ready: true,
      Result: expect.stringMatching(/^Sending again/) as string,
    });
    const [found] = await runWith({ ...row?.json, ...lost });

    expect(written()).toHaveLength(1);
    expect(found).toMatchObject({
      Ready: false,
      Result: scheduled('With a date', 'Wed 1 May 2030, 09:00'),
    });
  });
});

test('tell a chat about failed posts: which one, where and why', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('tell-chat-about-failed-posts');
  await causeEvent['post.failed'](sandbox);
  expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  for (const data of [
    { postId: 7, platform: 'x', content: 'Hi', error: 'Too long' },
    { reason: 'unknown' },
  ]) {
    await sandbox.webhooks.emit('post.failed', data);
    expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  }
  const id = sandbox.store.posts.at(-1)?.id;
  expect(gallery.chat.messages).toEqual([
    `⚠️ Post ${id} was not published on x.\nReason: Out of order\nText: Fresh bread!`,
    '⚠️ Post 7 was not published on x.\nReason: "Too long"\nText: Hi',
    expect.stringContaining('Reason: {"reason":"unknown"}'),
  ]);
  expect(sandbox.requests).toEqual([]);
});

test('sort the inbox: each kind goes a way of its own', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('sort-the-inbox');
  const ways = ['Comment', 'Mention', 'Direct message', 'Reply', 'Anything else'];
  /** The ways that the next run takes, and what it tells the chat. */
  const outcome = async () => {
    gallery.chat.messages.length = 0;
    const [run] = await example.nextRuns(1);
    if (run?.status !== 'success') throw new Error(`The run ended with ${run?.status}.`);
    return [ways.filter((way) => outputOf(run, way).length > 0), gallery.chat.messages.join()];
  };
  const told: Record<InboxKind, [way: string, text: RegExp]> = {
    comment: ['Comment', /^💬 (.+) commented on (.+): (.+)$/u],
    mention: ['Mention', /^📣 (.+) mentioned us on (.+): (.+)$/u],
    direct_message: ['Direct message', /^✉️ Please answer (.+) on (.+) today: (.+)$/u],
    reply: ['Reply', /^↩️ (.+) replied on (.+): (.+)$/u],
  };
  for (const kind of inboxKinds) {
    const message = sandbox.inbox.receive(1, kind);
    if (!message) throw new Error('No account can receive anything.');
    const [way, text] = told[kind];
    const [ways, received] = await outcome();
    expect(ways).toEqual([way]);
    expect(text.exec(String(received))?.slice(1)).toEqual([
      message.author.displayName,
      sandbox.store.account(message.socialAccountId)?.platform,
      message.text,
    ]);
  }
  for (const data of [{ kind: 'poke', from: 'Juno' }, { from: 'Juno' }]) {
    await sandbox.webhooks.emit('inbox.new', data);
    expect(await outcome()).toEqual([
      ['Anything else'],
      `📥 New in the inbox: ${JSON.stringify(data)}`,
    ]);
  }
});

test('drop duplicate events: what is delivered again goes no further', async () => {
  const { webhooks } = gallery.bench.sandbox;
  const example = await gallery.publish('drop-duplicate-events');
  const [first] = await webhooks.emit('agent.action', { agentId: 1 });
  await example.nextRuns(1);
  const [second] = await webhooks.emit('agent.action', { agentId: 2 });
  await example.nextRuns(1);
  if (!first || !second) throw new Error('Nothing was delivered.');
  for (const delivery of [first, second, first]) {
    await webhooks.resend(delivery);
    expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  }
  expect(gallery.chat.messages).toEqual(['Agent 1 completed a task.', 'Agent 2 completed a task.']);
});

test('drop duplicate events: of many at once none is lost', async () => {
  const example = await gallery.publish('drop-duplicate-events', ({ nodes }) => {
    // The node remembers under its id: with a new one, it begins anew.
    for (const node of nodes) node.id = randomUUID();
  });
  await emitAtOnce();
  const runs = await example.nextRuns(AT_ONCE);
  expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
  expect([...new Set(agentsTold())]).toEqual(agentsSent);
});

describe('drop duplicate events under load', () => {
  test('of many at once, each goes on exactly once', async () => {
    const { webhooks } = gallery.bench.sandbox;
    const example = await gallery.publish('drop-duplicate-events-under-load');
    const deliveries = await emitAtOnce();
    await Promise.all(deliveries.map((delivery) => webhooks.resend(delivery)));
    const runs = await example.nextRuns(2 * AT_ONCE);
    expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
    expect(agentsTold()).toEqual(agentsSent);
  });

  test.each([
    ['what is new is remembered', 30, 0],
    ['what is older is forgotten', -1, 1],
  ])('%s', async (_name, days, forgotten) => {
    const example = await gallery.publish('drop-duplicate-events-under-load', (file) => {
      const text = JSON.stringify(file);
      expect(text).toContain('minus({ days: 30 })');
      Object.assign(file, JSON.parse(text.replace('days: 30', `days: ${days}`)));
    });
    const [delivery] = await gallery.bench.sandbox.webhooks.emit('agent.action', { agentId: 1 });
    await example.nextRuns(1);
    const id = createHash('sha256')
      .update(delivery?.body ?? '')
      .digest('hex');
    const deleted = outputOf(await example.run('Every night'), 'Forget what is old');
    expect(deleted.filter(({ json }) => json['deliveryId'] === id)).toHaveLength(forgotten);
  });
});

test('daily analytics digest: the figures, for one request', async () => {
  const { sandbox, apiKey } = gallery.bench;
  const example = await gallery.publish('daily-analytics-digest');
  const run = await example.run('Every morning at eight');
  expect(run.status).toBe('success');
  expect(sandbox.requests.map(({ path, query }) => [path, query])).toEqual([
    ['/api/v1/analytics', { workspaceId: '1', period: '7d' }],
  ]);
  const response = await fetch(`${sandbox.baseUrl}/analytics?workspaceId=1&period=7d`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { analytics } = (await response.json()) as {
    analytics: Record<string, string | number> & {
      platformBreakdown: Record<string, { posts: number; impressions: number }>;
    };
  };
  const thousands = new Intl.NumberFormat('en-US');
  const figure = (value: string | number | undefined) => thousands.format(Number(value));
  const platforms = Object.entries(analytics.platformBreakdown);
  expect(figure(analytics['totalImpressions'])).toContain(',');
  // A post on several platforms is one post, and counts once on each of them.
  const counts = platforms.map(([, { posts }]) => posts);
  expect(Number(analytics['totalPosts'])).toBeLessThan(counts.reduce((one, two) => one + two));
  const rate =
    (Number(analytics['totalEngagements']) / Number(analytics['totalImpressions'])) * 100;
  const [text] = gallery.chat.messages;
  expect(text?.split('\n').filter((line) => /\d/.test(line))).toEqual([
    `Posts: ${figure(analytics['totalPosts'])}`,
    `Impressions: ${figure(analytics['totalImpressions'])}`,
    `Engagements: ${figure(analytics['totalEngagements'])} (${rate.toFixed(1)}% of the impressions)`,
    ...platforms.map(
      ([platform, { posts, impressions }]) =>
        `- ${platform}: ${figure(posts)} posted, ${figure(impressions)} impressions`,
    ),
  ]);
});

test('pause all agents on an error: those that are active, and nothing else of them', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('pause-agents-on-error');
  const before = structuredClone(sandbox.store.agentsOf(1));
  await causeEvent['agent.error'](sandbox);
  expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  const bodies = written();
  expect(bodies).toHaveLength(2);
  expect(bodies).toContainEqual({ workspaceId: 1, id: 1, isActive: false });
  expect(bodies).toContainEqual({ workspaceId: 1, id: 2, isActive: false });
  const kept = ({ id, name, type, schedule, config }: (typeof before)[number]) => ({
    id,
    name,
    type,
    schedule,
    config,
  });
  expect(sandbox.store.agentsOf(1).map(kept)).toEqual(before.map(kept));
  expect(sandbox.store.agentsOf(1).map(({ isActive }) => isActive)).toEqual([false, false, false]);
  expect(gallery.chat.messages).toEqual([
    '⏸️ Paused after an error of Friendly Replies: Morning Ideas, Friendly Replies.\nThe error: Out of order',
  ]);

  sandbox.clearRequests();
  await causeEvent['agent.error'](sandbox);
  expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  expect(written()).toEqual([]);
  expect(gallery.chat.messages).toHaveLength(1);
});

test('pause all agents on an error: one that cannot be paused is named', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('pause-agents-on-error');
  for (const agent of sandbox.store.agentsOf(1)) agent.isActive = true;
  sandbox.faults.add({ kind: 'status', status: 422, after: 2, times: 1 });
  await causeEvent['agent.error'](sandbox);
  expect(statuses(await example.nextRuns(1))).toEqual(['success']);
  const running = sandbox.store.agentsOf(1).filter(({ isActive }) => isActive);
  expect(running).toHaveLength(1);
  expect(gallery.chat.messages).toEqual([
    expect.stringMatching(/^⏸️ Paused after an error of Friendly Replies: /),
    expect.stringContaining(`🚨 Still running, pause by hand: ${running[0]?.name}.\nThe reason: `),
  ]);
});
