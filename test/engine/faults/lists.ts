import type { FaultRule } from '../../../sandbox';
import { readWorkflow, records, useSandbox, withParameters } from '../harness';

const service = useSandbox();

const wrong = (total: unknown): FaultRule => ({ kind: 'wrongTotal', total });

/**
 * Faults of a list of posts: how many posts there are, and with how many requests all of them are
 * read. One page has 100 posts, the first of which the page before it has too.
 */
const lists: ReadonlyArray<[string, FaultRule[], number, number]> = [
  ['none', [], 250, 3],
  ['a total of 0', [wrong(0)], 250, 3],
  ['a total that is within a page', [wrong(130)], 250, 3],
  ['a total that is one too low', [wrong(249)], 250, 3],
  ['a total that is one too high', [wrong(251)], 250, 4],
  ['a total that is far too high', [wrong(1e9)], 250, 5],
  ['a total that is negative', [wrong(-1)], 250, 3],
  ['a total that is a text', [wrong('250')], 250, 3],
  ['a total that is null', [wrong(null)], 250, 3],
  ['a total with a fraction', [wrong(2.5)], 250, 3],
  ['a total that is wrong at first', [{ ...wrong(130), times: 1 }], 250, 3],
  ['no total', [{ kind: 'missingTotal' }], 250, 3],
  ['no total, and the last page is full', [{ kind: 'missingTotal' }], 200, 3],
  ['no total, and no posts', [{ kind: 'missingTotal' }], 0, 1],
  ['a lower page cap', [{ kind: 'pageCap', limit: 40 }], 250, 7],
  ['a lower page cap from page 2 on', [{ kind: 'pageCap', limit: 40, after: 1 }], 250, 6],
  [
    'a lower page cap and no total',
    [{ kind: 'pageCap', limit: 40 }, { kind: 'missingTotal' }],
    250,
    7,
  ],
  [
    'a lower page cap and a total that is far too high',
    [{ kind: 'pageCap', limit: 40 }, wrong(1e9)],
    250,
    9,
  ],
];

const lines: string[] = [];

afterAll(() => {
  process.stdout.write(`\nRequests for all posts\n${lines.join('\n')}\n\n`);
});

const readAll = () =>
  service.run(
    withParameters(readWorkflow('post.getAll'), 'Get posts', {
      returnAll: true,
      options: { concurrency: 1 },
    }),
  );

test.each(lists)('%s', async (name, faults, count, requests) => {
  service.sandbox.addPosts(count);
  for (const fault of faults) service.sandbox.faults.add(fault);

  const run = await readAll();

  lines.push(`${name.padEnd(52)} ${count} posts ${service.sandbox.requests.length}`);
  expect(records(run, 'Get posts').map(({ id }) => id)).toEqual(
    Array.from({ length: count }, (_, index) => index + 1),
  );
  expect(service.sandbox.requests).toHaveLength(requests);
});

test('a total that ends with a page is believed: only a further request could tell', async () => {
  service.sandbox.addPosts(250);
  service.sandbox.faults.add(wrong(100));

  const run = await readAll();

  expect(records(run, 'Get posts')).toHaveLength(100);
  expect(service.sandbox.requests).toHaveLength(1);
});
