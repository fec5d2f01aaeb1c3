import {
  ConcurrencyLevel,
  type Ended,
  type Started,
} from '../../../../nodes/SocialPublishing/service/limiter/level';
import { seededRandom } from '../../../../sandbox/random';
import { simulate, type SimulatedService, type Verdict } from './simulation';

/** A latency that differs from request to request by up to a fifth, the same in each run. */
function around(milliseconds: number): () => number {
  const random = seededRandom(11);
  return () => milliseconds * (0.8 + 0.4 * random());
}

/** A service that bears any load. */
function unlimited(latency: number): SimulatedService {
  const takes = around(latency);
  return { arrive: () => ({ takes: takes() }) };
}

/** A service that refuses what goes beyond a number of requests at once. */
function limitedAtOnce(count: number, latency: number, retryAfter?: number): SimulatedService {
  const takes = around(latency);
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
function limitedByRate(clock: Clock, latency: number, says = true): SimulatedService {
  const takes = around(latency);
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
function limitedByLatency(workers: number, latency: number): SimulatedService {
  const takes = around(latency);
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

const share = ({ refused, accepted }: { refused: number; accepted: number }) =>
  refused / (refused + accepted);

/** The highest number under way among the last requests. */
const lastWidth = ({ positions }: { positions: number[] }) => Math.max(...positions.slice(-100));

const accepted = { kind: 'accepted' } as const;
const refused = { kind: 'refused', asked: undefined, backoff: 500 } as const;

/** A level on a clock that the test moves. */
class Driven {
  readonly level: ConcurrencyLevel;

  now = 0;

  private underWay: Started[] = [];

  constructor(max = 64) {
    this.level = new ConcurrencyLevel(max);
  }

  /** Starts as many as may start. */
  fill(): number {
    while (this.level.startsAt(this.now) <= this.now) {
      this.underWay.push(this.level.start(this.now));
    }
    return this.underWay.length;
  }

  /** Ends all that are under way, the first ones as given, the others well. */
  endAll(...first: Ended[]): void {
    this.now += 100;
    const ended = this.underWay;
    this.underWay = [];
    ended.forEach((started, index) => this.level.end(started, this.now, first[index] ?? accepted));
  }

  /** Ends those that started last as given, the others well. */
  endLast(count: number, how: Ended): void {
    const well = this.underWay.length - count;
    this.endAll(...Array.from({ length: well }, () => accepted), ...Array<Ended>(count).fill(how));
  }

  /** The width of a round that goes well, whose responses take so many milliseconds. */
  round(took: number): number {
    const width = this.fill();
    this.now += took - 100;
    this.endAll();
    return width;
  }

  /** The widths of rounds that all go well. */
  rounds(count: number): number[] {
    return Array.from({ length: count }, () => {
      const width = this.fill();
      this.endAll();
      return width;
    });
  }
}

describe('the states of the width', () => {
  test('doubling: from 8 on, up to the maximum', () => {
    expect(new Driven().rounds(6)).toEqual([8, 16, 32, 64, 64, 64]);
    expect(new Driven(20).rounds(4)).toEqual([8, 16, 20, 20]);
    expect(new Driven(3).rounds(2)).toEqual([3, 3]);
  });

  test('a round that was not full changes nothing', () => {
    const { level } = new Driven();
    for (let now = 0; now < 1000; now += 10) level.end(level.start(now), now + 5, accepted);

    const started = Array.from({ length: 8 }, () => level.start(1000));
    expect(level.startsAt(1000)).toBe(Infinity);
    expect(started.at(-1)?.position).toBe(8);
  });

  test('a connection that broke changes nothing, and its round is not full', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll({ kind: 'lost' });

    expect(driven.fill()).toBe(8);
  });

  test('doubling → climbing: a refusal halves, from then on one more a round', () => {
    const driven = new Driven();
    driven.rounds(2);
    expect(driven.fill()).toBe(32);
    driven.endLast(1, refused);

    expect(driven.rounds(4)).toEqual([16, 17, 18, 19]);
  });

  test('refusals of one round halve once', () => {
    const driven = new Driven();
    driven.rounds(2);
    driven.fill();
    driven.endLast(12, refused);

    expect(driven.rounds(1)).toEqual([16]);
  });

  test('climbing → at rest: not beyond what was refused', () => {
    const driven = new Driven();
    driven.rounds(1);
    expect(driven.fill()).toBe(16);
    driven.endLast(6, refused);

    expect(driven.rounds(6)).toEqual([8, 9, 10, 10, 10, 10]);
  });

  test('at rest → climbing: one more after 32 rounds, then after 64', () => {
    const driven = new Driven();
    driven.rounds(1);
    driven.fill();
    driven.endLast(6, refused);
    driven.rounds(2);

    expect(driven.rounds(32)).toEqual(Array(32).fill(10));
    expect(driven.fill()).toBe(11);
    driven.endLast(1, refused);
    expect(driven.rounds(5)).toEqual([5, 6, 7, 8, 9]);
    expect(driven.rounds(64)).toEqual(Array(64).fill(10));
    expect(driven.rounds(3)).toEqual([11, 12, 13]);
  });

  test('rounds at the maximum are no rest', () => {
    const driven = new Driven(8);
    expect(driven.rounds(40)).toEqual(Array(40).fill(8));
    driven.fill();
    driven.endLast(2, refused);

    expect(driven.rounds(2)).toEqual([4, 5]);
    expect(driven.rounds(32)).toEqual(Array(32).fill(6));
    expect(driven.fill()).toBe(7);
  });

  test('doubling: from the third round on, what started before it counts in it', () => {
    const driven = new Driven();
    driven.rounds(1);
    const { level, now } = driven;
    const start = (count: number) => Array.from({ length: count }, () => level.start(now));
    const end = (some: Started[]) => some.forEach((started) => level.end(started, now, accepted));
    const [first, second] = [start(8), start(8)];
    end(first);
    const third = start(8);
    end(second);
    // The second round is over. The third one is full with the eight that are still under way.
    end([...start(24), ...third]);

    expect(driven.fill()).toBe(64);
  });

  test('one round that is slower in proportion is not enough to go back', () => {
    const first = new Driven();
    expect([100, 200, 100, 100].map((took) => first.round(took))).toEqual([8, 16, 16, 32]);

    const later = new Driven();
    expect([100, 100, 200, 100, 100].map((took) => later.round(took))).toEqual([8, 16, 32, 32, 64]);
  });

  test('nor is it the first one after a refusal', () => {
    const driven = new Driven();
    driven.fill();
    driven.endLast(1, refused);

    expect([100, 100, 200, 100, 100].map((took) => driven.round(took))).toEqual([4, 5, 6, 6, 7]);
  });

  test('doubling → at rest: two such rounds are', () => {
    const driven = new Driven();

    expect([100, 200, 200, 100, 100].map((took) => driven.round(took))).toEqual([8, 16, 16, 8, 8]);
  });

  test('half as wide again is enough to compare rounds', () => {
    const slow = new Driven(12);
    expect([100, 200, 200, 100].map((took) => slow.round(took))).toEqual([8, 12, 12, 8]);

    // 15 % faster with half the width more: three tenths of what the width would bring.
    const worthwhile = new Driven(12);
    expect([100, 130, 130, 130].map((took) => worthwhile.round(took))).toEqual([8, 12, 12, 12]);
  });

  test('a quarter of slow responses does not make a round slow', () => {
    const driven = new Driven();
    driven.round(100);
    const slow = Array.from({ length: 4 }, () => driven.level.start(driven.now));
    driven.now += 400;
    const fast = Array.from({ length: 12 }, () => driven.level.start(driven.now));
    driven.now += 100;
    // The slow ones come first.
    for (const started of [...slow, ...fast]) driven.level.end(started, driven.now, accepted);

    expect(driven.fill()).toBe(32);
  });

  test('never less than one', () => {
    const driven = new Driven();
    for (let time = 0; time < 5; time++) {
      driven.fill();
      driven.endAll(...Array<Ended>(8).fill(refused));
      driven.now += 500;
    }
    expect(driven.fill()).toBe(1);
  });
});

describe('a wait', () => {
  const asked = { kind: 'refused', asked: 3000, backoff: 500 } as const;

  test('that the service asks for is kept by all', () => {
    const driven = new Driven();
    driven.fill();
    driven.endLast(1, asked);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now + 3000);
    expect(driven.level.startsAt(driven.now + 3000)).toBe(driven.now + 3000);
  });

  test('is the longest of those that are asked for', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll(asked, { ...asked, asked: 1000 });

    expect(driven.level.startsAt(driven.now)).toBe(driven.now + 3000);
  });

  test('is not needed where the number under way explains the refusal', () => {
    const driven = new Driven();
    driven.fill();
    driven.endLast(1, refused);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now);
  });

  test('follows the refusal of a request that was alone', () => {
    const driven = new Driven(1);
    driven.fill();
    driven.endAll(refused);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now + 500);
  });
});

