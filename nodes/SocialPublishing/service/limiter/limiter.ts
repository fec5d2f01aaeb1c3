import { sleep } from 'n8n-workflow';

import { ConcurrencyLevel, type Ended } from './level';

/** Leave to send one request. Its end must be told. */
export interface Turn {
  end(ended: Ended): void;
}

/** Someone who waits for a turn. */
interface Waiting {
  readonly unwanted: AbortSignal | undefined;
  readonly take: (turn: Turn | undefined) => void;
}

export interface Admission {
  /** Aborted when the request is not wanted any more. */
  readonly unwanted?: AbortSignal | undefined;
  /** Whether the request has waited before: then it comes before those that have not. */
  readonly isRetry?: boolean;
}

/** How many requests may be under way at once in one run, with all credentials together. */
export class Concurrency {
  private underWay = 0;

  private readonly limiters: Limiter[] = [];

  private isStopped = false;

  /**
   * @param max the most requests under way at once
   * @param cancelled aborted when the execution is cancelled
   */
  constructor(
    readonly max: number,
    private readonly cancelled?: AbortSignal,
  ) {}

  /** What limits the requests with one credential, for the whole run. */
  limiter(): Limiter {
    const limiter = new Limiter(this.max, {
      cancelled: this.cancelled,
      isClosed: () => this.isStopped || this.cancelled?.aborted === true,
      isFull: () => this.underWay >= this.max,
      take: () => {
        this.underWay++;
      },
      free: () => {
        this.underWay--;
        for (const one of this.limiters) one.admitNext();
      },
    });
    this.limiters.push(limiter);
    return limiter;
  }

  /** Lets nothing start any more until {@link resume}: what waits gets no turn. */
  stop(): void {
    this.isStopped = true;
    for (const limiter of this.limiters) limiter.dropUnwanted();
  }

  resume(): void {
    this.isStopped = false;
  }
}

/** The places that all limiters of a run share. */
interface Places {
  readonly cancelled: AbortSignal | undefined;
  isClosed(): boolean;
  isFull(): boolean;
  take(): void;
  free(): void;
}

/** Lets requests with one credential start when the level that was found allows it, in their order. */
export class Limiter {
  private readonly level: ConcurrencyLevel;

  private readonly queue: Waiting[] = [];

  /** The signals that those who wait go by, and how many go by each. */
  private readonly watched = new Map<AbortSignal, number>();

  private wakesAt = Infinity;

  constructor(
    readonly max: number,
    private readonly places: Places,
  ) {
    this.level = new ConcurrencyLevel(max);
  }

  /**
   * Waits for a turn.
   *
   * @returns the turn; `undefined` when the request is not wanted any more, the run was stopped or
   * the execution cancelled
   */
  async admit({ unwanted, isRetry = false }: Admission = {}): Promise<Turn | undefined> {
    const signals = [unwanted, this.places.cancelled].filter((signal) => signal !== undefined);
    return await new Promise((resolve) => {
      const waiting: Waiting = {
        unwanted,
        take: (turn) => {
          for (const signal of signals) this.unwatch(signal);
          resolve(turn);
        },
      };
      for (const signal of signals) this.watch(signal);
      if (isRetry) this.queue.unshift(waiting);
      else this.queue.push(waiting);
      this.admitNext();
    });
  }

  private watch(signal: AbortSignal): void {
    const count = this.watched.get(signal) ?? 0;
    this.watched.set(signal, count + 1);
    if (count === 0) signal.addEventListener('abort', this.dropUnwanted);
  }

  private unwatch(signal: AbortSignal): void {
    const count = this.watched.get(signal) ?? 0;
    this.watched.set(signal, count - 1);
    if (count > 1) return;
    this.watched.delete(signal);
    signal.removeEventListener('abort', this.dropUnwanted);
  }

  /** Lets start what may start by now. */
  admitNext(): void {
    this.dropUnwanted();
    for (let [first] = this.queue; first !== undefined; [first] = this.queue) {
      if (this.places.isFull()) return;
      const now = Date.now();
      const startsAt = this.level.startsAt(now);
      if (startsAt > now) {
        this.wake(startsAt, now);
        return;
      }
      this.queue.shift();
      first.take(this.turn(now));
    }
  }

  private turn(now: number): Turn {
    const started = this.level.start(now);
    this.places.take();
    return {
      end: (ended) => {
        this.level.end(started, Date.now(), ended);
        this.places.free();
      },
    };
  }

  private wake(at: number, now: number): void {
    if (at >= this.wakesAt) return;
    this.wakesAt = at;
    void sleep(at - now).then(() => {
      if (this.wakesAt === at) this.wakesAt = Infinity;
      this.admitNext();
    });
  }

  /** Lets go what waits in vain. */
  readonly dropUnwanted = (): void => {
    const isDropped = ({ unwanted }: Waiting) =>
      this.places.isClosed() || unwanted?.aborted === true;
    if (!this.queue.some(isDropped)) return;
    for (const waiting of this.queue.splice(0)) {
      if (isDropped(waiting)) waiting.take(undefined);
      else this.queue.push(waiting);
    }
  };
}
