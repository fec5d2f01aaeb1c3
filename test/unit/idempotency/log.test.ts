import type { Intent } from '../../../nodes/SocialPublishing/idempotency/intent';
import { IntentLog } from '../../../nodes/SocialPublishing/idempotency/log';
import {
  ALL_ACCOUNTED,
  NOTHING_LOGGED,
  recognize,
} from '../../../nodes/SocialPublishing/idempotency/recognize';
import { Results } from '../../../nodes/SocialPublishing/idempotency/results';
import { intentFor, type Says } from './intents';
import { Keys } from './keys';

const NOW = Date.UTC(2026, 10, 21, 10, 0, 5);
const HORIZON = 85_000;

const nothing = (): Results =>
  new Results({}, { node: 'node', run: 0, execution: '1', isTool: false });

const logOf = (keys: Keys, execution = 'one') => new IntentLog(keys, execution);

const intentsOf = (...said: Says[]): Intent[] => said.map((says, item) => intentFor(item, says));

const A = { text: 'a', at: 1 };
const B = { text: 'b', at: 2 };
const C = { text: 'c', at: 3 };

/** Commits intents as a run does that knows nothing of earlier ones. */
async function commit(log: IntentLog, intents: readonly Intent[], now = NOW) {
  const entries = IntentLog.number(intents, nothing(), ALL_ACCOUNTED);
  return { entries, isAlone: await log.commit(entries, now) };
}

/** How many entries the log has for each grain of an intent. */
async function loggedOf(log: IntentLog, intent: Intent): Promise<number[]> {
  const { tallies } = await log.read([intent], nothing());
  return (['full', 'content', 'any'] as const).map(
    (grain) => tallies[grain].get(intent.grains[grain])?.unaccounted ?? 0,
  );
}

test('what was committed is read, by each grain', async () => {
  const log = logOf(new Keys());
  await commit(log, intentsOf(A, B));
  const [a, later, c] = intentsOf(A, { ...A, at: 9 }, C) as [Intent, Intent, Intent];

  expect(await loggedOf(log, a)).toEqual([1, 1, 2]);
  expect(await loggedOf(log, later)).toEqual([0, 1, 2]);
  expect(await loggedOf(log, c)).toEqual([0, 0, 2]);
});

test('the same said twice is two entries; what is read is one more than was asked for', async () => {
  const log = logOf(new Keys());
  await commit(log, intentsOf(A, A, A));
  const [a] = intentsOf(A) as [Intent];
  const { tallies } = await log.read(intentsOf(A, A), nothing());

  expect(await loggedOf(log, a)).toEqual([2, 2, 2]);
  expect(tallies.full.get(a.grains.full)).toEqual({ accounted: 0, unaccounted: 3 });
});

test('nothing is read of other executions, destinations and paths', async () => {
  const keys = new Keys();
  await commit(logOf(keys), intentsOf(A));

  expect(await logOf(keys, 'two').read(intentsOf(A), nothing())).toBe(NOTHING_LOGGED);
  for (const other of [intentFor(0, { ...A, workspaceId: 2 }), intentFor(0, A, '/agents')]) {
    expect(await logOf(keys).read([other], nothing())).toBe(NOTHING_LOGGED);
  }
});

test('keeps neither what is said nor the name of the execution in the clear', async () => {
  const keys = new Keys();
  await commit(logOf(keys), intentsOf(A));

  for (const key of keys.known) expect(key).toMatch(/^[\da-f]{24}$/);
});

test('writes a group at once, with four keys a post, one for the execution and one for the time', async () => {
  const keys = new Keys();
  await commit(logOf(keys), intentsOf(A, B, C));

  expect(keys.calls).toEqual([['add', 4 * 3 + 2]]);
});

