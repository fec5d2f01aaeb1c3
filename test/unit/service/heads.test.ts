import { readHeads } from '../../../nodes/SocialPublishing/service/heads';
import type { Head } from '../../../nodes/SocialPublishing/service/http/head';

const FOUND: Head = { answered: true, status: 200, type: 'image/png' };

const addresses = Array.from({ length: 30 }, (_, index) => `https://example.com/${index}`);

afterEach(() => jest.useRealTimers());

test('asks for each address once', async () => {
  const ask = jest.fn(() => Promise.resolve(FOUND));

  const heads = await readHeads(ask, [...addresses, ...addresses], undefined);

  expect(ask.mock.calls).toEqual(addresses.map((address) => [address]));
  expect([...heads]).toEqual(addresses.map((address) => [address, FOUND]));
});

test('asks eight at a time', async () => {
  let underWay = 0;
  let most = 0;
  await readHeads(
    async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return FOUND;
    },
    addresses,
    undefined,
  );

  expect(most).toBe(8);
});

test('asks for nothing more after a minute', async () => {
  jest.useFakeTimers({ now: 0, doNotFake: ['setImmediate', 'nextTick'] });
  const heads = await readHeads(
    () => {
      jest.setSystemTime(Date.now() + 6_000);
      return Promise.resolve(FOUND);
    },
    addresses,
    undefined,
  );

  expect(heads.size).toBeGreaterThanOrEqual(10);
  expect(heads.size).toBeLessThan(10 + 8);
});

test('asks for nothing more once the execution is cancelled', async () => {
  const cancel = new AbortController();
  const heads = await readHeads(
    () => {
      cancel.abort();
      return Promise.resolve(FOUND);
    },
    addresses,
    cancel.signal,
  );

  expect(heads.size).toBe(1);
});
