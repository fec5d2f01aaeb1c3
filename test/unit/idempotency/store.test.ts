import {
  type DeduplicationHelpers,
  deduplicationStore,
} from '../../../nodes/SocialPublishing/idempotency/store';

beforeEach(() => jest.useFakeTimers());

afterEach(() => jest.useRealTimers());

/** A store that does what `check` says, and counts how often it is asked. */
function storeThat(check: (asked: number, keys: string[]) => string[]) {
  const calls: string[][] = [];
  const helpers = {
    checkProcessedAndRecord: (keys: string[]) => {
      calls.push(keys);
      const processed = check(calls.length, keys);
      const isNew = (key: string) => !processed.includes(key);
      return Promise.resolve({ new: keys.filter(isNew), processed });
    },
  };
  const store = deduplicationStore(helpers as unknown as DeduplicationHelpers, 'row');
  return { store, calls };
}

/** What a promise came to, once all waits have passed. */
async function outcomeOf<T>(promise: Promise<T>): Promise<T | string> {
  const outcome = promise.catch((error: unknown) => (error as Error).message);
  await jest.advanceTimersByTimeAsync(60_000);
  return await outcome;
}

test('tells what was on record before, and reads back what it recorded', async () => {
  const { store, calls } = storeThat((asked, keys) => (asked === 1 ? ['a'] : keys));

  expect(await outcomeOf(store.record(['a', 'b']))).toEqual(new Set(['a']));
  expect(calls).toHaveLength(2);
});

test('records again what got lost', async () => {
  const { store, calls } = storeThat((asked, keys) => (asked < 4 ? [] : keys));

  expect(await outcomeOf(store.record(['a']))).toEqual(new Set());
  expect(calls).toHaveLength(4);
});

test('fails when what it recorded is lost each time', async () => {
  const { store, calls } = storeThat(() => []);

  expect(await outcomeOf(store.record(['a']))).toBe('n8n did not keep what was recorded');
  expect(calls).toHaveLength(5);
});

const failing = (times: number) =>
  storeThat((asked, keys) => {
    if (asked <= times) throw new Error('The database is locked');
    return asked === times + 1 ? [] : keys;
  });

test('tries four times where n8n fails', async () => {
  const three = failing(3);
  const four = failing(4);

  expect(await outcomeOf(three.store.record(['a']))).toEqual(new Set());
  expect(await outcomeOf(four.store.record(['a']))).toBe('The database is locked');
  expect(four.calls).toHaveLength(4);
});

test('goes on after a failure with what came after it', async () => {
  const { store } = failing(4);
  const first = outcomeOf(store.record(['a']));
  const second = outcomeOf(store.record(['b']));

  expect(await first).toBe('The database is locked');
  expect(await second).toEqual(new Set());
});
