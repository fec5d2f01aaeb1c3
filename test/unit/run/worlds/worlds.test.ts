import fc from 'fast-check';

import { newProcess, type Timers } from './process';
import { live, type World } from './world';

const RUNS = Number(process.env.WORLDS ?? 1500);

const timers: Timers = { sleep: async () => await Promise.resolve() };

const processes = [newProcess(timers), newProcess(timers), newProcess(timers)];

const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean());

const base = {
  seed: fc.nat(2 ** 31),
  items: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  retryNode: rarely,
  retryCall: rarely,
  retryOuterCall: rarely,
  continues: rarely,
  savesSuccess: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.boolean()),
  savesFailure: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.boolean()),
  failsLate: rarely,
  textsBefore: rarely,
  textsInside: rarely,
  timeInside: rarely,
  mediaBefore: rarely,
  itemsBefore: fc.boolean(),
  same: fc.constantFrom('none', 'none', 'text', 'all'),
  publishNow: rarely,
  drops: rarely,
  twins: rarely,
  waits: rarely,
  refused: fc.constantFrom(0, 0.1, 0.25),
  lost: fc.constantFrom(0, 0, 0.1),
  killed: fc.constantFrom(0, 0.3, 0.6),
  uncertain: fc.constantFrom('hold', 'hold', 'hold', 'look'),
} as const;

const inOneProcess = fc.record({
  ...base,
  processes: fc.constant(1),
  shape: fc.constantFrom('top', 'loop', 'once', 'each', 'nestOnce', 'nestEach', 'loopOnce', 'loopEach', 'loopNest', 'notAwaited', 'notAwaitedEach'),
});

jest.setTimeout(3_600_000);

test('in one process, nothing is doubled, missing or invented, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(inOneProcess, async (world) => {
      const { doubled, missing, invented } = await live(world as World, processes, timers);
      expect({ doubled, missing, invented }).toEqual({ doubled: 0, missing: 0, invented: 0 });
    }),
    { numRuns: RUNS },
  );
});
