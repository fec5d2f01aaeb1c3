import { getEventListeners } from 'events';

import { Concurrency, type Turn } from '../../../../nodes/SocialPublishing/service/limiter/limiter';

const accepted = { kind: 'accepted' } as const;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Asks for turns and notes in which order they come. */
function asking(concurrency = new Concurrency(64)) {
  const limiter = concurrency.limiter();
  const came: string[] = [];
  const turns: Turn[] = [];
  const ask = (name: string, admission = {}) =>
    void limiter.admit(admission).then((turn) => {
      came.push(turn === undefined ? `not ${name}` : name);
      if (turn !== undefined) turns.push(turn);
    });
  return { ask, came, turns };
}

const settled = () => jest.advanceTimersByTimeAsync(0);

test('turns come in the order in which they were asked for, retries first', async () => {
  const { ask, came, turns } = asking(new Concurrency(1));
  ask('a');
  ask('b');
  ask('c');
  ask('again', { isRetry: true });
  await settled();
  expect(came).toEqual(['a']);

  for (let next = 0; next < 3; next++) {
    turns[next]?.end(accepted);
    await settled();
  }

  expect(came).toEqual(['a', 'again', 'b', 'c']);
});

test('a wait that the service asks for holds for all that wait, to the end', async () => {
  const { ask, came, turns } = asking(new Concurrency(2));
  for (const name of ['a', 'b', 'c', 'd']) ask(name);
  await settled();
  turns[0]?.end({ kind: 'refused', asked: 3000, backoff: 500 });
  turns[1]?.end(accepted);

  await jest.advanceTimersByTimeAsync(2990);
  expect(came).toEqual(['a', 'b']);
  await jest.advanceTimersByTimeAsync(20);
  expect(came).toEqual(['a', 'b', 'c']);
});

test('a second wait ends as well', async () => {
  const { ask, came, turns } = asking(new Concurrency(1));
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();

  turns[0]?.end({ kind: 'refused', asked: 3000, backoff: 500 });
  await jest.advanceTimersByTimeAsync(3010);
  expect(came).toEqual(['a', 'b']);
  turns[1]?.end({ kind: 'refused', asked: 3000, backoff: 500 });
  await jest.advanceTimersByTimeAsync(3010);
  expect(came).toEqual(['a', 'b', 'c']);
});

test('a signal has one listener while some wait that go by it, and none after that', async () => {
  const [cancel, stop] = [new AbortController(), new AbortController()];
  const { ask, came, turns } = asking(new Concurrency(1, cancel.signal));
  const listeners = () =>
    [cancel, stop].map(({ signal }) => getEventListeners(signal, 'abort').length);
  ask('a', { unwanted: stop.signal });
  expect(listeners()).toEqual([0, 0]);
  ask('b', { unwanted: stop.signal });
  ask('c', { unwanted: stop.signal });
  await settled();
  expect(listeners()).toEqual([1, 1]);

  turns[0]?.end(accepted);
  await settled();
  expect(came).toEqual(['a', 'b']);
  expect(listeners()).toEqual([1, 1]);
  turns[1]?.end(accepted);
  await settled();
  expect(came).toEqual(['a', 'b', 'c']);
  expect(listeners()).toEqual([0, 0]);
});

test('a run that is stopped lets go all that wait, until it is resumed', async () => {
  const concurrency = new Concurrency(1);
  const { ask, came, turns } = asking(concurrency);
  ask('a');
  ask('b');
  await settled();
  concurrency.stop();
  ask('c');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c']);

  concurrency.resume();
  turns[0]?.end(accepted);
  ask('d');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c', 'd']);
});

test('what is not wanted any more is let go at once, and never starts', async () => {
  const stop = new AbortController();
  const { ask, came, turns } = asking(new Concurrency(1));
  ask('a');
  ask('b', { unwanted: stop.signal });
  ask('c');
  await settled();
  stop.abort();
  await settled();
  expect(came).toEqual(['a', 'not b']);

  turns[0]?.end(accepted);
  await settled();
  ask('d', { unwanted: stop.signal });
  await settled();

  expect(came).toEqual(['a', 'not b', 'c', 'not d']);
});

test('a cancelled execution lets all go, also during a wait', async () => {
  const cancel = new AbortController();
  const { ask, came, turns } = asking(new Concurrency(1, cancel.signal));
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();
  turns[0]?.end({ kind: 'refused', asked: 30_000, backoff: 500 });
  cancel.abort();
  await settled();

  expect(came).toEqual(['a', 'not b', 'not c']);
});

test('several credentials share the maximum, but not their waits', async () => {
  const concurrency = new Concurrency(2);
  const one = asking(concurrency);
  const other = asking(concurrency);
  one.ask('a');
  one.ask('b');
  other.ask('x');
  other.ask('y');
  await settled();
  expect([one.came, other.came]).toEqual([['a', 'b'], []]);

  one.turns[0]?.end({ kind: 'refused', asked: 60_000, backoff: 500 });
  one.turns[1]?.end(accepted);
  one.ask('c');
  await settled();

  expect([one.came, other.came]).toEqual([
    ['a', 'b'],
    ['x', 'y'],
  ]);
});
