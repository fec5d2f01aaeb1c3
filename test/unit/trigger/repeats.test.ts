import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { AcceptedDeliveries } from '../../../nodes/SocialPublishingTrigger/repeats';

const HOUR = 3_600_000;

/** A delivery whose result comes later. */
function later() {
  let resolve: (isAccepted: boolean) => void = () => undefined;
  const result = new Promise<boolean>((settle) => (resolve = settle));
  return { handle: () => result, resolve };
}

const accept = () => Promise.resolve(true);
const fail = () => Promise.resolve(false);
const never = () => Promise.reject(new Error('There is an earlier copy'));

/** Lets everything happen that waits for a promise only. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('AcceptedDeliveries', () => {
  let time: number;
  let accepted: AcceptedDeliveries;
  beforeEach(() => {
    time = 0;
    accepted = new AcceptedDeliveries(3, HOUR, () => time);
  });

  test('finds a delivery that was accepted', async () => {
    expect(accepted.findEarlier('a', accept)).toBeUndefined();
    await settled();

    expect(await accepted.findEarlier('a', never)).toBe(true);
    expect(accepted.findEarlier('b', accept)).toBeUndefined();
  });

  test.each([true, false])('lets copies wait for the first one, which gives %p', async (result) => {
    const first = later();
    expect(accepted.findEarlier('a', first.handle)).toBeUndefined();
    const outcome = jest.fn();
    const copies = Array.from({ length: 19 }, async () => {
      const earlier = await accepted.findEarlier('a', never);
      outcome();
      return earlier;
    });
    await settled();
    expect(outcome).not.toHaveBeenCalled();

    first.resolve(result);

    expect(await Promise.all(copies)).toEqual(Array(19).fill(result));
  });

  test('takes the next copy of a delivery that was not accepted', async () => {
    void accepted.findEarlier('a', fail);
    await settled();

    expect(accepted.findEarlier('a', accept)).toBeUndefined();
    await settled();
    expect(await accepted.findEarlier('a', never)).toBe(true);
  });

  test('forgets a delivery by time', async () => {
    void accepted.findEarlier('a', accept);
    await settled();

    time = HOUR - 1;
    expect(await accepted.findEarlier('a', never)).toBe(true);
    time = HOUR;
    expect(accepted.findEarlier('a', accept)).toBeUndefined();
  });

  test('forgets the earliest when there are too many', async () => {
    for (const key of ['a', 'b', 'c', 'd']) void accepted.findEarlier(key, accept);
    await settled();

    expect(accepted.size).toBe(3);
    expect(await accepted.findEarlier('d', never)).toBe(true);
    expect(await accepted.findEarlier('b', never)).toBe(true);
    expect(accepted.findEarlier('a', accept)).toBeUndefined();
  });
});

test('20,000 different deliveries take no more memory than 10,000', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const accepted = new AcceptedDeliveries(10_000, 24 * HOUR);
  const usedAfter = async (from: number, to: number) => {
    for (let count = from; count < to; count += 1) {
      const deliveryId = createHash('sha256').update(String(count)).digest('hex');
      void accepted.findEarlier(`workflow node ${deliveryId}`, accept);
      if (count % 1_000 === 0) await settled();
    }
    await settled();
    for (let pass = 0; pass < 3; pass += 1) collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  };

  const before = await usedAfter(0, 1);
  const half = await usedAfter(1, 10_000);
  const all = await usedAfter(10_000, 20_000);

  expect(accepted.size).toBe(10_000);
  expect(half - before).toBeLessThan(5);
  expect(all - half).toBeLessThan(1);
});
