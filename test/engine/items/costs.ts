import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { read } from '../../unit/docs/documents';
import { readWorkflow, useBakery, withParameters } from '../harness';

const service = useBakery();

const NINE = '2035-01-15T09:00:00.000Z';
const TEN = '2035-01-15T10:00:00.000Z';

/** Runs an operation, and counts the requests that the service got. */
async function requestsOf(
  workflow: ReturnType<typeof readWorkflow>,
  ...input: IDataObject[]
): Promise<number> {
  service.sandbox.clearRequests();
  const run = await service.run(workflow, input);
  expect(run.data.resultData.error).toBeUndefined();
  return service.sandbox.requests.length;
}

const composing = (workflow: string, node: string, parameters: INodeParameters) =>
  withParameters(readWorkflow(workflow), node, {
    content: 'Hello',
    mediaUrls: '',
    accounts: [1],
    scheduledAt: '={{ $json.at }}',
    overrides: {},
    ...parameters,
  });

const post = (parameters: INodeParameters) => composing('post.create', 'Create post', parameters);

const preview = (parameters: INodeParameters) =>
  composing('post.preview', 'Preview post', parameters);

const skip = post({ options: { ifScheduled: 'skip' } });

const queue = { publish: 'slot', slots: { slot: [{ days: [1, 2, 3, 4, 5], times: '09:00' }] } };

/** What runs cost of the kind that a row of the document names. */
const runs: Record<string, () => Promise<Array<[requests: number, expected: number]>>> = {
  'Get Many of accounts or agents, or Get of analytics': async () => [
    [await requestsOf(readWorkflow('account.getAll'), {}), 1],
    [await requestsOf(readWorkflow('agent.getAll'), {}), 1],
    [await requestsOf(readWorkflow('analytics.get'), { period: '7d' }), 1],
  ],
  'Get Many of posts': async () => {
    service.sandbox.addPosts(298);
    return [[await requestsOf(readWorkflow('post.getAll'), {}), 3]];
  },
  'Get Many of posts with filters, whatever the limit': async () => {
    service.sandbox.addPosts(298);
    const filtered = withParameters(readWorkflow('post.getAll'), 'Get posts', {
      returnAll: false,
      limit: 1,
      filters: { status: 'scheduled' },
    });
    return [[await requestsOf(filtered, {}, {}), 3]];
  },
  'The same read for many items': async () => [
    [await requestsOf(readWorkflow('account.getAll'), {}, {}, {}, {}), 1],
  ],
  'Create a post, the account picked from the list or given by ID': async () => [
    [await requestsOf(post({}), { at: NINE }), 1],
  ],
  'Create posts, the accounts given by handle or platform': async () => [
    [await requestsOf(post({ accounts: 'x' }), { at: NINE }), 2],
    [await requestsOf(post({ accounts: '@bakery' }), { at: NINE }, { at: TEN }, { at: TEN }), 4],
  ],
  'Create posts with a text that is [too long for some platform](node.md#what-platforms-take)':
    async () => [
      [await requestsOf(post({ content: 'x'.repeat(281) }), { at: NINE }), 2],
      [await requestsOf(post({ content: 'x'.repeat(281) }), { at: NINE }, { at: TEN }), 3],
      [await requestsOf(post({ content: 'x'.repeat(281), accounts: 'x' }), { at: NINE }), 2],
      [await requestsOf(post({ content: 'x'.repeat(280) }), { at: NINE }), 1],
    ],
  'Create a post with _If the Same Post Exists: Skip and Return It_': async () => {
    service.sandbox.addPosts(199);
    return [[await requestsOf(skip, { at: NINE }), 1 + 2]];
  },
  'A post that this option skips': async () => {
    service.sandbox.addPosts(199, { scheduledAt: NINE });
    return [[await requestsOf(skip, { at: NINE }), 2]];
  },
  'Create posts with _Publish: In the Next Free Slot_': async () => {
    service.sandbox.addPosts(199);
    return [[await requestsOf(post(queue), {}, {}, {}), 3 + 2]];
  },
  'Preview posts': async () => [
    [await requestsOf(preview({}), { at: NINE }), 1],
    [await requestsOf(preview({ accounts: 'x' }), { at: NINE }, { at: TEN }), 1],
    [await requestsOf(preview({ content: 'x'.repeat(281) }), { at: NINE }, { at: TEN }), 1],
  ],
  'Preview posts with the same option': async () => {
    service.sandbox.addPosts(199);
    const options = { ifScheduled: 'skip' };
    return [[await requestsOf(preview({ options }), { at: NINE }, { at: TEN }), 1 + 2]];
  },
  'Preview posts in the next free slot': async () => {
    service.sandbox.addPosts(199);
    return [[await requestsOf(preview(queue), {}, {}), 1 + 2]];
  },
  'Create or update an agent': async () => [
    [
      await requestsOf(readWorkflow('agent.create'), {
        name: 'Morning ideas',
        schedule: '0 9 * * *',
        active: true,
      }),
      1,
    ],
    [await requestsOf(readWorkflow('agent.update'), { agent: 1 }), 1],
  ],
};

const rows = [...read('docs/quota.md').matchAll(/^- (.+): \d.*$/gm)].map(([, run = '']) => run);

test('each row of the document is tried', () => {
  // test/n8n/examples/workflows.test.ts sends events and sees no request.
  expect(rows.filter((row) => row !== 'An event that starts a workflow')).toEqual(
    Object.keys(runs),
  );
});

test.each(Object.entries(runs))('%s', async (_row, run) => {
  for (const [requests, expected] of await run()) expect(requests).toBe(expected);
});
