import {
  ConcurrencyLevel,
  type Ended,
} from '../../../../nodes/SocialPublishing/service/limiter/level';

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
  leave?(now: number): void;
}

export interface Simulation {
  /** How many requests must be accepted. */
  wanted: number;
  max?: number;
  /** How long a refused request waits where the service does not say, in milliseconds. */
  backoff?: number;
  /** A fixed number of requests under way instead of one that is found. */
  fixed?: number;
}

export interface Result {
  accepted: number;
  refused: number;
  /** When the last response came, in milliseconds. */
  took: number;
  /** The most requests under way at once. */
  busiest: number;
  /** How many were under way when each request started, itself included. */
  positions: number[];
  /** When each request started. */
  starts: number[];
  /** The times until which the service asked to wait, and when it said so. */
  waits: Array<{ said: number; until: number }>;
}

/** Starts any number at a time up to a width, and asks nothing of it. */
class FixedWidth {
  private underWay = 0;

  constructor(private readonly width: number) {}

  startsAt(now: number): number {
    return this.underWay < this.width ? now : Infinity;
  }

  start(): void {
    this.underWay++;
  }

  end(): void {
    this.underWay--;
  }
}

/** Sends requests to a service on a virtual clock until enough are accepted. */
export function simulate(
  service: SimulatedService,
  { wanted, max = 64, backoff = 500, fixed }: Simulation,
): Result {
  const found = new ConcurrencyLevel(max);
  const level = fixed === undefined ? found : new FixedWidth(fixed);
  const agenda: Array<{ at: number; act: () => void }> = [];
  const result: Result = {
    accepted: 0,
    refused: 0,
    took: 0,
    busiest: 0,
    positions: [],
    starts: [],
    waits: [],
  };
  let now = 0;
  let queued = wanted;
  let underWay = 0;
  let wakesAt = Infinity;
  const at = (time: number, act: () => void): void => {
    agenda.push({ at: time, act });
  };
  const ended = ({ refused, retryAfter }: Verdict): Ended =>
    refused === true
      ? {
          kind: 'refused',
          asked: retryAfter === undefined ? undefined : retryAfter * 1000,
          backoff,
        }
      : { kind: 'accepted' };

  const send = (): void => {
    const started = level === found ? found.start(now) : (level as FixedWidth).start();
    queued--;
    underWay++;
    result.positions.push(underWay);
    result.starts.push(now);
    result.busiest = Math.max(result.busiest, underWay);
    const verdict = service.arrive(now);
    at(now + verdict.takes, () => {
      service.leave?.(now);
      underWay--;
      result.took = now;
      if (started === undefined) (level as FixedWidth).end();
      else found.end(started, now, ended(verdict));
      if (verdict.refused !== true) {
        result.accepted++;
        return;
      }
      result.refused++;
      const { retryAfter } = verdict;
      const wait = retryAfter === undefined ? backoff : retryAfter * 1000;
      if (retryAfter !== undefined) result.waits.push({ said: now, until: now + wait });
      at(now + wait, () => queued++);
    });
  };

  for (let step = 0; result.accepted < wanted; step++) {
    if (step > 1_000_000) throw new Error('The simulation does not end.');
    while (queued > 0) {
      const next = level.startsAt(now);
      if (next > now) {
        if (next < Infinity && next !== wakesAt) at((wakesAt = next), () => undefined);
        break;
      }
      send();
    }
    agenda.sort((a, b) => a.at - b.at);
    const next = agenda.shift();
    if (next === undefined) throw new Error('Nothing is under way, and nothing may start.');
    now = next.at;
    next.act();
  }
  return result;
}
