import { type Post, type Sandbox, startSandbox } from '../../sandbox';
import { callApi, postBody, until } from './helpers';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});

afterEach(() => sandbox.close());

async function create(overrides: Record<string, unknown>): Promise<Post> {
  const { json } = await callApi(sandbox, '/posts', { body: postBody(overrides) });
  const post = sandbox.store.posts.find(({ id }) => id === (json?.post as Post).id);
  if (!post) throw new Error('The post is not in the store.');
  return post;
}

test('a scheduled post is published at its time, not before', async () => {
  const scheduledAt = new Date(Date.now() + 400).toISOString();
  const post = await create({ scheduledAt });
  await until(() => post.status !== 'scheduled');
  expect(post.status).toBe('published');
  const platformPost = sandbox.store.platformPosts.at(-1);
  expect(platformPost).toMatchObject({ postId: post.id, platform: 'instagram', content: 'Hello' });
  expect((platformPost?.publishedAt ?? '') >= scheduledAt).toBe(true);
});

test('a past time publishes at once, after the response says scheduled', async () => {
  const scheduledAt = '2001-02-03T04:05:06.007Z';
  const { json } = await callApi(sandbox, '/posts', { body: postBody({ scheduledAt }) });
  expect(json?.post).toMatchObject({ status: 'scheduled', scheduledAt });
  await until(() => sandbox.store.posts.at(-1)?.status === 'published');
});

test('a published post has its own page, with its text escaped', async () => {
  const content = '<b>Bold</b> & "quoted"';
  const post = await create({
    scheduledAt: '2001-02-03T04:05:06.007Z',
    variants: [{ socialAccountId: 2, content, mediaUrls: ['https://media.example/"><i>'] }],
  });
  await until(() => post.status === 'published');
  const { platformUrl = '' } = sandbox.store.platformPosts.at(-1) ?? {};
  expect(platformUrl).toMatch(`${sandbox.origin}/platforms/x/`);
  const page = await (await fetch(platformUrl)).text();
  expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;quoted&quot;');
  expect(page).not.toContain('<b>');
  expect(page).not.toContain('<i>');
  expect((await fetch(`${platformUrl}0`)).status).toBe(404);
});

test('a published post counts in the analytics', async () => {
  const read = async () => {
    const { json } = await callApi(sandbox, '/analytics?workspaceId=1&period=1d');
    return json?.analytics as { totalPosts: number; platformBreakdown: Record<string, unknown> };
  };
  const before = await read();
  const post = await create({
    scheduledAt: '2001-02-03T04:05:06.007Z',
    variants: [
      { socialAccountId: 2, content: 'x' },
      { socialAccountId: 3, content: 'y' },
    ],
  });
  await until(() => post.status === 'published');
  const after = await read();
  expect(after.totalPosts).toBe(before.totalPosts + 1);
  expect(after.platformBreakdown).toMatchObject({
    x: { posts: expect.any(Number) as unknown },
    linkedin: { posts: expect.any(Number) as unknown },
  });
});

test('a variant whose account is set to fail fails the post, the others are published', async () => {
  const account = sandbox.store.account(2);
  if (!account) throw new Error('The account is missing.');
  account.failure = { code: 'media_rejected', message: 'The image is too large.' };
  const post = await create({
    scheduledAt: '2001-02-03T04:05:06.007Z',
    variants: [
      { socialAccountId: 1, content: 'x' },
      { socialAccountId: 2, content: 'x' },
    ],
  });
  await until(() => post.status !== 'scheduled');
  expect(post.status).toBe('failed');
  expect(post.variants).toMatchObject([
    { status: 'published' },
    { status: 'failed', failure: { code: 'media_rejected' } },
  ]);
});

test('publishing to a disconnected account fails', async () => {
  const inactive = sandbox.store.accounts.find(({ isActive }) => !isActive);
  const post = await create({
    scheduledAt: '2001-02-03T04:05:06.007Z',
    variants: [{ socialAccountId: inactive?.id, content: 'x' }],
  });
  await until(() => post.status !== 'scheduled');
  expect(post).toMatchObject({
    status: 'failed',
    variants: [{ failure: { code: 'account_disconnected' } }],
  });
});

test('a post of another status stays as it is', async () => {
  const draft = await create({ status: 'draft', scheduledAt: '2001-02-03T04:05:06.007Z' });
  const body = postBody({ status: 'idea', scheduledAt: undefined });
  const { json } = await callApi(sandbox, '/posts', { body });
  const later = await create({ scheduledAt: '2001-02-03T04:05:06.007Z' });
  await until(() => later.status === 'published');
  expect(draft.status).toBe('draft');
  expect(json?.post).toMatchObject({ status: 'idea' });
  expect(json?.post).not.toHaveProperty('scheduledAt');
});

test('many posts that are due together are each published once', async () => {
  const before = sandbox.store.platformPosts.length;
  const scheduledAt = new Date(Date.now() + 100).toISOString();
  const posts = sandbox.addPosts(500, { scheduledAt });
  await until(() => posts.every(({ status }) => status === 'published'));
  const published = sandbox.store.platformPosts.slice(before).map(({ postId }) => postId);
  expect(published).toEqual(posts.map(({ id }) => id));
});
