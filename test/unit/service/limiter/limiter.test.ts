import { getEventListeners } from 'events';

import {
  Admission,
  Limiter,
  limiterFor,
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
function asking(admission: Admission) {
  const came: string[] = [];
  const permissions: Permission[] = [];
  const ask = (name: string, isRetry = false) =>
    void admission.admit(isRetry).then((permission) => {
      came.push(permission === undefined ? `not ${name}` : name);
      if (permission !== undefined) permissions.push(permission);
    });
  return { ask, came, permissions };
}

const settled = () => jest.advanceTimersByTimeAsync(0);

test('requests are admitted in order, retries first', async () => {
  const { ask, came, permissions } = asking(new Admission(new Limiter(), 1));
  ask('a');
  ask('b');
  ask('c');
  ask('again', true);
  await settled();
  expect(came).toEqual(['a']);

  for (let next = 0; next < 3; next++) {
    permissions[next]?.end(accepted);
    await settled();
  }

  expect(came).toEqual(['a', 'again', 'b', 'c']);
});

test('a wait that the service asks for holds for all requests, to the millisecond', async () => {
  const { ask, came, permissions } = asking(new Admission(new Limiter(), 2));
  for (const name of ['a', 'b', 'c', 'd']) ask(name);
  await settled();
  permissions[0]?.end({ kind: 'refused', wait: 3000 });
  permissions[1]?.end(accepted);

  await jest.advanceTimersByTimeAsync(2999);
  expect(came).toEqual(['a', 'b']);
  await jest.advanceTimersByTimeAsync(1);
  expect(came).toEqual(['a', 'b', 'c']);
});

test('after a refusal, at most half as many are under way', async () => {
  const { ask, permissions } = asking(new Admission(new Limiter(), 100));
  for (let count = 0; count < 60; count++) ask(String(count));
  await settled();
  expect(permissions).toHaveLength(30);
  const begun = permissions.splice(0);

  begun.pop()?.end({ kind: 'refused', wait: 1 });
  for (const one of begun) one.end(accepted);
  await jest.advanceTimersByTimeAsync(1);

  expect(permissions).toHaveLength(15);
});

test('no listener is left on a signal when no request waits for it', async () => {
  const cancel = new AbortController();
  const { ask, came, permissions } = asking(new Admission(new Limiter(), 1, cancel.signal));
  const listeners = () => getEventListeners(cancel.signal, 'abort').length;
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();
  expect(listeners()).toBe(1);

  permissions[0]?.end(accepted);
  await settled();
  expect(listeners()).toBe(1);
  permissions[1]?.end(accepted);
  await settled();
  expect(came).toEqual(['a', 'b', 'c']);
  expect(listeners()).toBe(0);
});

test('a run that is stopped leaves the queue and admits nothing until it is resumed', async () => {
  const admission = new Admission(new Limiter(), 1);
  const { ask, came, permissions } = asking(admission);
  ask('a');
  ask('b');
  await settled();
  admission.stop();
  await settled();
  ask('c');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c']);

  admission.resume();
  permissions[0]?.end(accepted);
  ask('d');
  await settled();
  expect(came).toEqual(['a', 'not b', 'not c', 'd']);
});

test('a run that is stopped does not stop another one', async () => {
  const limiter = new Limiter();
  const stopped = new Admission(limiter, 1);
  const { ask, came, permissions } = asking(stopped);
  const other = asking(new Admission(limiter, 1));
  for (const name of ['a', 'b']) {
    ask(name);
    other.ask(name);
  }
  await settled();
  stopped.stop();
  permissions[0]?.end(accepted);
  other.permissions[0]?.end(accepted);
  await settled();

  expect(came).toEqual(['a', 'not b']);
  expect(other.came).toEqual(['a', 'b']);
});

test('a clock that is set back by an hour makes no wait longer', async () => {
  const { ask, came, permissions } = asking(new Admission(new Limiter(), 1));
  ask('a');
  ask('b');
  await settled();
  permissions[0]?.end({ kind: 'refused', wait: 3000 });
  jest.setSystemTime(Date.now() - 3_600_000);

  await jest.advanceTimersByTimeAsync(3001);
  expect(came).toEqual(['a', 'b']);
});

test('one address and key have one limiter, until nobody has used it for ten minutes', async () => {
  const credential = {
    baseUrl: 'https://social.example.com',
    apiKey: 'a',
    workspaceId: '',
    data: {},
  };
  const limiter = limiterFor(credential);

  expect(limiterFor({ ...credential, apiKey: 'b' })).not.toBe(limiter);
  await jest.advanceTimersByTimeAsync(599_000);
  expect(limiterFor({ ...credential, workspaceId: '2' })).toBe(limiter);
  const permission = await new Admission(limiter, 1).admit();
  await jest.advanceTimersByTimeAsync(700_000);
  expect(limiterFor(credential)).toBe(limiter);
  permission?.end(accepted);
  await jest.advanceTimersByTimeAsync(601_000);
  expect(limiterFor(credential)).not.toBe(limiter);
});

test('a cancelled execution releases all requests in the queue, also during a wait', async () => {
  const cancel = new AbortController();
  const { ask, came, permissions } = asking(new Admission(new Limiter(), 1, cancel.signal));
  for (const name of ['a', 'b', 'c']) ask(name);
  await settled();
  permissions[0]?.end({ kind: 'refused', wait: 30_000 });
  cancel.abort();
  await settled();

  expect(came).toEqual(['a', 'not b', 'not c']);
});