describe('numbers', () => {
  const numbersOf = (results: Results, unaccounted: typeof ALL_ACCOUNTED, ...said: Says[]) =>
    IntentLog.number(intentsOf(...said), results, unaccounted).map(({ numbers }) =>
      Object.values(numbers),
    );

  test('count what is the same in full, in content, and all of one destination', () => {
    expect(
      numbersOf(nothing(), ALL_ACCOUNTED, A, { ...A, at: 9 }, A, B, { ...B, workspaceId: 2 }),
    ).toEqual([
      [0, 0, 0],
      [0, 1, 1],
      [1, 2, 2],
      [0, 0, 3],
      [0, 0, 0],
    ]);
  });

  test('come after what the results account for and what nobody accounts for', () => {
    const results = nothing();
    const [a, b] = intentsOf(A, B) as [Intent, Intent];
    results.keep(
      {
        item: 7,
        destination: a.destination,
        entry: a.grains,
        number: 0,
        attempts: 0,
        text: a.text,
        full: a.grains.full,
        key: '',
      },
      { state: 'open' },
    );
    const unaccounted = { ...ALL_ACCOUNTED, any: new Map([[a.grains.any, 4]]) };

    expect(numbersOf(results, unaccounted, A, B)).toEqual([
      [1, 1, 5],
      [0, 0, 6],
    ]);
    expect(b.grains.any).toBe(a.grains.any);
  });
});

describe('two retries that send at once', () => {
  test('commit each entry once', async () => {
    const keys = new Keys();
    const [first, second] = await Promise.all([
      commit(logOf(keys), intentsOf(A, B)),
      commit(logOf(keys), intentsOf(A, B)),
    ]);

    expect([first.isAlone, second.isAlone]).toEqual([true, false]);
  });

  test.each<[string, Says]>([
    ['at another time', { ...A, at: 9 }],
    ['in other words', { text: 'in other words', at: 1 }],
    ['in other words at another time', { text: 'in other words', at: 9 }],
  ])('do not both send what upstream words anew: %s', async (_, said) => {
    const keys = new Keys();
    await commit(logOf(keys), intentsOf(A));

    expect((await commit(logOf(keys), intentsOf(said))).isAlone).toBe(false);
  });

  test('leave nothing of a group that is not sent, so that no number is missing before another', async () => {
    const keys = new Keys();
    await commit(logOf(keys), intentsOf(A));
    const before = [...keys.known];
    // The second of these has a number that is free.
    await commit(logOf(keys), intentsOf(C, B));

    expect([...keys.known]).toEqual(before);
  });

  /** A retry that commits after it has read what another one has committed. */
  async function commitAfterRead(log: IntentLog, ...said: Says[]) {
    const intents = intentsOf(...said);
    const { unaccounted } = recognize(intents, await log.read(intents, nothing()));
    return async () => await log.commit(IntentLog.number(intents, nothing(), unaccounted), NOW);
  }

  test('what is refused stays where the other has written behind it', async () => {
    const keys = new Keys();
    const { entries } = await commit(logOf(keys), intentsOf(A, B));
    const second = await commitAfterRead(logOf(keys), C);
    expect(await second()).toBe(true);
    await logOf(keys).takeBack(entries, nothing(), ALL_ACCOUNTED);

    expect(await loggedOf(logOf(keys), intentFor(0, C))).toEqual([1, 1, 2]);
    // Read beyond the first two, as a retry in a loop does, C is still there.
    const { tallies } = await logOf(keys).read(intentsOf(A, B, C), nothing());
    expect([...tallies.any.values()]).toEqual([{ accounted: 0, unaccounted: 3 }]);
  });

  test('nothing is sent that was counted after what the other takes back meanwhile', async () => {
    const keys = new Keys();
    const { entries } = await commit(logOf(keys), intentsOf(A, B));
    const second = await commitAfterRead(logOf(keys), C);
    await logOf(keys).takeBack(entries, nothing(), ALL_ACCOUNTED);

    expect(await second()).toBe(false);
    expect(await logOf(keys).read(intentsOf(A, B, C), nothing())).toBe(NOTHING_LOGGED);
  });

  test('send one more attempt once', async () => {
    const log = logOf(new Keys());
    const { full } = intentFor(0, A).grains;
    const again = { full, number: 0, attempt: 1 };

    expect(await Promise.all([log.attempt(again, NOW), log.attempt(again, NOW)])).toEqual([
      true,
      false,
    ]);
    expect(await log.attempt({ ...again, attempt: 2 }, NOW)).toBe(true);
    expect(await log.attempt({ ...again, number: 1 }, NOW)).toBe(true);
  });
});

