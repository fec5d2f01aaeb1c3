import * as fc from 'fast-check';

import { seededRandom } from '../../../../sandbox/random';
import { type ListOrder, type Moving, type MovingResult, walkMoving } from './movingList';

const orders: ListOrder[] = ['newest first', 'oldest first', 'by id'];

const RUNS = 20;

/** The same walk 20 times, each with chances of its own. */
async function runs(
  moving: Omit<Moving, 'random' | 'latency'>,
  [fastest, slowest]: readonly [number, number],
): Promise<MovingResult[]> {
  const results: MovingResult[] = [];
  for (let seed = 1; seed <= RUNS; seed++) {
    const random = seededRandom(seed);
    const latency = () => fastest + (slowest - fastest) * random();
    results.push(await walkMoving({ ...moving, random, latency }));
  }
  return results;
}

/** The posts that were there throughout, as the walk gave them. */
function givenOf({ ids, throughout }: MovingResult): number[] {
  const wanted = new Set(throughout);
  return ids.filter((id) => wanted.has(id));
}

const hintOf = ({ walked }: MovingResult) => (walked.ok ? walked.hint : undefined);

describe.each(orders)('1,000 posts, %s', (order) => {
  test('that stay as they are take 10 requests', async () => {
    for (const result of await runs({ posts: 1000, order }, [20, 200])) {
      expect(result.ids).toEqual(result.throughout);
      expect(result.requests).toBe(10);
      expect(hintOf(result)).toBeUndefined();
    }
  });

  describe.each([
    [20, 20],
    [20, 200],
    [200, 200],
  ] as const)('with %i to %i ms of latency', (...latency) => {
    test.each([
      ['one is added every 60 ms', { addEvery: 60 }],
      ['one is removed every 60 ms', { removeEvery: 60 }],
      ['five are added every 100 ms', { addEvery: 100, batch: 5 }],
    ])('of which %s: none is missing, none comes twice', async (_, change) => {
      for (const result of await runs({ posts: 1000, order, ...change }, latency)) {
        expect(givenOf(result)).toEqual(result.throughout);
        expect(new Set(result.ids).size).toBe(result.ids.length);
        expect(result.requests).toBeLessThanOrEqual(18);
        expect(hintOf(result)).toBeUndefined();
      }
    });
  });
});

test('where more change than can be followed, a hint says so', async () => {
  const moving = { posts: 1000, order: 'newest first', addEvery: 25, batch: 15 } as const;
  const results = await runs(moving, [20, 200]);

  const lossy = results.filter((result) => givenOf(result).length < result.throughout.length);
  expect(lossy.length).toBeGreaterThan(0);
  for (const result of lossy) {
    expect(hintOf(result)).toBe(
      'Posts were added or removed while the list was read, and some may be missing. Run this again when fewer of them change.',
    );
  }
  for (const { requests } of results) expect(requests).toBeLessThanOrEqual(60);
});

test('whatever is added or removed, none is missing unless a hint says so', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        posts: fc.integer({ min: 1, max: 300 }),
        order: fc.constantFrom(...orders),
        cap: fc.integer({ min: 10, max: 60 }),
        pageSize: fc.integer({ min: 10, max: 60 }),
        concurrency: fc.integer({ min: 4, max: 16 }),
        change: fc.constantFrom('addEvery' as const, 'removeEvery' as const),
        interval: fc.integer({ min: 20, max: 300 }),
        batch: fc.integer({ min: 1, max: 4 }),
        slowest: fc.integer({ min: 20, max: 200 }),
        seed: fc.nat(),
      }),
      async ({ pageSize, concurrency, change, interval, slowest, seed, ...moving }) => {
        const random = seededRandom(seed);
        const latency = () => 20 + (slowest - 20) * random();
        const result = await walkMoving(
          { ...moving, [change]: interval, random, latency },
          { pageSize, concurrency },
        );

        expect(new Set(result.ids).size).toBe(result.ids.length);
        expect(result.mostUnderWay).toBeLessThanOrEqual(concurrency);
        if (hintOf(result) === undefined) expect(givenOf(result)).toEqual(result.throughout);
      },
    ),
    { numRuns: 200 },
  );
});
