import { type Load, SlowStart } from '../../../../nodes/SocialPublishing/service/slowStart';

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
  /** How long nothing starts after a refusal that does not say, in milliseconds. */
  backOff?: number;
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
  { wanted, max = 256, backOff = 1000, fixed }: Simulation,
): Result {
  const found = new SlowStart(max);
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
    const later = agenda.findLastIndex((entry) => entry.at <= time);
    agenda.splice(later + 1, 0, { at: time, act });
  };
  const loadOf = ({ refused, retryAfter }: Verdict): Load =>
    refused === true
      ? { kind: 'refused', wait: retryAfter === undefined ? backOff : retryAfter * 1000 }
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
      else found.end(started, now, loadOf(verdict));
      if (verdict.refused !== true) {
        result.accepted++;
        return;
      }
      result.refused++;
      queued++;
      const { retryAfter } = verdict;
      if (retryAfter !== undefined) {
        result.waits.push({ said: now, until: now + retryAfter * 1000 });
      }
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
    const next = agenda.shift();
    if (next === undefined) throw new Error('Nothing is under way, and nothing may start.');
    now = next.at;
    next.act();
  }
  return result;
}
