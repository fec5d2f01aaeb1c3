import { sleep } from 'n8n-workflow';

/** How many requests may be under way at first. */
export const START = 24;

/** How many times as many may be under way after a round that went well. */
const GROWTH = 3;

/** How many times faster the service must respond to so many requests, to be sent as many. */
const WORTHWHILE = 1.25;

/** How long to stay below what was too much, in milliseconds. */
const HOLD = 60_000;

/** How long all must go well before the next step up from a refusal, in milliseconds. */
const STEP = 1000;

/** What the outcome of a request says about the load of the service. */
export type Load =
  | { readonly kind: 'accepted' }
  /** A connection that broke: it says nothing. */
  | { readonly kind: 'lost' }
  /** 429 or 503. `wait`: for how many milliseconds nothing may start. */
  | { readonly kind: 'refused'; readonly wait: number };

/** A request that is under way. */
export interface Started {
  /** How many requests were under way with it, itself included. */
  readonly position: number;
  /** How many setbacks there had been before it. */
  readonly setbacks: number;
}

/**
 * How many requests may be under way at once, and when the next may start: slow start, as in TCP.
 *
 * - It starts with 24. After each full round (as many responses as requests may be under way), three
 *   times as many may be under way, up to the maximum.
 * - Where so many requests don't bring a quarter more responses a second, in two rounds in a row, it
 *   goes back.
 * - After a 429 or 503 it backs off: nothing starts during the wait, and then half as many requests,
 *   or fewer if more than half were refused. From then on, it doubles at most once a second.
 * - For a minute, it stays below the number that was refused or did not help.
 *
 * It has no clock of its own: each method takes the time in milliseconds.
 */
export class SlowStart {
  private width: number;

  private underWay = 0;

  private waitsUntil = -Infinity;

  /** The most that may be under way until `holdsUntil`, because more was too much. */
  private ceiling: number;

  private holdsUntil = -Infinity;

  /** When the next step up towards the ceiling may be. */
  private stepsAt = -Infinity;

  /** Refusals of requests that were under way together are one setback. */
  private setbacks = 0;

  /** The latest setback: the width before it, and how many requests were refused. */
  private setback = { width: 0, refused: 0 };

  private round = { since: 0, responses: 0, busiest: 0 };

  /** The round before the width grew. */
  private narrower:
    | {
        readonly width: number;
        /** Responses in a millisecond. */
        readonly speed: number;
        /** Whether the latest round was too slow for its width. */
        readonly isInDoubt: boolean;
      }
    | undefined;

  /** @param max the most requests that may ever be under way */
  constructor(private readonly max: number) {
    this.width = Math.min(START, max);
    this.ceiling = max;
  }

  /**
   * When the next request may start.
   *
   * @returns a time that is not after `now` when it may start at once; `Infinity` when another one
   * must end first
   */
  startsAt(now: number): number {
    return this.underWay < this.width ? Math.max(now, this.waitsUntil) : Infinity;
  }

  /** Counts a request that starts. */
  start(now: number): Started {
    if (this.underWay === 0) this.startRound(now);
    this.underWay++;
    this.round.busiest = Math.max(this.round.busiest, this.underWay);
    return { position: this.underWay, setbacks: this.setbacks };
  }

  /** Counts a request that ended, and learns from it. */
  end(started: Started, now: number, load: Load): void {
    this.underWay--;
    if (load.kind === 'refused') this.backOff(started, now, load.wait);
    if (load.kind === 'accepted' && started.setbacks === this.setbacks) this.count(now);
  }

  private startRound(now: number): void {
    this.round = { since: now, responses: 0, busiest: this.underWay };
  }

  private count(now: number): void {
    const { round, width } = this;
    round.responses++;
    if (round.responses < width || round.busiest < width) return;
    const speed = round.responses / Math.max(1, now - round.since);
    if (now < this.holdsUntil) this.stepUp(now);
    else this.grow(now, speed);
    this.startRound(now);
  }

  private stepUp(now: number): void {
    if (now < this.stepsAt) return;
    this.width = Math.min(this.width * 2, this.ceiling);
    this.stepsAt = now + STEP;
  }

  private grow(now: number, speed: number): void {
    const { narrower, width, max } = this;
    const hasGrown = narrower !== undefined && width >= 2 * narrower.width;
    const isSlow = hasGrown && speed < WORTHWHILE * narrower.speed;
    if (!isSlow) {
      this.width = Math.min(width * GROWTH, max);
      this.narrower = { width, speed, isInDoubt: false };
    } else if (!narrower.isInDoubt) {
      this.narrower = { ...narrower, isInDoubt: true };
    } else {
      this.width = narrower.width;
      this.ceiling = narrower.width;
      this.holdsUntil = now + HOLD;
      this.narrower = undefined;
    }
  }

