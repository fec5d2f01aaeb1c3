import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
  callingTool,
  nodeError,
  readWorkflow,
  records,
  useSandbox,
  withParameters,
} from '../harness';

const service = useSandbox();

const GET = 'Get posts';

const filtered = (filters: INodeParameters, more: INodeParameters = {}, timezone?: string) =>
  service.run(
    withParameters(readWorkflow('post.getAll'), GET, { filters, ...more }),
    undefined,
    timezone === undefined ? {} : { timezone },
  );

/** The IDs of the posts that fit. */
const ids = async (...given: Parameters<typeof filtered>): Promise<unknown[]> =>
  records(await filtered(...given), GET).map(({ id }) => id);

/** Adds a post; the first one has the ID 1. */
const add = (post: IDataObject): void => {
  service.sandbox.addPosts(1, post);
};

beforeEach(() => {
  add({ scheduledAt: '2035-01-15T08:59:59.999Z' });
  add({ scheduledAt: '2035-01-15T09:00:00.000Z', status: 'published' });
  add({ scheduledAt: '2035-01-16T09:00:00.000Z' });
  add({ scheduledAt: undefined });
});

test.each<[INodeParameters, number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ dueAfter: '', dueBefore: '', status: '' }, [1, 2, 3, 4]],
  [{ dueAfter: '2035-01-15T09:00:00Z' }, [2, 3]],
  [{ dueBefore: '2035-01-15T09:00:00Z' }, [1]],
  [{ dueAfter: '2035-01-15T09:00Z', dueBefore: '2035-01-16T09:00Z' }, [2]],
  [{ dueAfter: '2036-01-01T00:00Z' }, []],
  [{ status: 'published' }, [2]],
  [{ status: ' scheduled ' }, [1, 3, 4]],
  [{ status: 'scheduled', dueAfter: '2035-01-15T09:00Z' }, [3]],
])('of %j the posts %j fit', async (filters, expected) => {
  expect(await ids(filters)).toEqual(expected);
});

test('a time without an offset is in the zone of the workflow', async () => {
  const filters = { dueAfter: '2035-01-15T10:00' };

  expect(await ids(filters, {}, 'Europe/Berlin')).toEqual([2, 3]);
  expect(await ids(filters, {}, 'UTC')).toEqual([3]);
});

test('the limit counts what fits, and the offset what there is', async () => {
  const filters = { status: 'scheduled' };

  expect(await ids(filters, { returnAll: false, limit: 2 })).toEqual([1, 3]);
  expect(await ids(filters, { options: { offset: 2 } })).toEqual([3, 4]);
});

test('the items of a run share one read, whatever their filters', async () => {
  const run = await service.run(
    withParameters(readWorkflow('post.getAll'), GET, {
      filters: { status: '={{ $json.status }}' },
    }),
    [{ status: 'published' }, { status: 'scheduled' }, { status: 'none' }],
  );

  expect(records(run, GET).map(({ id }) => id)).toEqual([2, 1, 3, 4]);
  expect(service.sandbox.requests).toHaveLength(1);
});

test.each<[INodeParameters, string]>([
  [{ dueAfter: 'never' }, 'filters.dueAfter'],
  [{ dueAfter: '2035-01-16T00:00Z', dueBefore: '2035-01-16T00:00Z' }, 'filters.dueBefore'],
])('%j is refused before any request', async (filters, field) => {
  expect(nodeError(await filtered(filters), GET).context).toMatchObject({ field });
  expect(service.sandbox.requests).toEqual([]);
});

test('an AI agent gives the filters that it wants, or none', async () => {
  const parameters = { resource: 'post', operation: 'getAll' };
  const run = await service.run(callingTool({ parameters }), [
    {},
    { due_after: '2035-01-15T09:00Z', due_before: '2035-01-16T00:00Z' },
    { status: 'published' },
  ]);

  const found = records(run, 'Caller').map(({ answer }) =>
    [...(answer as string).matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id)),
  );
  expect(found).toEqual([[1, 2, 3, 4], [2], [2]]);
});
