import { Admission, type Limiter } from '../../../../nodes/SocialPublishing/service/limiter';

/** What a simulated service makes of a request. */
export interface Verdict {
  /** How many milliseconds the response takes. */
  takes: number;
  refused?: boolean;
  /** Seconds, as in `Retry-After`. */
  retryAfter?: number | undefined;
}

export interface SimulatedService {
  /** A request arrives. */
  arrive(now: number): Verdict;
  /** Its response leaves. */
  leave?(): void;
}

/** The requests of one run of the node. */
export interface SimulatedRun {
  /** How many requests must be accepted. */
  count: number;
  /** When it begins, in milliseconds. */
  start?: number;
  max?: number;
}

export interface Result {
  refused: number;
  /** The share of all requests that was refused. */
  share: number;
  /** When the last response came, in milliseconds. */
  took: number;
  /** The most requests under way at once. */
  busiest: number;
  /** How many requests came while the service had asked to wait. */
  early: number;
}

/** How long the client waits after a refusal that does not say, in milliseconds. */
const BACK_OFF = 1000;

/** Lets what an event sets off come to rest. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

/** Time that passes only from event to event: for `performance.now` and all timers, until restored. */
class VirtualTime {
  now = 0;

  private readonly agenda: Array<{ at: number; act: () => void }> = [];

  constructor() {
    jest.spyOn(performance, 'now').mockImplementation(() => this.now);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) => {
      const at = this.now + ms;
      const later = this.agenda.findLastIndex((entry) => entry.at <= at);
      this.agenda.splice(later + 1, 0, { at, act });
    }) as typeof setTimeout);
  }

  sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  async passUntil(isOver: () => boolean): Promise<void> {
    for (await rest(); !isOver(); await rest()) {
      const next = this.agenda.shift();
      if (next === undefined) throw new Error('Nothing is under way, and nothing may start.');
      this.now = next.at;
      next.act();
      while (this.agenda[0]?.at === this.now) this.agenda.shift()?.act();
    }
  }
}

/**
 * Sends the requests of runs through a limiter to a service, each again until it is accepted.
 *
 * @param limiter made when the virtual time has begun
 */
export async function simulate(
  service: SimulatedService,
  makeLimiter: () => Pick<Limiter, 'admit' | 'drop'>,
  runs: readonly SimulatedRun[],
): Promise<Result> {
  const time = new VirtualTime();
  const limiter = makeLimiter() as Limiter;
  const result = { refused: 0, took: 0, busiest: 0, early: 0 };
  const wanted = runs.reduce((sum, { count }) => sum + count, 0);
  let accepted = 0;
  let underWay = 0;
  let waitsUntil = 0;

  const send = async (admission: Admission, isRetry = false): Promise<void> => {
    const permission = await admission.admit(isRetry);
    if (time.now < waitsUntil) result.early++;
    result.busiest = Math.max(result.busiest, ++underWay);
    const { takes, refused = false, retryAfter } = service.arrive(time.now);
    await time.sleep(takes);
    service.leave?.();
    underWay--;
    if (!refused) {
      accepted++;
      result.took = time.now;
      permission?.end({ kind: 'accepted' });
      return;
    }
    result.refused++;
    const wait = retryAfter === undefined ? BACK_OFF : retryAfter * 1000;
    if (retryAfter !== undefined) waitsUntil = Math.max(waitsUntil, time.now + wait);
    permission?.end({ kind: 'refused', wait });
    await send(admission, true);
  };
  const play = async ({ count, start = 0, max = 128 }: SimulatedRun): Promise<void> => {
    await time.sleep(start);
    const admission = new Admission(limiter, max);
    let left = count;
    const lane = async () => {
      while (left-- > 0) await send(admission);
    };
    await Promise.all(Array.from({ length: max }, lane));
  };
  for (const run of runs) void play(run);
  await time.passUntil(() => accepted === wanted);
  jest.restoreAllMocks();
  return { ...result, share: result.refused / (result.refused + wanted) };
}