  private backOff({ position, setbacks }: Started, now: number, wait: number): void {
    if (setbacks === this.setbacks) {
      this.setbacks++;
      this.setback = { width: this.width, refused: 0 };
      this.narrower = undefined;
    }
    const { setback } = this;
    setback.refused++;
    const ceiling = now < this.holdsUntil ? this.ceiling : this.max;
    this.ceiling = Math.max(1, Math.min(ceiling, position - 1));
    const half = Math.floor(setback.width / 2);
    this.width = Math.max(1, Math.min(this.ceiling, half, setback.width - setback.refused));
    this.waitsUntil = Math.max(this.waitsUntil, now + wait);
    this.stepsAt = this.waitsUntil + STEP;
    this.holdsUntil = now + HOLD;
    this.startRound(now);
  }
}

/** Permission to send one request; call end() when it settles. */
export interface Permission {
  end(load: Load): void;
}

export interface AdmitOptions {
  /** Aborted when the request is not wanted any more. */
  readonly unwanted?: AbortSignal | undefined;
  /** Whether the request has waited before: then it comes before those that have not. */
  readonly isRetry?: boolean;
}

/** A request that waits for permission. */
interface Waiting {
  readonly unwanted: AbortSignal | undefined;
  readonly resolve: (permission: Permission | undefined) => void;
}

/** Says when each request with one credential may be sent. A wait holds for all of them. */
export class Limiter {
  private readonly slowStart: SlowStart;

  private readonly queue: Waiting[] = [];

  private isStopped = false;

  private wakesAt = Infinity;

  /**
   * @param max the most requests under way at once
   * @param cancelled aborted when the execution is canceled
   */
  constructor(
    readonly max: number,
    private readonly cancelled?: AbortSignal,
  ) {
    this.slowStart = new SlowStart(max);
  }

  /**
   * Waits until a request may be sent.
   *
   * @returns `undefined` when the request is not wanted any more, the limiter was stopped or the
   * execution canceled
   */
  async admit({ unwanted, isRetry = false }: AdmitOptions = {}): Promise<Permission | undefined> {
    if (this.isInVain(unwanted)) return undefined;
    // One listener for each signal, however many wait: it is the same function.
    unwanted?.addEventListener('abort', this.drop);
    this.cancelled?.addEventListener('abort', this.drop);
    const permission = await new Promise<Permission | undefined>((resolve) => {
      if (isRetry) this.queue.unshift({ unwanted, resolve });
      else this.queue.push({ unwanted, resolve });
      this.next();
    });
    if (!this.queue.some((waiting) => waiting.unwanted === unwanted)) {
      unwanted?.removeEventListener('abort', this.drop);
    }
    if (this.queue.length === 0) this.cancelled?.removeEventListener('abort', this.drop);
    return permission;
  }

  /** Starts nothing until {@link resume}. Requests that wait get no permission. */
  stop(): void {
    this.isStopped = true;
    this.drop();
  }

  resume(): void {
    this.isStopped = false;
  }

  /** Starts the requests whose turn it is. */
  private next(): void {
    const { slowStart, queue } = this;
    const now = Date.now();
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const startsAt = slowStart.startsAt(now);
      if (startsAt > now) {
        this.wakeAt(startsAt, now);
        return;
      }
      queue.shift();
      first.resolve(this.start(now));
    }
  }

  private start(now: number): Permission {
    const started = this.slowStart.start(now);
    return {
      end: (load) => {
        this.slowStart.end(started, Date.now(), load);
        this.next();
      },
    };
  }

  private wakeAt(at: number, now: number): void {
    if (at >= this.wakesAt) return;
    this.wakesAt = at;
    void sleep(at - now).then(() => {
      if (this.wakesAt === at) this.wakesAt = Infinity;
      this.next();
    });
  }

  /** Releases the requests that need not wait any longer. */
  private readonly drop = (): void => {
    for (const waiting of this.queue.splice(0)) {
      if (this.isInVain(waiting.unwanted)) waiting.resolve(undefined);
      else this.queue.push(waiting);
    }
  };

  private isInVain(unwanted: AbortSignal | undefined): boolean {
    return this.isStopped || this.cancelled?.aborted === true || unwanted?.aborted === true;
  }
}
