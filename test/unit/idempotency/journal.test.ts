import { Journal, type JournalWrite } from '../../../nodes/SocialPublishing/idempotency/journal';
import type { KeyStore } from '../../../nodes/SocialPublishing/idempotency/store';

const NOW = Date.UTC(2026, 10, 21, 10, 0, 0);

const HORIZON = 80_000;

/** Keys in memory, and how often they were written. */
class Keys implements KeyStore {
  readonly known = new Set<string>();

  written = 0;

  /** What goes wrong from now on. */
  problem: unknown;

  record(keys: readonly string[]): Promise<ReadonlySet<string>> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
    if (this.problem !== undefined) return Promise.reject(this.problem);
    this.written++;
    const before = new Set(keys.filter((key) => this.known.has(key)));
    for (const key of keys) this.known.add(key);
    return Promise.resolve(before);
  }

  remove(keys: readonly string[]): Promise<void> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything may be thrown
    if (this.problem !== undefined) return Promise.reject(this.problem);
    this.written++;
    for (const key of keys) this.known.delete(key);
    return Promise.resolve();
  }
}

const journal = (keys: KeyStore, { execution = 'one', isRetry = false } = {}) =>
  new Journal(keys, execution, isRetry, HORIZON);

const retry = (keys: KeyStore) => journal(keys, { isRetry: true });

const write = (slot: string, content: string): JournalWrite => ({ slot, content });
const a = write('slot a', 'content a');
const b = write('slot b', 'content b');

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
  jest.useRealTimers();
});

test('tells of each write what was on record before', async () => {
  const keys = new Keys();

  expect(await journal(keys).begin([a])).toEqual(['new']);
  expect(await retry(keys).begin([a, b, write('slot a', 'another')])).toEqual([
    'same',
    'new',
    'other',
  ]);
  expect(await retry(keys).begin([write('another', 'content a')])).toEqual(['same']);
});

test('does not take a slot for a content of the same name', async () => {
  const keys = new Keys();
  await journal(keys).begin([write('x', 'y')]);

  expect(await retry(keys).begin([write('y', 'x')])).toEqual(['new']);
});

test('knows nothing of other executions', async () => {
  const keys = new Keys();
  await journal(keys).begin([a]);

  expect(await journal(keys, { execution: 'two' }).begin([a])).toEqual(['new']);
});

test('keeps neither what is written nor the name of the execution in the clear', async () => {
  const keys = new Keys();
  await journal(keys).begin([a]);

  for (const key of keys.known) expect(key).toMatch(/^[\da-f]{32}$/);
});

test('forgets what is undone, and nothing else', async () => {
  const keys = new Keys();
  const first = journal(keys);
  await first.begin([a, b]);
  await first.undo([a]);

  expect(await retry(keys).begin([a, b])).toEqual(['new', 'same']);
});

test('writes nothing where there is nothing to undo', async () => {
  const keys = new Keys();
  await journal(keys).undo([]);

  expect(keys.written).toBe(0);
});

test.each([
  ['an error', new Error('The database is locked'), 'The database is locked'],
  ['a text', 'no database', 'no database'],
])('says why it could not be kept: %s', async (_, thrown, problem) => {
  const keys = new Keys();
  const [begun, undone, marked] = [journal(keys), journal(keys), journal(keys)];
  expect(begun.problem).toBeUndefined();
  keys.problem = thrown;

  expect(await begun.begin([a])).toBeUndefined();
  await undone.undo([a]);
  await marked.mark(NOW);

  expect([begun.problem, undone.problem, marked.problem]).toEqual([problem, problem, problem]);
});

describe('when the last write may have gone out', () => {
  /** What a retry that begins later finds. */
  async function seenAfter(keys: Keys, milliseconds: number): Promise<number> {
    jest.setSystemTime(NOW + milliseconds);
    const later = retry(keys);
    await later.begin([b]);
    return later.lastEarlierSend;
  }

  test('is known to a retry in steps of ten seconds', async () => {
    const keys = new Keys();
    await journal(keys).begin([a]);

    // The step of the first send and the one after it are on record: up to 10:00:20.
    expect(await seenAfter(keys, 35_000)).toBe(NOW + 15_000);
    expect(await seenAfter(new Keys(), 35_000)).toBe(0);
  });

  test('is the time of the last mark', async () => {
    const keys = new Keys();
    const first = journal(keys);
    await first.begin([a]);
    await first.mark(NOW + 20_000);

    // The steps that begin at 10:00:20 and 10:00:30 are marked.
    expect(await seenAfter(keys, 60_000)).toBe(NOW + 30_000);
  });

  test('is now where the send was a moment ago', async () => {
    const keys = new Keys();
    await journal(keys).begin([a]);

    expect(await seenAfter(keys, 3000)).toBe(NOW + 3000);
  });

  test('is nothing beyond the horizon', async () => {
    const keys = new Keys();
    await journal(keys).begin([a]);

    // The last step on record, from 10:00:10, is the first of the nine that are looked at.
    expect(await seenAfter(keys, 90_000)).toBe(NOW + 10_000);
  });

  test('is nothing beyond the horizon, a step later', async () => {
    const keys = new Keys();
    await journal(keys).begin([a]);

    expect(await seenAfter(keys, 100_000)).toBe(0);
  });

  test('is asked for once, and only by a retry', async () => {
    const keys = new Keys();
    await journal(keys).begin([a]);
    const other = journal(keys);
    await other.begin([b]);
    expect(keys.written).toBe(2);
    expect(other.lastEarlierSend).toBe(0);

    const again = retry(keys);
    await again.begin([a]);
    await again.begin([b]);

    // One look at the time of sending, and two groups of writes.
    expect(keys.written).toBe(5);
  });
});

describe('a mark', () => {
  test('is written once for each step of ten seconds', async () => {
    const keys = new Keys();
    const first = journal(keys);
    await first.begin([a]);

    await first.mark(NOW);
    await first.mark(NOW + 19_999);
    expect(keys.written).toBe(1);

    await first.mark(NOW + 20_000);
    await first.mark(NOW + 39_999);
    expect(keys.written).toBe(2);

    await first.mark(NOW + 40_000);
    expect(keys.written).toBe(3);
  });

  test('of several requests at once is written once', async () => {
    const keys = new Keys();
    const first = journal(keys);

    await Promise.all([first.mark(NOW), first.mark(NOW), first.mark(NOW + 1)]);

    expect(keys.written).toBe(1);
  });

  test('that cannot be written is tried again with the step after next', async () => {
    const keys = new Keys();
    const first = journal(keys);
    keys.problem = new Error('locked');
    await first.mark(NOW);
    keys.problem = undefined;

    await first.mark(NOW + 19_999);
    expect(keys.written).toBe(0);
    await first.mark(NOW + 20_000);
    expect(keys.written).toBe(1);
  });
});
