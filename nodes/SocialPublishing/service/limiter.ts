import { sleep } from 'n8n-workflow';

import { keyOf, type ServiceCredential } from './http/credential';

/** How many requests may be under way at first: a service that takes ten then refuses 20 of 500. */
export const START = 30;

/** The most requests under way with one key, of all runs: 500 of them take five times the latency. */
export const MOST = 128;

/** How many more may be under way after as many as {@link START} went well. */
const GROWTH = 2 * START;

/** How long all must go well after a refusal before one more may be under way, in milliseconds. */
const STEP = 1000;

/** How long to stay below what was too much, in milliseconds. */
const HOLD = 20_000;

/** When a limiter that nobody used is forgotten, in milliseconds. */
const FORGOTTEN_AFTER = 600_000;

/** What the end of a request says about the load of the service. */
export type Load =
  | { readonly kind: 'accepted' }
  /** The connection broke, or nothing was sent: it says nothing. */
  | { readonly kind: 'lost' }
  /** 429 or 503. `wait`: for how many milliseconds nothing may start. */
  | { readonly kind: 'refused'; readonly wait: number };

/** Permission to send one request; call end() when it settles. */
export interface Permission {
  end(load: Load): void;
}

interface Waiting {
  readonly run: Admission;
  readonly resolve: (permission: Permission | undefined) => void;
}

/** A request that is under way, by the monotonic clock and the number under way with it. */
interface Started {
  readonly at: number;
  readonly position: number;
}

/**
 * How many requests with one key may be under way in this process, and when the next one may start. A
 * service that refuses (429 or 503) gets at most half as many, one more for each second that goes well,
 * and for 20 seconds fewer than when a refused one started.
 */
export class Limiter {
  lastUsed = performance.now();

  private window = START;

  private underWay = 0;

  private waiting: Waiting[] = [];

  private waitsUntil = 0;

  private isWoken = false;

  /** What started before this says nothing about the window. */
  private since = 0;

  private wentWell = 0;

  /** The last refusal: until when it counts, the most that was not too much, the window before it. */
  private setback = { until: 0, most: MOST, window: START, refused: 0 };

  get isUnused(): boolean {
    return this.underWay === 0 && this.waiting.length === 0;
  }

  async admit(run: Admission, isRetry: boolean): Promise<Permission | undefined> {
    return await new Promise((resolve) => {
      this.waiting[isRetry ? 'unshift' : 'push']({ run, resolve });
      this.admitNext();
    });
  }

  /** Ends the waiting of all requests of a run. */
  drop(run: Admission): void {
    const dropped = this.waiting.filter((one) => one.run === run);
    this.waiting = this.waiting.filter((one) => one.run !== run);
    for (const { resolve } of dropped) resolve(undefined);
  }

  private admitNext(): void {
    const now = performance.now();
    if (now < this.waitsUntil) {
      this.wakeIn(this.waitsUntil - now);
      return;
    }
    while (this.underWay < this.window) {
      const index = this.waiting.findIndex(({ run }) => run.hasRoom);
      const [next] = index === -1 ? [] : this.waiting.splice(index, 1);
      if (next === undefined) return;
      next.resolve(this.start(next.run, now));
    }
  }

  private start(run: Admission, at: number): Permission {
    const started = { at, position: ++this.underWay };
    run.underWay++;
    return {
      end: (load) => {
        const isFull = this.underWay >= this.window || this.waiting.length > 0;
        this.underWay--;
        run.underWay--;
        this.lastUsed = performance.now();
        if (load.kind === 'refused') this.backOff(started, load.wait);
        else if (load.kind === 'accepted' && isFull && at >= this.since) this.grow();
        this.admitNext();
      },
    };
  }

  private grow(): void {
    const { lastUsed: now, setback } = this;
    this.wentWell++;
    if (setback.refused === 0) {
      if (this.wentWell % START === 0) this.window = Math.min(this.window + GROWTH, MOST);
    } else if (this.wentWell >= this.window && now - this.since >= STEP) {
      const more = 2 * this.window < setback.window ? this.window : 1;
      this.window = Math.min(this.window + more, this.mostAt(now));
      this.startOver(now);
    }
  }

  private mostAt(now: number): number {
    return now < this.setback.until ? this.setback.most : MOST;
  }

  private backOff({ at, position }: Started, wait: number): void {
    const { lastUsed: now, window } = this;
    // Refusals of requests that were under way together are one setback.
    const before = at >= this.since ? { window, refused: 0 } : this.setback;
    const refused = before.refused + 1;
    // A service that refuses all of many is down: that doesn't tell how many it takes.
    const isDown = refused >= before.window && refused >= START;
    const most = isDown ? MOST : Math.max(1, Math.min(this.mostAt(now), position - 1));
    this.setback = { until: now + HOLD, most, window: before.window, refused };
    const less = Math.min(Math.floor(before.window / 2), before.window - refused, most);
    this.window = Math.max(1, less);
    this.waitsUntil = Math.max(this.waitsUntil, now + wait);
    this.startOver(this.waitsUntil);
  }

  private wakeIn(milliseconds: number): void {
    if (this.isWoken || this.waiting.length === 0) return;
    this.isWoken = true;
    void sleep(Math.ceil(milliseconds)).then(() => {
      this.isWoken = false;
      this.admitNext();
    });
  }

  private startOver(since: number): void {
    this.since = since;
    this.wentWell = 0;
  }
}

const limiters = new Map<string, Limiter>();

/** The limiter that all runs in this process share for one address and key. */
export function limiterFor(credential: ServiceCredential): Limiter {
  const forgotten = performance.now() - FORGOTTEN_AFTER;
  for (const [key, one] of limiters) {
    if (one.isUnused && one.lastUsed < forgotten) limiters.delete(key);
  }
  const key = keyOf(credential);
  const limiter = limiters.get(key) ?? new Limiter();
  limiters.set(key, limiter);
  return limiter;
}

/** The requests of one run at a {@link Limiter}. */
export class Admission {
  underWay = 0;

  private waiting = 0;

  private isStopped = false;

  /** @param max the most requests of this run under way at once */
  constructor(
    private readonly limiter: Limiter,
    readonly max: number,
    private readonly cancelled?: AbortSignal,
  ) {}

  get hasRoom(): boolean {
    return this.underWay < this.max;
  }

  /** Waits for permission, a retry before all others. @returns `undefined` when stopped or canceled */
  async admit(isRetry = false): Promise<Permission | undefined> {
    if (this.isStopped || this.cancelled?.aborted === true) return undefined;
    // Added twice, a listener still counts once.
    this.cancelled?.addEventListener('abort', this.drop);
    this.waiting++;
    const permission = await this.limiter.admit(this, isRetry);
    if (--this.waiting === 0) this.cancelled?.removeEventListener('abort', this.drop);
    return permission;
  }

  /** Gives no permission until {@link resume}. */
  stop(): void {
    this.isStopped = true;
    this.drop();
  }

  resume(): void {
    this.isStopped = false;
  }

  private readonly drop = (): void => this.limiter.drop(this);
}