describe('what is taken back', () => {
  test('is the highest numbers, so that what stays is read without a gap', async () => {
    const log = logOf(new Keys());
    const { entries } = await commit(log, intentsOf(A, A, B));
    // The first was refused; the others stay with whoever sent them.
    const results = nothing();
    for (const { intent, numbers } of entries.slice(1)) {
      results.keep(
        {
          item: intent.item,
          destination: intent.destination,
          entry: intent.grains,
          number: numbers.full,
          attempts: 0,
          text: intent.text,
          full: intent.grains.full,
          key: '',
        },
        { state: 'open' },
      );
    }
    await log.takeBack(entries.slice(0, 1), results, ALL_ACCOUNTED);

    expect(await loggedOf(log, intentFor(0, A))).toEqual([1, 1, 2]);
    expect(await loggedOf(log, intentFor(0, B))).toEqual([1, 1, 2]);
    // A whole run is read.
    const { tallies } = await log.read(intentsOf(A, A, B), nothing());
    expect([...tallies.any.values()]).toEqual([{ accounted: 0, unaccounted: 2 }]);
  });

  test('is all, where nothing was sent', async () => {
    const log = logOf(new Keys());
    const { entries } = await commit(log, intentsOf(A, B));
    await log.takeBack(entries, nothing(), ALL_ACCOUNTED);

    expect(await log.read(intentsOf(A, B), nothing())).toBe(NOTHING_LOGGED);
  });

  test('leaves its moment where another execution has written for it', async () => {
    const keys = new Keys();
    await commit(logOf(keys, 'one'), intentsOf(A));
    const two = logOf(keys, 'two');
    const { entries } = await commit(two, intentsOf(A));
    await two.takeBack(entries, nothing(), ALL_ACCOUNTED);
    await commit(logOf(keys, 'three'), intentsOf(A));

    expect([...(await logOf(keys, 'three').shared(intentsOf(A, B)))]).toEqual([0]);
  });
});

describe('moments', () => {
  test('are known to all executions of the node, also to the one that came first', async () => {
    const keys = new Keys();
    const one = logOf(keys, 'one');
    const two = logOf(keys, 'two');
    await commit(one, intentsOf(A));
    expect([...(await one.shared(intentsOf(A)))]).toEqual([]);
    await commit(two, intentsOf({ text: 'something else', at: 1 }));

    expect([...(await one.shared(intentsOf(A, B)))]).toEqual([0]);
    expect([...(await two.shared(intentsOf(A, B)))]).toEqual([0]);
  });

  test('are those of one destination, and shared by nobody within one execution', async () => {
    const keys = new Keys();
    await commit(logOf(keys, 'one'), intentsOf(A, { text: 'another', at: 1 }));
    await commit(logOf(keys, 'two'), intentsOf({ ...A, workspaceId: 2 }));

    expect([...(await logOf(keys, 'one').shared(intentsOf(A)))]).toEqual([]);
  });

  test('that are taken back are shared no more', async () => {
    const keys = new Keys();
    const one = logOf(keys, 'one');
    const { entries } = await commit(one, intentsOf(A));
    await one.takeBack(entries, nothing(), ALL_ACCOUNTED);
    await commit(logOf(keys, 'two'), intentsOf(A));

    expect([...(await logOf(keys, 'two').shared(intentsOf(A)))]).toEqual([]);
  });

  test('of what has none are never shared', async () => {
    const keys = new Keys();
    const now = intentsOf({ text: 'now' });
    await commit(logOf(keys, 'one'), now);
    await commit(logOf(keys, 'two'), now);

    expect([...(await logOf(keys, 'one').shared(now))]).toEqual([]);
  });
});

describe('a post that is taken as a result', () => {
  const a = intentFor(0, A);

  test('can not be taken again: by another intent, another execution, or the next of the same', async () => {
    const keys = new Keys();
    const log = logOf(keys);
    expect(await log.take(a, 0, 12)).toBe(true);

    expect(await log.take(a, 1, 12)).toBe(false);
    expect(await log.take(intentFor(1, B), 0, 12)).toBe(false);
    expect(await logOf(keys, 'two').take(a, 0, 12)).toBe(false);
    expect(await log.take(a, 1, 13)).toBe(true);
  });

  test('is taken again by the intent that took it, in a later retry', async () => {
    const keys = new Keys();
    await logOf(keys).take(a, 0, 12);

    expect(await logOf(keys).take(a, 0, 12)).toBe(true);
  });

  test('is one of its destination', async () => {
    const keys = new Keys();
    await logOf(keys).take(a, 0, 12);

    expect(await logOf(keys).take(intentFor(0, { ...A, workspaceId: 2 }), 0, 12)).toBe(true);
  });
});

