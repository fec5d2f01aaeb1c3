import fc from 'fast-check';

import type { World } from './world';

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
  failsBefore: fc.constant(false),
  refused: fc.constantFrom(0, 0.1, 0.25),
  lost: fc.constantFrom(0, 0, 0.1),
  slow: fc.constantFrom(0, 0, 0.2),
  killed: fc.constantFrom(0, 0.3, 0.6),
  restarted: fc.constant(0.15),
  lag: fc.constantFrom(0, 0, 0, 80_000),
  broken: fc.constantFrom(0, 0, 0, 0.4),
  uncertain: fc.constantFrom('hold', 'hold', 'hold', 'look'),
} as const;

/** Worlds with one process of n8n, as most people run it. */
export const inOneProcess: fc.Arbitrary<World> = fc
  .record({
    ...base,
    processes: fc.constant(1),
    shape: fc.constantFrom(
      'top',
      'loop',
      'once',
      'each',
      'nestOnce',
      'nestEach',
      'loopOnce',
      'loopEach',
      'loopNest',
      'notAwaited',
      'notAwaitedEach',
    ),
    // A call that nobody waits for, and that fails with the database, may be called again while it tries again.
  })
  .map((world) => (world.shape.startsWith('notAwaited') ? { ...world, broken: 0 } : world));

/** Worlds in queue mode, where another process goes on. */
export const inSeveralProcesses: fc.Arbitrary<World> = inOneProcess.chain((world) =>
  fc.constantFrom(2, 3).map((processes) => ({ ...world, processes, twins: false })),
);