describe('a refusal without a wait', () => {
  const lost = { kind: 'lost' } as const;

  test('is a matter of the width at first', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll(lost, refused, lost, lost, lost, lost, lost, lost);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now);
  });

  test('is none as long as nothing that started after the halving was accepted', () => {
    const driven = new Driven();
    driven.fill();
    // What started before the halving is accepted after it.
    driven.endAll(lost, lost, lost, lost, refused);
    expect(driven.fill()).toBe(4);
    driven.endAll(lost, lost, lost, refused);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now + 500);
  });

  test('is one again when something was', () => {
    const driven = new Driven();
    driven.fill();
    driven.endAll(lost, lost, lost, lost, refused);
    driven.fill();
    driven.endAll(accepted, accepted, accepted, refused);

    expect(driven.level.startsAt(driven.now)).toBe(driven.now);
  });
});

describe('the pace', () => {
  const asked = { kind: 'refused', asked: 3000, backoff: 500 } as const;

  /** Seven were taken, and the eighth was asked to wait three seconds, which are over. */
  function suspected(): Driven {
    const driven = new Driven();
    driven.fill();
    driven.endLast(1, asked);
    driven.now += 3000;
    return driven;
  }

  /** Seven were taken once more, and again the eighth was asked to wait. */
  function known(): Driven {
    const driven = suspected();
    driven.rounds(2);
    driven.fill();
    driven.endAll(asked);
    driven.now += 3000;
    return driven;
  }

  test('what exceeds a suspected one goes alone, and refutes it when it is taken', () => {
    // Four and three are seven. The next one goes alone, and after it all that the width allows.
    expect(suspected().rounds(4)).toEqual([4, 3, 1, 5]);
  });

  test('what exceeds a known one waits', () => {
    const driven = known();

    expect(driven.rounds(4)).toEqual([2, 3, 2, 0]);
    expect(driven.level.startsAt(driven.now)).toBe(driven.now - 400 + 3000);
  });

  test('is suspected, not known, after two refusals of requests that started together', () => {
    const driven = new Driven();
    driven.fill();
    driven.endLast(2, asked);
    driven.now += 3000;

    expect(driven.rounds(4)).toEqual([4, 2, 1, 5]);
  });

  test('does not count what started after the request that was refused', () => {
    const { level } = new Driven();
    const [first, ...others] = Array.from({ length: 4 }, () => level.start(0));
    others.push(...Array.from({ length: 4 }, () => level.start(100)));
    for (const started of others) level.end(started, 200, accepted);
    level.end(first!, 200, asked);

    expect(paceAt(level, 10_000)).toEqual({ taken: 3, next: Infinity });
  });

  test('is not refuted by what was under way when it was suspected', () => {
    const { level } = new Driven();
    const first = Array.from({ length: 8 }, () => level.start(0));
    for (const started of first.slice(0, 4)) level.end(started, 50, accepted);
    const later = Array.from({ length: 4 }, () => level.start(50));
    level.end(first[7]!, 100, asked);
    for (const started of [...first.slice(4, 7), ...later]) level.end(started, 150, accepted);

    expect(paceAt(level, 3100)).toEqual({ taken: 7, next: Infinity });
  });

  test('that is known is not refuted by what exceeded it before', () => {
    const driven = suspected();
    driven.rounds(2);
    const { level } = driven;
    const alone = level.start(driven.now);
    const now = driven.now + 2890;
    const [first, second, last] = [0, 1, 2].map(() => level.start(now));
    level.end(last!, now, asked);
    for (const started of [alone, first!, second!]) level.end(started, now, accepted);

    expect(paceAt(level, now + 3000)).toEqual({ taken: 6, next: now + 6000 });
  });

  test('that is known explains refusals, so that they are no ceiling', () => {
    const driven = known();
    driven.rounds(2);
    expect(driven.fill()).toBe(2);
    driven.endLast(2, asked);
    driven.now += 3000;

    expect(driven.fill()).toBe(2);
  });

  /**
   * How many are taken at once while one of them is under way, in a level that allows for two at
   * the least, and when the next may start.
   */
  function paceAt(level: ConcurrencyLevel, now: number): { taken: number; next: number } {
    level.start(now);
    let taken = 1;
    for (; taken < 20 && level.startsAt(now) <= now; taken++) {
      level.end(level.start(now), now, accepted);
    }
    return { taken, next: level.startsAt(now) };
  }

  /** A level after waits of so many seconds, each asked for after so many requests, at a time when they are over. */
  function after(...waits: Array<[taken: number, seconds: number]>): ConcurrencyLevel {
    const level = new ConcurrencyLevel(64);
    waits.forEach(([taken, seconds], index) => {
      const now = index * 10_000;
      const refusedOne = level.start(now);
      const others = Array.from({ length: taken }, () => level.start(now));
      level.end(refusedOne, now, { ...asked, asked: seconds * 1000 });
      for (const started of others) level.end(started, now, accepted);
    });
    const now = waits.length * 10_000 - 5000;
    level.end(level.start(now), now, accepted);
    return level;
  }

  test.each([
    ['half as many', 4, 2, { taken: 2, next: 23_000 }],
    ['twice as many', 4, 8, { taken: 4, next: 23_000 }],
    ['less than half', 4, 1, { taken: 1, next: Infinity }],
    ['more than twice', 4, 9, { taken: 9, next: Infinity }],
  ])('is known, or suspected anew, after %s', (_, first, second, pace) => {
    expect(paceAt(after([first, 3], [second, 3]), 20_000)).toEqual(pace);
  });

  test.each([
    [1, 3],
    [3, 1],
  ])('that is known lasts for the longer time: of %i and %i seconds', (first, second) => {
    const pace = { taken: 4, next: 23_000 };
    expect(paceAt(after([4, first], [4, second]), 20_000)).toEqual(pace);
  });

  test.each([1, 9])('that is known stays as it was after %i', (other) => {
    const pace = { taken: 4, next: 33_000 };
    expect(paceAt(after([4, 3], [4, 3], [other, 3]), 30_000)).toEqual(pace);
  });

  test('is learned from what started after a wait, however late an earlier refusal comes', () => {
    const level = new ConcurrencyLevel(64);
    const [first, ...others] = Array.from({ length: 5 }, () => level.start(0));
    const late = others.pop()!;
    level.end(first!, 100, asked);
    for (const started of others) level.end(started, 100, accepted);
    const further = Array.from({ length: 4 }, () => level.start(4000));
    const last = further.pop()!;
    level.end(late, 4100, asked);
    level.end(last, 4200, asked);
    for (const started of further) level.end(started, 4200, accepted);

    expect(paceAt(level, 20_000)).toEqual({ taken: 3, next: 23_000 });
  });
});

