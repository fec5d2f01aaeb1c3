import {
  type Load,
  SlowStart,
  type Started,
} from '../../../../nodes/SocialPublishing/service/slowStart';
import { seededRandom } from '../../../../sandbox/random';
import { type Result, simulate, type SimulatedService, type Verdict } from './simulation';

/** A latency that differs from request to request by up to a fifth, the same for the same seed. */
function around(milliseconds: number, seed: number): () => number {
  const random = seededRandom(seed);
  return () => milliseconds * (0.8 + 0.4 * random());
}

/** A service that bears any load. */
function unlimited(latency: number, seed: number): SimulatedService {
  const takes = around(latency, seed);
  return { arrive: () => ({ takes: takes() }) };
}

/** A service that refuses what goes beyond a number of requests at once. */
function limitedAtOnce(
  count: number,
  latency: number,
  seed: number,
  retryAfter?: number,
): SimulatedService {
  const takes = around(latency, seed);
  let atOnce = 0;
  return {
    arrive() {
      atOnce++;
      const time = takes();
      return atOnce > count ? { takes: time, refused: true, retryAfter } : { takes: time };
    },
    leave: () => {
      atOnce--;
    },
  };
}

type Clock = (now: number) => { isFree: boolean; freeAt: number };

/** So many in each second of the clock. */
function fixedWindow(count: number, phase: number): Clock {
  let window = -1;
  let used = 0;
  return (now) => {
    const current = Math.floor((now + phase) / 1000);
    if (current !== window) used = 0;
    window = current;
    const isFree = used < count;
    if (isFree) used++;
    return { isFree, freeAt: (current + 1) * 1000 - phase };
  };
}

/** So many in any second. */
function slidingWindow(count: number): Clock {
  const taken: number[] = [];
  return (now) => {
    while (taken.length > 0 && taken[0]! <= now - 1000) taken.shift();
    const isFree = taken.length < count;
    if (isFree) taken.push(now);
    return { isFree, freeAt: (taken[0] ?? now) + 1000 };
  };
}

/** A bucket that holds so many and is refilled with as many a second. */
function tokenBucket(count: number): Clock {
  let tokens = count;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(count, tokens + ((now - filledAt) / 1000) * count);
    filledAt = now;
    const isFree = tokens >= 1;
    if (isFree) tokens--;
    return { isFree, freeAt: now + ((1 - tokens) / count) * 1000 };
  };
}

/** A service that refuses what comes too fast, and says in whole seconds how long to wait. */
function limitedByRate(clock: Clock, latency: number, seed: number, says = true): SimulatedService {
  const takes = around(latency, seed);
  return {
    arrive(now): Verdict {
      const { isFree, freeAt } = clock(now);
      if (isFree) return { takes: takes() };
      const retryAfter = says ? Math.ceil((freeAt - now) / 1000) : undefined;
      return { takes: takes(), refused: true, retryAfter };
    },
  };
}

/** A service that works on so many at a time and lets the others wait. */
function limitedByLatency(workers: number, latency: number, seed: number): SimulatedService {
  const takes = around(latency, seed);
  const freeAt = Array.from({ length: workers }, () => 0);
  return {
    arrive(now) {
      freeAt.sort((a, b) => a - b);
      const done = Math.max(now, freeAt[0]!) + takes();
      freeAt[0] = done;
      return { takes: done - now };
    },
  };
}

const SEEDS = Array.from({ length: 50 }, (_, index) => index + 1);

const share = ({ refused, accepted }: Result) => refused / (refused + accepted);

/** The largest share of refused requests, over all seeds. */
const worst = (run: (seed: number) => Result) => Math.max(...SEEDS.map((seed) => share(run(seed))));

/** The highest number under way among the last requests. */
const lastWidth = ({ positions }: Result) => Math.max(...positions.slice(-100));

const accepted = { kind: 'accepted' } as const;
const lost = { kind: 'lost' } as const;
const refused = { kind: 'refused', wait: 3000 } as const;

/** A slow start on a clock that the test moves. */
class Driven {
  readonly slowStart: SlowStart;

  now = 0;

  underWay: Started[] = [];

  constructor(max = 256) {
    this.slowStart = new SlowStart(max);
  }

  /** Starts as many as may start, and says how many are under way. */
  fill(): number {
    while (this.slowStart.startsAt(this.now) <= this.now) {
      this.underWay.push(this.slowStart.start(this.now));
    }
    return this.underWay.length;
  }

