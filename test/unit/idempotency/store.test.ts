import {
  type DeduplicationHelpers,
  deduplicationStore,
  MAX_KEYS,
} from '../../../nodes/SocialPublishing/idempotency/store';

const removed: string[][] = [];
let rows = 0;

beforeEach(() => {
  jest.useFakeTimers();
  removed.length = 0;
});

afterEach(() => jest.useRealTimers());

/** A store that does what `check` says, and counts how often it is asked. */
function storeThat(check: (asked: number, keys: string[]) => string[]) {
  const calls: string[][] = [];
  const options: Array<{ maxEntries?: number }> = [];
  const helpers = {
    getProcessedDataCount: () => Promise.resolve(0),
    checkProcessedAndRecord: (keys: string[], _scope: string, given: { maxEntries?: number }) => {
      calls.push(keys);
      options.push(given);
      const processed = check(calls.length, keys);
      const isNew = (key: string) => !processed.includes(key);
      return Promise.resolve({ new: keys.filter(isNew), processed });
    },
    removeProcessed: (keys: string[]) => {
      removed.push(keys);
      return Promise.resolve();
    },
  };
  const store = deduplicationStore(helpers, `row ${rows++}`);
  return { store, calls, options };
}

/** What a promise came to, once all waits have passed. */
async function outcomeOf<T>(promise: Promise<T>): Promise<T | string> {
  const outcome = promise.catch((error: unknown) => (error as Error).message);
  await jest.advanceTimersByTimeAsync(60_000);
  return await outcome;
}

test('claims keys that nobody else has, and reads back what it recorded', async () => {
  const { store, calls } = storeThat((asked, keys) => (asked === 1 ? [] : keys));

  expect(await outcomeOf(store.claim(['a', 'b'], ['c'], true))).toBe(true);
  expect(calls).toHaveLength(2);
  expect(calls[1]).toEqual([expect.any(String), 'a', 'b', 'c']);
});

test('does not claim what somebody else has', async () => {
  const { store, calls } = storeThat(() => ['a']);

  expect(await outcomeOf(store.claim(['a', 'b'], [], true))).toBe(false);
  expect(calls).toHaveLength(1);
});

test('does not claim what somebody else has written over it', async () => {
  const { store } = storeThat((asked) => (asked === 1 ? [] : ['a']));

  expect(await outcomeOf(store.claim(['a', 'b'], [], true))).toBe(false);
});

test('a retry reads back only when another process has had time to write over it', async () => {
  const { store, calls } = storeThat((asked, keys) => (asked === 1 ? [] : keys));
  const claimed = store.claim(['a'], [], true);

  await jest.advanceTimersByTimeAsync(900);
  expect(calls).toHaveLength(1);
  expect(await outcomeOf(claimed)).toBe(true);
});

test('where nobody else is likely to write, the next write reads back, and writes what got lost', async () => {
  const { store, calls } = storeThat(() => []);

  expect(await outcomeOf(store.claim(['a'], ['b'], false))).toBe(true);
  await outcomeOf(store.add(['c']));
  expect(calls).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ]);
});

const failing = (times: number) =>
  storeThat((asked) => {
    if (asked <= times) throw new Error('The database is locked');
    return [];
  });

test('tries four times where n8n fails', async () => {
  const three = failing(3);
  const four = failing(4);

  expect(await outcomeOf(three.store.add(['a']))).toEqual(new Set());
  expect(await outcomeOf(four.store.add(['a']))).toBe('The database is locked');
  expect(four.calls).toHaveLength(4);
});

test('goes on after a failure with what came after it', async () => {
  const { store } = failing(4);
  const first = outcomeOf(store.add(['a']));
  const second = outcomeOf(store.add(['b']));

  expect(await first).toBe('The database is locked');
  expect(await second).toEqual(new Set());
});

test('only writing lets n8n drop keys', async () => {
  const { store, options } = storeThat((_, keys) => keys);
  await outcomeOf(store.find(['a']));
  await outcomeOf(store.add(['a']));
  await outcomeOf(store.claim(['b'], [], false));

  expect(options.map(({ maxEntries }) => maxEntries)).toEqual([undefined, MAX_KEYS, MAX_KEYS]);
});

test('finds what is there, and takes back at once what asking has added', async () => {
  const { store, calls } = storeThat(() => ['a']);

  expect(await outcomeOf(store.find(['a', 'b', 'c']))).toEqual(new Set(['a']));
  expect(calls).toEqual([['a', 'b', 'c']]);
  expect(removed).toEqual([['b', 'c']]);
});

test('asks n8n for nothing where there is nothing to ask or to remove', async () => {
  const { store, calls } = storeThat((_, keys) => keys);
  await outcomeOf(store.find([]));
  await outcomeOf(store.find(['a']));

  expect(calls).toEqual([['a']]);
  expect(removed).toEqual([]);
});

test('of one row one thing is done at a time; other rows do not wait', async () => {
  const order: string[] = [];
  const helpers = (name: string) =>
    ({
      checkProcessedAndRecord: async (keys: string[]) => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 10));
        order.push(`${name} ends`);
        return { new: [], processed: keys };
      },
    }) as unknown as DeduplicationHelpers;
  const done = Promise.all([
    deduplicationStore(helpers('first'), 'one').find(['a']),
    deduplicationStore(helpers('second'), 'one').find(['b']),
    deduplicationStore(helpers('other'), 'two').find(['c']),
  ]);
  await jest.advanceTimersByTimeAsync(100);
  await done;

  expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'));
  expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('first ends'));
});