describe('500 requests to a service', () => {
  describe.each([20, 200])('with %i ms of latency', (latency) => {
    test('that bears any load have all the room within three and a half latencies', () => {
      const { busiest, refused: none, took } = simulate(unlimited(latency), { wanted: 500 });

      expect({ busiest, none }).toEqual({ busiest: 64, none: 0 });
      const atOnce = simulate(unlimited(latency), { wanted: 500, fixed: 64 });
      expect(took - atOnce.took).toBeLessThan(3.5 * latency);
    });

    test('never exceed the maximum', () => {
      expect(simulate(unlimited(latency), { wanted: 500, max: 12 }).busiest).toBe(12);
    });

    test('that takes 10 at once: under 5 % refused, at most a tenth slower than 10 at a time', () => {
      const service = () => limitedAtOnce(10, latency);
      const found = simulate(service(), { wanted: 500 });

      expect(share(found)).toBeLessThan(0.05);
      expect(found.took).toBeLessThan(1.1 * simulate(service(), { wanted: 500, fixed: 10 }).took);
      expect(lastWidth(found)).toBe(10);
    });

    test('that takes 10 at once and asks to wait a second', () => {
      const found = simulate(limitedAtOnce(10, latency, 1), { wanted: 500 });

      expect(share(found)).toBeLessThan(0.05);
      expect(lastWidth(found)).toBe(10);
    });

    test.each([
      ['second of the clock', () => fixedWindow(20, 0)],
      ['second of another clock', () => fixedWindow(20, 500)],
      ['second of a clock that is about to strike', () => fixedWindow(20, 990)],
      ['sliding second', () => slidingWindow(20)],
      ['second, with a burst', () => tokenBucket(20)],
    ])(
      'that takes 20 in each %s: under 5 % refused, all waits kept, at most a tenth slower than it allows',
      (_, clock) => {
        const found = simulate(limitedByRate(clock(), latency), { wanted: 500 });

        expect(share(found)).toBeLessThan(0.05);
        expect(found.waits.length).toBeGreaterThan(0);
        for (const { said, until } of found.waits) {
          expect(found.starts.filter((start) => start > said && start < until)).toEqual([]);
        }
        expect(found.took).toBeLessThan(1.1 * 25_000);
      },
    );

    test('that takes 20 a second and does not say so still come through', () => {
      const found = simulate(limitedByRate(slidingWindow(20), latency, false), { wanted: 500 });

      expect(share(found)).toBeLessThan(0.1);
    });

    test.each([
      [1, 16],
      [8, 16],
      [12, 32],
    ])('that works on %i at a time are never more than %i at once', (workers, most) => {
      const service = () => limitedByLatency(workers, latency);
      const found = simulate(service(), { wanted: 500 });

      expect(found.busiest).toBeLessThanOrEqual(most);
      expect(lastWidth(found)).toBeLessThanOrEqual(most / 2);
      expect(found.took).toBeLessThan(1.1 * simulate(service(), { wanted: 500, fixed: 64 }).took);
    });
  });
});

test('a service that was down for a while does not slow down the rest', () => {
  let arrived = 0;
  const service: SimulatedService = {
    arrive(now) {
      arrived++;
      const isDown = now > 2000 && now < 7000;
      return isDown ? { takes: 50, refused: true, retryAfter: 5 } : { takes: 50 };
    },
  };
  const found = simulate(service, { wanted: 5000 });

  expect(arrived).toBeLessThan(5100);
  expect(found.took).toBeLessThan(20_000);
});
