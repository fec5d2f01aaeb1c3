import { type Post, type Sandbox, startSandbox } from '../../sandbox';
import { callApi } from './helpers';

interface Page {
  posts: Post[];
  total: number;
  limit: number;
  offset: number;
}

async function page(sandbox: Sandbox, query: string): Promise<Page> {
  const { json } = await callApi(sandbox, `/posts?workspaceId=1&${query}`);
  return json as unknown as Page;
}

test.each([
  [100, 13],
  [7, 177],
])('1,234 posts at %i a page are %i pages, complete and in order', async (maxPageSize, pages) => {
  const sandbox = await startSandbox({ seed: false, maxPageSize });
  sandbox.addPosts(1_234);
  const ids: number[] = [];
  for (let offset = 0, total = 1; offset < total;) {
    const { posts, ...rest } = await page(sandbox, `limit=1000&offset=${offset}`);
    expect(rest).toEqual({ total: 1_234, limit: maxPageSize, offset });
    ids.push(...posts.map(({ id }) => id));
    offset += rest.limit;
    total = rest.total;
  }
  expect(ids).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1));
  expect(sandbox.requests).toHaveLength(pages);
  await sandbox.close();
});

test('limit and offset have defaults', async () => {
  const sandbox = await startSandbox({ seed: false });
  sandbox.addPosts(25);
  const { posts, limit, offset } = await page(sandbox, '');
  expect([posts.length, limit, offset]).toEqual([20, 20, 0]);
  await sandbox.close();
});

test('the page cap limits the default limit', async () => {
  const sandbox = await startSandbox({ seed: false, maxPageSize: 5 });
  sandbox.addPosts(25);
  expect(await page(sandbox, '')).toMatchObject({ limit: 5 });
  await sandbox.close();
});

test('an offset beyond the end gives an empty page', async () => {
  const sandbox = await startSandbox({ seed: false });
  sandbox.addPosts(3);
  expect(await page(sandbox, 'offset=3')).toMatchObject({ posts: [], total: 3, offset: 3 });
  await sandbox.close();
});

test('each workspace has its own posts', async () => {
  const sandbox = await startSandbox({ seed: false });
  const { id } = sandbox.store.addWorkspace('Another');
  sandbox.addPosts(2);
  sandbox.addPosts(3, { workspaceId: id });
  expect((await page(sandbox, '')).total).toBe(2);
  const { json } = await callApi(sandbox, `/posts?workspaceId=${id}`);
  expect(json).toMatchObject({ total: 3 });
  await sandbox.close();
});
