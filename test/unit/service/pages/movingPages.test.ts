import * as fc from 'fast-check';

import { seededRandom } from '../../../../sandbox/random';
import { type ListOrder, type Moving, type MovingResult, walkMoving } from './movingList';

const orders: ListOrder[] = ['newest first', 'oldest first', 'by id'];

/** The chances of the first run; each further run has the next ones. */
const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 8);

const lines: string[] = [];

afterAll(() => {
  const seeds = `seeds ${SEED} to ${SEED + RUNS - 1}`;
  process.stdout.write(`\n1,000 posts, 20 to 200 ms for a response, ${seeds}:\n`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
});

/** The same walk several times, each with chances of its own. */
async function runs(moving: Omit<Moving, 'random' | 'latency'>): Promise<MovingResult[]> {
  const results: MovingResult[] = [];
  for (let run = 0; run < RUNS; run++) {
    const random = seededRandom(SEED + run);
    const latency = () => 20 + 180 * random();
    results.push(await walkMoving({ ...moving, random, latency }));
  }
  return results;
}

/** The posts that were there throughout, as the walk gave them. */
function givenOf({ ids, throughout }: MovingResult): number[] {
  const wanted = new Set(throughout);
  return ids.filter((id) => wanted.has(id));
}

const missingOf = (result: MovingResult): number =>
  result.throughout.length - givenOf(result).length;

function note(name: string, results: readonly MovingResult[]): void {
  const requests = results.map((result) => result.requests);
  const mean = requests.reduce((a, b) => a + b, 0) / requests.length;
  const lossy = results.filter((result) => missingOf(result) > 0).length;
  const hinted = results.filter(({ hint }) => hint !== undefined).length;
  lines.push(
    `${name.padEnd(56)} lossy ${lossy}, hinted ${hinted}, ${Math.min(...requests)} to ${Math.max(...requests)} requests, ${mean.toFixed(1)} on average`,
  );
}

describe.each(orders)('1,000 posts, %s', (order) => {
  test('that stay the same take one request more than there are pages', async () => {
    const results = await runs({ posts: 1000, order });
    note(`${order}, nothing`, results);
    for (const result of results) {
      expect(result.ids).toEqual(result.throughout);
      expect(result.requests).toBe(11);
      expect(result.complete).toBe(true);
    }
  });

  test.each([
    ['one is added every 60 ms', { addEvery: 60 }],
    ['one is removed every 60 ms', { removeEvery: 60 }],
    ['one is added and one removed every 60 ms', { addEvery: 60, removeEvery: 60 }],
    ['five are added every 100 ms', { addEvery: 100, batch: 5 }],
    ['five are removed every 100 ms', { removeEvery: 100, batch: 5 }],
    ['five are added and removed every 100 ms', { addEvery: 100, removeEvery: 100, batch: 5 }],
  ])('of which %s: no post is missing, none comes twice', async (name, change) => {
    const results = await runs({ posts: 1000, order, ...change });
    note(`${order}, ${name}`, results);
    for (const result of results) {
      expect(givenOf(result)).toEqual(result.throughout);
      expect(new Set(result.ids).size).toBe(result.ids.length);
      expect(result.requests).toBeLessThanOrEqual(22);
      expect(result).toMatchObject({ complete: true, hint: undefined });
    }
  });
});

test.each(
  orders.flatMap(
    (order) =>
      [
        [order, 'stay the same', {}, 102],
        [order, 'are added every 60 ms', { addEvery: 60 }, 123],
        [order, 'are removed every 60 ms', { removeEvery: 60 }, 123],
      ] as const,
  ),
)('10,000 posts, %s, that %s: none is missing, in few requests', async (order, _, change, most) => {
  for (const concurrency of [128, 8, 1]) {
    const result = await walkMoving(
      { posts: 10_000, order, latency: () => 20, random: seededRandom(SEED), ...change },
      { concurrency },
    );

    lines.push(
      `10,000, ${order}, ${JSON.stringify(change)}, ${concurrency} lanes: ${result.requests}`,
    );
    expect(missingOf(result)).toBe(0);
    expect(new Set(result.ids).size).toBe(result.ids.length);
    expect(result.complete).toBe(true);
    expect(result.requests).toBeLessThanOrEqual(most);
  }
});

test('a hint says so when more changes than can be followed', async () => {
  const results = await runs({ posts: 1000, order: 'newest first', addEvery: 25, batch: 15 });
  note('newest first, 15 added every 25 ms', results);

  const lossy = results.filter((result) => missingOf(result) > 0);
  expect(lossy.length).toBeGreaterThan(0);
  for (const { complete, hint } of lossy) {
    expect(complete).toBe(false);
    expect(hint).toEqual(expect.any(String));
  }
  for (const { requests } of results) expect(requests).toBeLessThanOrEqual(60);
});

test('as many posts added as removed between two pages: no post is lost', async () => {
  // Three are removed from the first page, and three added behind what is read: the total stays.
  const result = await walkMoving(
    {
      posts: 300,
      order: 'oldest first',
      latency: () => 100,
      random: () => 0.01,
      addEvery: 15000,
      removeEvery: 15000,
      batch: 3,
    },
    { concurrency: 1 },
  );

  expect(result.throughout).toHaveLength(297);
  expect(givenOf(result)).toEqual(result.throughout);
  expect(result.complete).toBe(true);
});

test('a list that is called complete is complete, whatever is added and removed', async () => {
  let complete = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        posts: fc.integer({ min: 0, max: 300 }),
        order: fc.constantFrom(...orders),
        cap: fc.integer({ min: 5, max: 60 }),
        pageSize: fc.integer({ min: 5, max: 60 }),
        limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 350 })),
        concurrency: fc.integer({ min: 1, max: 16 }),
        change: fc.constantFrom(['addEvery'], ['removeEvery'], ['addEvery', 'removeEvery']),
        interval: fc.integer({ min: 30, max: 300 }),
        batch: fc.integer({ min: 1, max: 5 }),
        slowest: fc.integer({ min: 20, max: 200 }),
        seed: fc.nat(),
      }),
      async ({ pageSize, limit, concurrency, change, interval, slowest, seed, ...moving }) => {
        const random = seededRandom(seed);
        const latency = () => 20 + (slowest - 20) * random();
        const changes = Object.fromEntries(change.map((name) => [name, interval]));
        const result = await walkMoving(
          { ...moving, ...changes, random, latency },
          { pageSize, limit, concurrency },
        );

        const { ids, throughout, hint } = result;
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(limit);
        expect(result.mostUnderWay).toBeLessThanOrEqual(concurrency);
        expect(result.complete).toBe(hint === undefined);
        if (!result.complete) return;
        complete++;
        // With a limit, the rest of the list is not asked for.
        const given = givenOf(result);
        expect(given).toEqual(throughout.slice(0, given.length));
        if (ids.length < limit) expect(given).toHaveLength(throughout.length);
      },
    ),
    { numRuns: 10 * RUNS },
  );
  expect(complete).toBeGreaterThan(0);
});