  /** Ends all that are under way after so many milliseconds: the last ones as given, the others well. */
  endAll({ last = [], took = 100 }: { last?: Load[]; took?: number } = {}): void {
    this.now += took;
    const ended = this.underWay;
    this.underWay = [];
    const well = ended.length - last.length;
    ended.forEach((started, index) =>
      this.slowStart.end(started, this.now, last[index - well] ?? accepted),
    );
  }

  /** Ends the first ones, and starts others, each of which has the full width under way with it. */
  replace(count: number): void {
    for (const started of this.underWay.splice(0, count)) {
      this.slowStart.end(started, this.now, lost);
      this.underWay.push(this.slowStart.start(this.now));
    }
  }

  /** Refuses the last ones, and lets the wait pass. */
  refuse(count: number): void {
    this.endAll({ last: Array<Load>(count).fill(refused) });
    this.now += refused.wait;
  }

  /** The widths of rounds that all go well and take so many milliseconds. */
  rounds(...took: number[]): number[] {
    return took.map((milliseconds) => {
      const width = this.fill();
      this.endAll({ took: milliseconds });
      return width;
    });
  }
}

describe('slow start', () => {
  test('lets three times as many start after each full round, up to the maximum', () => {
    expect(new Driven().rounds(100, 100, 100, 100, 100)).toEqual([24, 72, 216, 256, 256]);
    expect(new Driven(30).rounds(100, 100, 100)).toEqual([24, 30, 30]);
    expect(new Driven(3).rounds(100, 100)).toEqual([3, 3]);
  });

  test('learns nothing from a round that was not full', () => {
    const { slowStart } = new Driven();
    for (let now = 0; now < 1000; now += 10) {
      slowStart.end(slowStart.start(now), now + 5, accepted);
    }

    const started = Array.from({ length: 24 }, () => slowStart.start(1000));
    expect(slowStart.startsAt(1000)).toBe(Infinity);
    expect(started.at(-1)?.position).toBe(24);
  });

  test('learns nothing from a connection that broke', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll({ last: [lost] });

    expect(driven.fill()).toBe(24);
  });

  test('takes no pause between rounds for a slow response', () => {
    const driven = new Driven();
    driven.rounds(100);
    driven.now += 60_000;

    expect(driven.rounds(100, 100)).toEqual([72, 216]);
  });
});

describe('where more at once does not help', () => {
  test('it goes back, and stays there for a minute', () => {
    const driven = new Driven();

    expect(driven.rounds(100, 260, 260, 100)).toEqual([24, 72, 72, 24]);
    driven.now += 59_000;
    expect(driven.rounds(100)).toEqual([24]);
    driven.now += 1000;
    expect(driven.rounds(100, 100)).toEqual([24, 72]);
  });

  test('a quarter more responses a second are enough to go on', () => {
    expect(new Driven().rounds(100, 240, 240)).toEqual([24, 72, 216]);
    expect(new Driven().rounds(100, 241, 241, 100)).toEqual([24, 72, 72, 24]);
  });

  test('one slow round is not enough to go back, nor are two with a fast one between', () => {
    expect(new Driven().rounds(100, 260, 100, 260, 100, 100)).toEqual([24, 72, 72, 216, 216, 256]);
  });

  test('a width that is less than doubled is not compared', () => {
    expect(new Driven(30).rounds(100, 200, 100)).toEqual([24, 30, 30]);
  });
});

