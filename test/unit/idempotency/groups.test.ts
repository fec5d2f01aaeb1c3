import { aheadOf, groupsOf, Progress } from '../../../nodes/SocialPublishing/idempotency/groups';
import { inParallel } from '../../../nodes/SocialPublishing/service/inParallel';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Lets everything go on that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a large run is committed in groups that grow with what has gone out', () => {
  const groups = groupsOf(numbers(500));

  expect(groups.map(({ length }) => length)).toEqual([
    8, 8, 8, 12, 18, 27, 40, 60, 64, 64, 64, 64, 63,
  ]);
  expect(groups.flat()).toEqual(numbers(500));
  expect(groupsOf([])).toEqual([]);
});

test('what is committed but has not gone out is at most 16, then half of what has and 12, then 72', async () => {
  let started = 0;
  let committed = 0;
  const ahead: Array<[started: number, ahead: number]> = [];
  const progress = new Progress();
  const source = aheadOf(numbers(500), progress, async (group) => {
    await settled();
    committed += group.length;
    ahead.push([started, committed - started]);
    return group;
  });
  await inParallel(source, 4, async (one) => {
    started++;
    progress.pass(one);
    await settled();
    progress.pass(one);
    return true;
  });

  expect(started).toBe(500);
  for (const [gone, waiting] of ahead) {
    expect(waiting).toBeLessThanOrEqual(Math.min(Math.max(16, gone / 2 + 12), 72));
  }
});

test('the next group waits until its turn is near; a write that needs no request counts, too', async () => {
  const committed: number[] = [];
  const progress = new Progress();
  const source = aheadOf(numbers(20), progress, (group) => {
    committed.push(group[0]!);
    return Promise.resolve(group);
  });
  for (let taken = 0; taken < 16; taken++) await source.next();
  await settled();
  expect(committed).toEqual([0, 8]);

  for (let ended = 0; ended < 8; ended++) progress.pass(ended);
  await settled();
  expect(committed).toEqual([0, 8, 16]);
  await source.return(undefined);
});

test('only what was committed is given out', async () => {
  const progress = new Progress();
  const source = aheadOf(numbers(3), progress, (group) =>
    Promise.resolve(group.map((one) => `committed ${one}`)),
  );
  const given: string[] = [];
  for await (const one of source) given.push(one);

  expect(given).toEqual(['committed 0', 'committed 1', 'committed 2']);
});

test('nothing is committed any more once it is known that nothing more is sent', async () => {
  const committed: number[] = [];
  const progress = new Progress();
  const source = aheadOf(numbers(80), progress, (group) => {
    committed.push(...group);
    return Promise.resolve(group);
  });
  await source.next();
  progress.close();
  const given: number[] = [];
  for await (const one of source) given.push(one);

  // The second group was on its way when the first one was given out.
  expect(committed).toEqual(numbers(16));
  expect(given).toEqual(numbers(16).slice(1));
});

test.each([1, 2, 8, 9, 32, 100])(
  'a run of 80 comes to its end wherever it is stopped, with %i at once',
  async (concurrency) => {
    for (const stopAt of numbers(60)) {
      const progress = new Progress();
      const source = aheadOf(numbers(80), progress, async (group) => {
        await settled();
        return group;
      });
      let done = 0;
      await inParallel(source, concurrency, async (one) => {
        progress.pass(one);
        await settled();
        progress.pass(one);
        if (done++ < stopAt) return true;
        progress.close();
        return false;
      });

      expect(done).toBeGreaterThan(stopAt);
      expect(done).toBeLessThan(stopAt + concurrency + 1);
    }
  },
);
