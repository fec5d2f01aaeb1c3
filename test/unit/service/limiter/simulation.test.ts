import { Limiter, MOST, START } from '../../../../nodes/SocialPublishing/service/limiter';
import { seededRandom } from '../../../../sandbox/random';
import { type Result, simulate, type SimulatedRun, type SimulatedService } from './simulation';

/** The chances of the first run; each further run has the next ones. */
const SEED = Number(process.env.SEED ?? 1);
const SEEDS = Array.from({ length: Number(process.env.RUNS ?? 5) }, (_, index) => SEED + index);

const lines: string[] = [];

afterAll(() => {
  jest.restoreAllMocks();
  process.stdout.write(`\nMean time and worst of the seeds ${SEEDS[0]} to ${SEEDS.at(-1)}:\n`);
  process.stdout.write(`${lines.join('\n')}\n\n`);
});

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
    arrive: () => ({ takes: takes(), refused: ++atOnce > count, retryAfter }),
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

/** A service that refuses what comes too fast, and may say in whole seconds how long to wait. */
function limitedByRate(clock: Clock, latency: number, seed: number, says: boolean) {
  const takes = around(latency, seed);
  const arrive: SimulatedService['arrive'] = (now) => {
    const { isFree, freeAt } = clock(now);
    const retryAfter = says ? Math.ceil((freeAt - now) / 1000) : undefined;
    return { takes: takes(), refused: !isFree, retryAfter };
  };
  return { arrive };
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

/** What a client does that always has so many under way. */
function fixed(width: number) {
  let underWay = 0;
  const waiting: Array<() => void> = [];
  return {
    async admit() {
      while (underWay >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      underWay++;
      return {
        end() {
          underWay--;
          waiting.shift()?.();
        },
      };
    },
    drop: () => undefined,
  };
}

const FIVE_HUNDRED: SimulatedRun[] = [{ count: 500 }];

const TWO_RUNS: SimulatedRun[] = [{ count: 250 }, { count: 250, start: 150 }];

/** The same for each seed: mean time, and the worst of the rest. */
async function runs(
  name: string,
  service: (seed: number) => SimulatedService,
  asked = FIVE_HUNDRED,
  limiter: Parameters<typeof simulate>[1] = () => new Limiter(),
): Promise<Omit<Result, 'refused'>> {
  const results: Result[] = [];
  for (const seed of SEEDS) results.push(await simulate(service(seed), limiter, asked));
  const most = (of: (result: Result) => number) => Math.max(...results.map(of));
  const took = results.reduce((sum, result) => sum + result.took, 0) / results.length;
  const [share, busiest] = [most((one) => one.share), most((one) => one.busiest)];
  const early = most((one) => one.early);
  lines.push(
    `${name.padEnd(52)} ${took.toFixed(0)} ms, ${(100 * share).toFixed(1)} % refused, ${busiest} at once, ${early} too early`,
  );
  return { took, share, busiest, early };
}

describe.each([20, 200])('500 requests to a service with %i ms of latency', (latency) => {
  test('that bears any load take little longer than with as many as possible from the start', async () => {
    const found = await runs(`no limit, ${latency} ms`, (seed) => unlimited(latency, seed));
    const most = await runs(
      `  ${MOST} from the start`,
      (seed) => unlimited(latency, seed),
      FIVE_HUNDRED,
      () => fixed(MOST),
    );

    expect([found.busiest, found.share]).toEqual([MOST, 0]);
    expect(found.took - most.took).toBeLessThan(2 * latency);
  });

  test.each([undefined, 1, 5])(
    'that takes 10 at once and asks to wait %p seconds: at most 5 %% refused',
    async (retryAfter) => {
      const { share, early } = await runs(`10 at once, ${latency} ms`, (seed) =>
        limitedAtOnce(10, latency, seed, retryAfter),
      );

      expect(share).toBeLessThanOrEqual(0.05);
      expect(early).toBe(0);
    },
  );

  const clocks: ReadonlyArray<readonly [name: string, clock: (seed: number) => Clock]> = [
    ['second of the clock', (seed) => fixedWindow(20, 137 * seed)],
    ['sliding second', () => slidingWindow(20)],
    ['second, with a burst', () => tokenBucket(20)],
  ];

  test.each(
    clocks.flatMap(([name, clock]) => [true, false].map((says) => [name, says, clock] as const)),
  )(
    'that takes 20 in each %s (it says how long to wait: %p): at most 10 %% refused',
    async (name, says, clock) => {
      const { share, early, took } = await runs(`20 in each ${name}, ${latency} ms`, (seed) =>
        limitedByRate(clock(seed), latency, seed, says),
      );

      expect(share).toBeLessThanOrEqual(0.1);
      expect(early).toBe(0);
      expect(took).toBeLessThan(1.6 * 25_000);
    },
  );

  test.each([1, 8])('that works on %i at a time', async (workers) => {
    const service = (seed: number) => limitedByLatency(workers, latency, seed);
    const found = await runs(`${workers} at work, ${latency} ms`, service);
    const most = await runs(`  64 from the start`, service, FIVE_HUNDRED, () => fixed(64));

    expect(found.took).toBeLessThan(1.1 * most.took);
  });
});

describe('two runs at the same time', () => {
  test('share what a service takes at once', async () => {
    const { share } = await runs(
      'two runs, 10 at once, 100 ms',
      (seed) => limitedAtOnce(10, 100, seed),
      TWO_RUNS,
    );

    expect(share).toBeLessThanOrEqual(0.05);
  });

  test('wait together when one is told to', async () => {
    const { early } = await runs(
      'two runs, 20 in a sliding second, 100 ms',
      (seed) => limitedByRate(slidingWindow(20), 100, seed, true),
      TWO_RUNS,
    );

    expect(early).toBe(0);
  });

  test('keep to their own Concurrency, and the smaller one does not hold up the other', async () => {
    const { took, busiest } = await runs(
      'two runs, one of them with 5 at once, 50 ms',
      (seed) => unlimited(50, seed),
      [
        { count: 30, max: 5 },
        { count: 500, max: 20 },
      ],
    );

    expect(busiest).toBe(25);
    expect(took).toBeLessThan(1.2 * (500 / 20) * 50);
  });
});

test('a service that was down for a while does not slow down the rest', async () => {
  const { took, share } = await runs(
    '5,000 requests, the service is down for 5 s',
    () => ({
      arrive(now) {
        const isDown = now > 500 && now < 5500;
        return isDown ? { takes: 50, refused: true, retryAfter: 5 } : { takes: 50 };
      },
    }),
    [{ count: 5000 }],
  );

  expect(share).toBeLessThan(0.05);
  expect(took).toBeLessThan(20_000);
});

test('a request that finds nothing under way never waits', async () => {
  const { busiest } = await runs('one after the other', (seed) => unlimited(20, seed), [
    { count: 3 * START, max: 1 },
  ]);

  expect(busiest).toBe(1);
});
