import { getEventListeners } from 'events';

import {
  type AdmitOptions,
  Limiter,
  type Permission,
} from '../../../../nodes/SocialPublishing/service/limiter';

const accepted = { kind: 'accepted' } as const;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** Asks for permissions and notes in which order they come. */
function asking(limiter = new Limiter(64)) {
  const came: string[] = [];
  const permissions: Permission[] = [];
  const ask = (name: string, asking: AdmitOptions = {}) =>
    void limiter.admit(asking).then((permission) => {
      came.push(permission === undefined ? `not ${name}` : name);
      if (permission !== undefined) permissions.push(permission);
    });
  return { ask, came, permissions };
}

const settled = () => jest.advanceTimersByTimeAsync(0);

test('requests are admitted in order, retries first', async () => {
  const { ask, came, permissions } = asking(new Limiter(1));
  ask('a');
  ask('b');
  ask('c');
  ask('again', { isRetry: true });
  await settled();
  expect(came).toEqual(['a']);

  for (let next = 0; next < 3; next++) {
    permissions[next]?.end(accepted);
    await settled();
  }

  expect(came).toEqual(['a', 'again', 'b', 'c']);
});

test('a wait that the service asks for holds for all requests, to the millisecond', async () => {
  const { ask, came, permissions } = asking(new Limiter(2));
  for (const name of ['a', 'b', 'c', 'd']) ask(name);
  await settled();
  permissions[0]?.end({ kind: 'refused', wait: 3000 });
  permissions[1]?.end(accepted);

  await jest.advanceTimersByTimeAsync(2999);
  expect(came).toEqual(['a', 'b']);
  await jest.advanceTimersByTimeAsync(1);
  expect(came).toEqual(['a', 'b', 'c']);
});

test('a second wait ends as well', async () => {
  const { ask, came, permissions } = asking(new Limiter(1));
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();

  permissions[0]?.end({ kind: 'refused', wait: 3000 });
  await jest.advanceTimersByTimeAsync(3010);
  expect(came).toEqual(['a', 'b']);
  permissions[1]?.end({ kind: 'refused', wait: 3000 });
  await jest.advanceTimersByTimeAsync(3010);
  expect(came).toEqual(['a', 'b', 'c']);
});

test('no listener is left on a signal when no request waits for it', async () => {
  const [cancel, stop] = [new AbortController(), new AbortController()];
  const { ask, came, permissions } = asking(new Limiter(1, cancel.signal));
  const listeners = () =>
    [cancel, stop].map(({ signal }) => getEventListeners(signal, 'abort').length);
  for (const name of ['a', 'b', 'c']) ask(name, { unwanted: stop.signal });
  await settled();
  expect(listeners()).toEqual([1, 1]);

  permissions[0]?.end(accepted);
  await settled();
  expect(listeners()).toEqual([1, 1]);
  permissions[1]?.end(accepted);
  await settled();
  expect(came).toEqual(['a', 'b', 'c']);
  expect(listeners()).toEqual([0, 0]);
});

test('a limiter that is stopped releases the queue and admits nothing until it is resumed', async () => {
  const limiter = new Limiter(1);
  const { ask, came, permissions } = asking(limiter);
  ask('a');
  ask('b');
  await settled();
  limiter.stop();
  await settled();
  ask('c');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c']);

  limiter.resume();
  permissions[0]?.end(accepted);
  ask('d');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c', 'd']);
});

test('a request that is no longer wanted leaves the queue at once and never starts', async () => {
  const stop = new AbortController();
  const { ask, came, permissions } = asking(new Limiter(1));
  ask('a');
  ask('b', { unwanted: stop.signal });
  ask('c');
  await settled();
  stop.abort();
  await settled();
  expect(came).toEqual(['a', 'not b']);

  permissions[0]?.end(accepted);
  await settled();
  ask('d', { unwanted: stop.signal });
  await settled();

  expect(came).toEqual(['a', 'not b', 'c', 'not d']);
});

test('a cancelled execution releases all requests in the queue, also during a wait', async () => {
  const cancel = new AbortController();
  const { ask, came, permissions } = asking(new Limiter(1, cancel.signal));
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();
  permissions[0]?.end({ kind: 'refused', wait: 30_000 });
  cancel.abort();
  await settled();

  expect(came).toEqual(['a', 'not b', 'not c']);
});
