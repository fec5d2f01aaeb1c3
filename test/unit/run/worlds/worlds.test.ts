import fc from 'fast-check';

import { newProcess, type Timers } from './process';
import { live, type World } from './world';
import { inOneProcess, inSeveralProcesses } from './worlds';

/** The worlds are the same each time; `SEED=2` gives others. */
const SEED = Number(process.env.SEED ?? 15);

/** `WORLDS=100000 npx jest test/unit/run/worlds` takes about half an hour. */
const WORLDS = Number(process.env.WORLDS ?? 600);

const timers: Timers = { sleep: async () => await Promise.resolve() };

const processes = [newProcess(timers), newProcess(timers), newProcess(timers)];

jest.setTimeout(3_600_000);

test('in one process, nothing is doubled, missing or invented, whatever happens', async () => {
  const lively = { returned: 0, succeeded: 0, held: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(inOneProcess, async (world) => {
      const fate = await live(world, processes, timers);
      expect(fate).toMatchObject({ doubled: 0, missing: 0, invented: 0 });
      lively.returned += fate.returned;
      lively.succeeded += Number(fate.succeeded);
      for (const code of Object.keys(fate.held)) lively.held.add(code);
    }),
    { numRuns: WORLDS, seed: SEED },
  );
  // Posts come back, are created, and are held.
  expect(lively.returned).toBeGreaterThan(WORLDS);
  expect(lively.succeeded).toBeGreaterThan(WORLDS / 2);
  expect([...lively.held]).toEqual(expect.arrayContaining(['leftOpen', 'otherWords', 'refused']));
});

const twoThatLook: World = {
  seed: 592_309_879,
  shape: 'top',
  items: 6,
  processes: 1,
  concurrency: 3,
  retryNode: false,
  retryCall: false,
  retryOuterCall: false,
  continues: false,
  savesSuccess: true,
  savesFailure: true,
  failsLate: false,
  textsBefore: false,
  textsInside: false,
  timeInside: false,
  mediaBefore: false,
  itemsBefore: true,
  same: 'none',
  publishNow: false,
  drops: false,
  twins: true,
  waits: false,
  failsBefore: false,
  refused: 0.1,
  lost: 0.1,
  slow: 0,
  killed: 0.3,
  restarted: 0.15,
  lag: 0,
  broken: 0,
  uncertain: 'look',
};

test('two Retries at once that look post nothing twice', async () => {
  const { doubled } = await live(twoThatLook, processes, timers);
  expect(doubled).toBe(0);
});

const twoProcesses: World = {
  ...twoThatLook,
  items: 4,
  processes: 2,
  itemsBefore: false,
  lost: 0,
  killed: 0.6,
  uncertain: 'hold',
};

test.each<[string, Partial<World>]>([
  ['of a try that sent something', { shape: 'top' }],
  ['of a try that failed before it sent anything', { shape: 'top', failsBefore: true }],
  ['of a try that called sub-workflows', { shape: 'each' }],
])('two processes that retry at once post nothing twice, %s', async (_, world) => {
  for (let seed = 1; seed <= 100; seed++) {
    const { doubled } = await live({ ...twoProcesses, ...world, seed }, processes, timers);
    expect({ seed, doubled }).toEqual({ seed, doubled: 0 });
  }
});

/** Worlds in which nobody interferes, and all that goes wrong is what a test adds. */
const calm: World = {
  ...twoThatLook,
  twins: false,
  itemsBefore: false,
  refused: 0,
  lost: 0,
  killed: 0,
  restarted: 0,
};

test.each<[string, Partial<World>, string[]]>([
  ['after a wait, in whatever process', { shape: 'loop', waits: true, processes: 3 }, []],
  ['when lists show posts late, and answers are lost', { lag: 80_000, lost: 0.3 }, ['lost']],
  [
    'when the database fails for a while, in calls that are repeated',
    { shape: 'once', retryCall: true, items: 30, broken: 1, uncertain: 'hold' },
    ['notLogged', 'notRecorded'],
  ],
])('all is created once %s', async (_, world, codes) => {
  for (let seed = 1; seed <= 60; seed++) {
    const { doubled, missing, succeeded, held } = await live(
      { ...calm, ...world, seed },
      processes,
      timers,
    );
    const others = Object.keys(held).filter((code) => !codes.includes(code));
    expect({ seed, doubled, missing, succeeded, others }).toEqual({
      seed,
      doubled: 0,
      missing: 0,
      succeeded: true,
      others: [],
    });
  }
});

test('Look takes one post for one item, whose text was made anew', async () => {
  const again: Partial<World> = { shape: 'each', same: 'all', textsBefore: true, concurrency: 2 };
  for (let seed = 1; seed <= 60; seed++) {
    const world = { ...calm, ...again, lost: 0.3, killed: 0.8, restarted: 0.15, seed };
    const { doubled, missing, invented } = await live(world, processes, timers);
    expect({ seed, doubled, missing, invented }).toMatchObject({
      doubled: 0,
      missing: 0,
      invented: 0,
    });
  }
});

test('what a call has found that is repeated is found again', async () => {
  const broken: Partial<World> = { shape: 'nestOnce', items: 5, concurrency: 2, retryCall: true };
  const world = { ...calm, ...broken, continues: true, refused: 0.1, lost: 0.1, killed: 0.3 };
  const { doubled } = await live(
    { ...world, restarted: 0.15, broken: 1, seed: 9 },
    processes,
    timers,
  );
  expect(doubled).toBe(0);
});

test('in several processes, whose writes undo each other, next to nothing is doubled', async () => {
  const worlds = fc.sample(inSeveralProcesses, { numRuns: WORLDS / 3, seed: 15 });
  let doubled = 0;
  let created = 0;
  for (const world of worlds) {
    const fate = await live(world, processes, timers);
    expect(fate).toMatchObject({ missing: 0, invented: 0 });
    doubled += fate.doubled;
    created += fate.created;
  }
  // docs/node.md says that a remainder stays.
  expect(created).toBeGreaterThan(WORLDS / 3);
  expect(doubled).toBeLessThan(created / 200);
});