describe('a log of which n8n has dropped the oldest entries', () => {
  const many = (count: number, from = 0) =>
    intentsOf(...Array.from({ length: count }, (_, n) => ({ text: `Post ${from + n}` })));

  test('says so of the execution whose beginning is gone', async () => {
    // 5,000 posts published now are 15,000 keys.
    const keys = new Keys(10_000);
    const log = logOf(keys);
    await commit(log, many(5000));
    const [first] = many(1) as [Intent];

    expect((await log.read([first], nothing())).pruned).toEqual(new Set([first.grains.any]));
    expect(await log.countUnaccounted(first.grains.any, nothing(), 1000)).toBeGreaterThan(0);
  });

  test.each([1, 1248, 1251, 2400])('has all of %i posts', async (count) => {
    const log = logOf(new Keys(10_000));
    await commit(log, many(count));
    const [first] = many(1) as [Intent];
    const read = await log.read([first], nothing());

    expect(read.pruned).toEqual(new Set());
    expect(read.tallies.any.get(first.grains.any)?.unaccounted).toBeGreaterThan(0);
  });
});

test('how many entries nobody accounts for is counted up to a bound', async () => {
  const log = logOf(new Keys());
  await commit(log, intentsOf(A, B, C));
  const { any } = intentFor(0, A).grains;

  expect(await log.countUnaccounted(any, nothing(), 1000)).toBe(3);
  expect(await log.countUnaccounted(any, nothing(), 2)).toBe(2);
  expect(await log.countUnaccounted(intentFor(0, A, '/agents').grains.any, nothing(), 1000)).toBe(
    0,
  );
});

test('an execution has begun when it has committed something, whatever became of it', async () => {
  const keys = new Keys();
  const log = logOf(keys);
  expect(await log.hasEntries()).toBe(false);
  await commit(log, intentsOf(A));

  expect(await log.hasEntries()).toBe(true);
  expect(await logOf(keys, 'two').hasEntries()).toBe(false);
});

describe('when an execution has committed last', () => {
  const lastAfter = async (milliseconds: number): Promise<number> => {
    const log = logOf(new Keys());
    await commit(log, intentsOf(A), NOW - 60_000);
    await commit(log, intentsOf(B), NOW);
    return await log.lastCommit(NOW + milliseconds, HORIZON);
  };

  test('is told in steps of ten seconds, the later end of them', async () => {
    expect(await lastAfter(30_000)).toBe(NOW + 5000);
  });

  test('is never later than now', async () => {
    expect(await lastAfter(1000)).toBe(NOW + 1000);
  });

  test('is not told beyond the horizon', async () => {
    expect(await lastAfter(HORIZON)).toBe(NOW + 5000);
    expect(await lastAfter(HORIZON + 10_000)).toBe(0);
  });

  test('counts one more attempt, too', async () => {
    const log = logOf(new Keys());
    await log.attempt({ full: 'full', number: 0, attempt: 1 }, NOW);

    expect(await log.lastCommit(NOW + 30_000, HORIZON)).toBe(NOW + 5000);
  });
});

test('what the database says is thrown, and nothing is claimed', async () => {
  const keys = new Keys();
  const log = logOf(keys);
  const { entries } = await commit(log, intentsOf(A));
  keys.problem = new Error('The database is locked');

  await expect(log.read(intentsOf(A), nothing())).rejects.toThrow('The database is locked');
  await expect(log.commit(entries, NOW)).rejects.toThrow('The database is locked');
  await expect(log.attempt({ full: '', number: 0, attempt: 1 }, NOW)).rejects.toThrow('locked');
  await expect(log.take(intentFor(0, A), 0, 1)).rejects.toThrow('The database is locked');
});