describe('a refusal', () => {
  test('halves the width, and nothing starts during the wait', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll({ last: [refused] });

    expect(driven.slowStart.startsAt(driven.now)).toBe(driven.now + 3000);
    driven.now += 3000;
    expect(driven.fill()).toBe(12);
  });

  test('the longest wait counts', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll({ last: [refused, { kind: 'refused', wait: 1000 }] });

    expect(driven.slowStart.startsAt(driven.now)).toBe(driven.now + 3000);
  });

  test('of requests that were under way together halves once', () => {
    const driven = new Driven();
    driven.fill();
    driven.refuse(5);

    expect(driven.fill()).toBe(12);
  });

  test('leaves as many as were not refused, where that is less than half', () => {
    const driven = new Driven();
    driven.fill();
    driven.replace(20);
    driven.refuse(20);

    expect(driven.fill()).toBe(4);
  });

  test('leaves one at least', () => {
    const driven = new Driven();
    driven.fill();
    driven.refuse(24);
    expect(driven.fill()).toBe(1);
    driven.refuse(1);
    expect(driven.fill()).toBe(1);
  });

  test('what started before it does not count for the next round', () => {
    const driven = new Driven();
    driven.fill();
    const before = driven.underWay.splice(0, 13);
    driven.refuse(1);
    driven.now += 1000;
    for (const started of before) driven.slowStart.end(started, driven.now, accepted);

    expect(driven.fill()).toBe(12);
  });

  test('after a second that went well, the width doubles, once a second', () => {
    const driven = new Driven();
    driven.fill();
    driven.replace(21);
    driven.refuse(21);

    expect(driven.rounds(990, 20, 980, 20, 1000)).toEqual([3, 3, 6, 6, 12]);
    expect(driven.fill()).toBe(23);
  });

  test('for a minute the width stays below the number that was refused', () => {
    const driven = new Driven();
    driven.fill();
    driven.refuse(14);

    expect(driven.rounds(1000, 1000, 1000)).toEqual([10, 10, 10]);
    driven.now += 54_000;
    expect(driven.rounds(100, 100, 100)).toEqual([10, 30, 90]);
  });
});

const services: ReadonlyArray<readonly [name: string, clock: (seed: number) => Clock]> = [
  ['second of the clock', (seed) => fixedWindow(20, 20 * seed)],
  ['sliding second', () => slidingWindow(20)],
  ['second, with a burst', () => tokenBucket(20)],
];

describe.each([20, 200])('requests to a service with %i ms of latency', (latency) => {
  test('that bears any load reach the maximum within two and a half latencies', () => {
    for (const seed of SEEDS) {
      const found = simulate(unlimited(latency, seed), { wanted: 1000 });
      const atOnce = simulate(unlimited(latency, seed), { wanted: 1000, fixed: 256 });

      expect([found.busiest, found.refused]).toEqual([256, 0]);
      expect(found.took - atOnce.took).toBeLessThan(2.5 * latency);
    }
  });

  test('never exceed the maximum', () => {
    expect(simulate(unlimited(latency, 1), { wanted: 500, max: 12 }).busiest).toBe(12);
  });

  test.each([undefined, 1])(
    'that takes 10 at once and asks to wait %p seconds: at most 5 % refused',
    (retryAfter) => {
      const found = (seed: number) =>
        simulate(limitedAtOnce(10, latency, seed, retryAfter), { wanted: 500 });

      expect(worst(found)).toBeLessThanOrEqual(0.05);
      expect(lastWidth(found(1))).toBe(10);
    },
  );

  describe.each(services)('that takes 20 in each %s', (_, clock) => {
    test.each([true, false])('at most 10 %% refused (it says how long to wait: %p)', (says) => {
      expect(
        worst((seed) => simulate(limitedByRate(clock(seed), latency, seed, says), { wanted: 500 })),
      ).toBeLessThanOrEqual(0.1);
    });

    test('no request starts during a wait, and it takes at most 1.5 times as long as it must', () => {
      const found = simulate(limitedByRate(clock(1), latency, 1), { wanted: 500 });

      expect(found.waits.length).toBeGreaterThan(0);
      for (const { said, until } of found.waits) {
        expect(found.starts.filter((start) => start > said && start < until)).toEqual([]);
      }
      expect(found.took).toBeLessThan(1.5 * 25_000);
    });
  });

  test.each([1, 8, 12])('that works on %i at a time are never more than 72 at once', (workers) => {
    const service = () => limitedByLatency(workers, latency, 1);
    const found = simulate(service(), { wanted: 500 });

    expect(found.busiest).toBe(72);
    expect(found.took).toBeLessThan(1.1 * simulate(service(), { wanted: 500, fixed: 64 }).took);
  });
});

test('a service that was down for a while does not slow down the rest', () => {
  let arrived = 0;
  const service: SimulatedService = {
    arrive(now) {
      arrived++;
      const isDown = now > 1000 && now < 6000;
      return isDown ? { takes: 50, refused: true, retryAfter: 5 } : { takes: 50 };
    },
  };
  const found = simulate(service, { wanted: 5000 });

  expect(arrived).toBeLessThan(5150);
  expect(found.took).toBeLessThan(15_000);
});
