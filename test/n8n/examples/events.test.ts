import { outputOf } from '../../../scripts/n8n/rest';
import { causeEvent } from '../trigger/event-causes';
import { Gallery } from './gallery';

let gallery: Gallery;

beforeEach(async () => {
  gallery = await Gallery.open();
});

afterEach(() => gallery.close());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('watch for missing posts: each post that no event came for, and each only once', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('watch-for-missing-posts', (file) => {
    const began = '$now.minus({ minutes: 50 }).toISO()';
    const text = JSON.stringify(file).replaceAll('$json.createdAt', began);
    expect(text).toContain(began);
    Object.assign(file, JSON.parse(text));
  });
  /** A post of which the sandbox itself sends no event. */
  const post = (scheduledAt: string) =>
    sandbox.store.addPost({
      workspaceId: 1,
      status: 'scheduled',
      scheduledAt,
      variants: [{ socialAccountId: 1, content: 'Fresh bread!' }],
    });
  post(minutesAgo(60));
  const [published, failed, missing] = [20, 30, 40].map((minutes) => post(minutesAgo(minutes)));
  post(minutesAgo(5));
  await sandbox.webhooks.emit('post.published', { postId: published?.id });
  await example.nextRuns(1);
  await sandbox.webhooks.emit('post.failed', { postId: failed?.id });
  await example.nextRuns(1);
  sandbox.clearRequests();

  const hourly = await example.run('Every hour');

  expect(hourly.status).toBe('success');
  const posts = (name: string) => outputOf(hourly, name).map(({ json }) => json['id']);
  expect(posts('Read the posts that are due').sort()).toEqual(
    [published?.id, failed?.id, missing?.id].sort(),
  );
  expect(posts('Without a result')).toEqual([missing?.id]);
  expect(gallery.chat.messages).toEqual([
    `🔎 Post ${missing?.id} was due at ${missing?.scheduledAt}, but no event says that it was published or failed. Please look at it.`,
  ]);
  expect(sandbox.requests.length).toBe(Math.ceil(sandbox.store.posts.length / 100));
  expect((await example.run('Every hour')).status).toBe('success');
  expect(gallery.chat.messages).toHaveLength(1);
});

test('watch for missing posts: those due before the table was made are not told', async () => {
  const example = await gallery.publish('watch-for-missing-posts');
  gallery.bench.sandbox.store.addPost({
    workspaceId: 1,
    status: 'scheduled',
    scheduledAt: minutesAgo(40),
    variants: [{ socialAccountId: 1, content: 'Fresh bread!' }],
  });

  const hourly = await example.run('Every hour');

  expect(hourly.status).toBe('success');
  expect(outputOf(hourly, 'Read the posts that are due')).toEqual([]);
  expect(gallery.chat.messages).toEqual([]);
});

describe('act on a disconnected account', () => {
  const disconnected =
    /^⚠️ (\w+) (\S+) is disconnected \(token_expired\)\. Please connect it again\.\n/;

  test('tells the owner, and pauses the agents that are active', async () => {
    const { sandbox } = gallery.bench;
    const example = await gallery.publish('act-on-a-disconnected-account');
    const account = sandbox.store.account(3);
    const active = sandbox.store.agentsOf(1).filter(({ isActive }) => isActive);
    expect(active.length).toBeGreaterThan(1);

    await causeEvent['account.disconnected'](sandbox);

    expect((await example.nextRuns(1))[0]?.status).toBe('success');
    expect(sandbox.store.agentsOf(1).filter(({ isActive }) => isActive)).toEqual([]);
    const [message = ''] = gallery.chat.messages;
    expect(disconnected.exec(message)?.slice(1)).toEqual([
      account?.platform,
      account?.platformUsername,
    ]);
    expect(message).toContain(`\nPaused: ${active.map(({ name }) => name).join(', ')}.`);
    expect(gallery.chat.messages).toHaveLength(1);
  });

  test('tells the owner when no agent is active', async () => {
    const { sandbox } = gallery.bench;
    const example = await gallery.publish('act-on-a-disconnected-account');
    for (const agent of sandbox.store.agentsOf(1)) agent.isActive = false;

    await causeEvent['account.disconnected'](sandbox);

    expect((await example.nextRuns(1))[0]?.status).toBe('success');
    expect(gallery.chat.messages).toEqual([expect.stringMatching(/\nNo agent is active\.$/)]);
  });

  test('names an agent that could not be paused', async () => {
    const { sandbox } = gallery.bench;
    const example = await gallery.publish('act-on-a-disconnected-account');
    for (const agent of sandbox.store.agentsOf(1)) agent.isActive = true;
    sandbox.faults.add({ kind: 'status', status: 422, after: 2, times: 1 });

    await causeEvent['account.disconnected'](sandbox);

    expect((await example.nextRuns(1))[0]?.status).toBe('success');
    const running = sandbox.store.agentsOf(1).filter(({ isActive }) => isActive);
    expect(running).toHaveLength(1);
    expect(gallery.chat.messages).toEqual([
      expect.stringContaining('\nPaused: '),
      expect.stringContaining(`\nStill running, pause by hand: ${running[0]?.name}.\nThe reason: `),
    ]);
  });
});

test('the row knows how it ended: each platform has its own column', async () => {
  const { sandbox } = gallery.bench;
  const example = await gallery.publish('the-row-knows-how-it-ended', ({ nodes, connections }) => {
    // What schedules posts brings the row.
    const write = nodes.find(({ name }) => name === 'Write it into the row')!;
    const row = { mappingMode: 'defineBelow', value: { postId: 7, content: 'Bread' }, schema: [] };
    nodes.push(
      {
        ...write,
        id: 'row',
        name: 'Add a row',
        parameters: { ...write.parameters, operation: 'insert', columns: row },
      },
      {
        ...{ id: 'start', name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
        ...{ position: [0, 300], parameters: {} },
      },
    );
    const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
    const make = nodes.find(({ name }) => name.startsWith('Make the table'))!;
    nodes.push({ ...make, id: 'make', name: 'Make it' });
    Object.assign(connections, { Start: to('Make it'), 'Make it': to('Add a row') });
  });
  expect((await example.run('Start')).status).toBe('success');

  const link = (platform: string) => `https://${platform}.example/7`;
  const publish = (platform: string, postId = 7) =>
    sandbox.webhooks.emit('post.published', { postId, platform, platformUrl: link(platform) });
  const error = { code: 'rejected', message: 'The text is rude.' };
  await Promise.all([
    publish('instagram'),
    publish('linkedin'),
    publish('x', 8),
    sandbox.webhooks.emit('post.failed', { postId: 7, platform: 'x', error }),
  ]);
  await example.nextRuns(4);
  await publish('facebook');
  const runs = await example.nextRuns(1);

  const rows = runs.flatMap((run) => outputOf(run, 'Write it into the row'));
  expect(rows.map(({ json }) => json)).toMatchObject([
    {
      postId: 7,
      content: 'Bread',
      instagram: link('instagram'),
      linkedin: link('linkedin'),
      facebook: link('facebook'),
      x: 'Failed: The text is rude.',
    },
  ]);
});
