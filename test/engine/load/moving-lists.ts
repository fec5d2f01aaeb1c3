/**
 * Return All while posts come and go: 1,000 posts, one added or removed, or both, every 60 ms, 20 to
 * 200 ms for a response. SEED is the one of the first run.
 *
 *     npm run test:long -- moving-lists
 *     RUNS=20 npm run test:long -- moving-lists
 */
import type { FaultRule } from '../../../sandbox';
import { pick, seededRandom } from '../../../sandbox/random';
import { readWorkflow, records, useSandbox, withParameters } from '../harness';

const POSTS = 1000;
const EVERY_MS = 60;

/** How many requests 1,000 posts take that stay where they are. */
const PAGES = 11;

const SEED = Number(process.env.SEED ?? 1);
const RUNS = Number(process.env.RUNS ?? 2);

const service = useSandbox({ seed: false, latencyMs: 20 });

const lines: string[] = [];

afterAll(() => {
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
});

/** Up to 180 ms more, in steps of 12 ms, by chance. */
const latencies = (seed: number): FaultRule[] =>
  [12, 24, 48, 96].map((ms, index) => ({
    kind: 'latency',
    ms,
    probability: 0.5,
    seed: 4 * seed + index,
  }));

async function readAll(): Promise<{ ids: unknown[]; hints: string[]; requests: number }> {
  const run = await service.run(
    withParameters(readWorkflow('post.getAll'), 'Get posts', { returnAll: true }),
  );
  const [task] = run.data.resultData.runData['Get posts'] ?? [];
  return {
    ids: records(run, 'Get posts').map(({ id }) => id),
    hints: (task?.hints ?? []).map(({ message }) => message),
    requests: service.sandbox.requests.length,
  };
}

const order = (name: 'newest' | 'oldest' | 'id'): FaultRule => ({ kind: 'listOrder', order: name });

/** Removes a post that was there at first, every 60 ms. */
function removeEvery(
  ids: readonly number[],
  seed: number,
): { removed: Set<number>; stop: () => void } {
  const { store, workspaceId } = service.sandbox;
  const random = seededRandom(seed);
  const removed = new Set<number>();
  const timer = setInterval(() => {
    const id = pick(ids, random);
    store.removePost(workspaceId, id);
    removed.add(id);
  }, EVERY_MS);
  return { removed, stop: () => clearInterval(timer) };
}

const nothingRemoved = { removed: new Set<number>(), stop: () => undefined };

describe.each([
  ['newest first', 'newest'],
  ['oldest first', 'oldest'],
  ['by ID', 'id'],
] as const)('%s', (name, by) => {
  describe.each([
    ['added', true, false],
    ['removed', false, true],
    ['both', true, true],
  ])('%s', (change, adds, removes) => {
    const asked: number[] = [];

    afterAll(() => {
      const [least, most] = [Math.min(...asked), Math.max(...asked)];
      const sum = asked.reduce((a, b) => a + b, 0);
      lines.push(
        `${name.padEnd(14)} ${change.padEnd(8)} seeds ${SEED} to ${SEED + RUNS - 1}: none missing, none twice, ${least} to ${most} requests (${(sum / asked.length).toFixed(1)} on average)`,
      );
    });

    test.each(Array.from({ length: RUNS }, (_, run) => SEED + run))(
      'none is missing and none comes twice (seed %i)',
      async (seed) => {
        const there = service.sandbox.addPosts(POSTS).map(({ id }) => id);
        for (const rule of [order(by), ...latencies(seed)]) service.sandbox.faults.add(rule);
        const stopAdding = adds ? service.sandbox.addPostEvery(EVERY_MS) : () => undefined;
        const { removed, stop } = removes ? removeEvery(there, seed) : nothingRemoved;

        const { ids, hints, requests } = await readAll();
        stopAdding();
        stop();

        const given = new Set(ids);
        expect(given.size).toBe(ids.length);
        expect(there.filter((id) => !given.has(id) && !removed.has(id))).toEqual([]);
        expect(hints).toEqual([]);
        expect(requests).toBeGreaterThanOrEqual(PAGES);
        expect(requests).toBeLessThanOrEqual(2 * PAGES);
        asked.push(requests);
      },
    );
  });
});

test('where more arrive than can be followed, a hint says that some may be missing', async () => {
  const there = service.sandbox.addPosts(POSTS).map(({ id }) => id);
  for (const rule of [order('newest'), ...latencies(1)]) service.sandbox.faults.add(rule);
  const timer = setInterval(() => service.sandbox.addPosts(15), 25);

  const { ids, hints, requests } = await readAll();
  clearInterval(timer);

  const given = new Set(ids);
  const missing = there.filter((id) => !given.has(id)).length;
  lines.push(`15 more every 25 ms: ${missing} missing, ${requests} requests. ${hints.join()}`);
  expect(given.size).toBe(ids.length);
  expect(hints).toEqual([expect.stringMatching(/may be missing/)]);
});
