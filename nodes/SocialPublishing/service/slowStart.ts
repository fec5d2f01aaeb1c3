/** How many requests may be under way at first. */
export const START = 24;

/** How many times as many may be under way after a round that went well. */
const GROWTH = 3;

/** How many times faster the service must respond to a wider round, so that it stays that wide. */
const WORTHWHILE = 1.25;

/** How long to stay below what was too much, in milliseconds. */
const HOLD = 60_000;

/** How long all must go well before each step up while it stays below, in milliseconds. */
const STEP = 1000;

/** What the end of a request says about the load of the service. */
export type Load =
  | { readonly kind: 'accepted' }
  /** The connection broke, or nothing was sent: it says nothing. */
  | { readonly kind: 'lost' }
  /** 429 or 503. `wait`: for how many milliseconds nothing may start. */
  | { readonly kind: 'refused'; readonly wait: number };

/** A request that is under way. */
export interface Started {
  /** How many requests were under way when it started, itself included. */
  readonly position: number;
  /** How many setbacks there had been before it. */
  readonly setbacks: number;
}

/**
 * How many requests may be under way at once (the width), and when the next one may start: slow
 * start, as in TCP. A round is as many responses as the width.
 *
 * - **Grow:** it starts with 24. After each full round, the width becomes three times as large, up to
 *   the maximum.
 * - **Level off:** where the larger width doesn't bring a quarter more responses a second, in two
 *   rounds in a row, it goes back to the smaller one.
 * - **Back off:** after a 429 or 503 nothing starts during the wait. Then the width is half of what it
 *   was, or less if more than half of the requests were refused.
 * - **Hold:** for a minute after either, it stays below the number that was too much. After a refusal
 *   it doubles at most once a second on the way there.
 *
 * It has no clock of its own: each method takes the time in milliseconds.
 */
export class SlowStart {
  private width: number;

  private underWay = 0;

  /** Nothing starts before this. */
  private waitsUntil = -Infinity;

  /** The largest width until `holdsUntil`. */
  private ceiling: number;

  private holdsUntil = -Infinity;

  private nextStepAt = -Infinity;

  /** How many there were. Refusals of requests that were under way together are one setback. */
  private setbacks = 0;

  /** Of the latest setback: the width before it, and how many requests were refused. */
  private setback = { width: 0, refused: 0 };

  private round = { since: 0, responses: 0, busiest: 0 };

  /**
   * The last round of a smaller width: its responses in a millisecond, and how many rounds since
   * then were too slow.
   */
  private smaller:
    { readonly width: number; readonly speed: number; readonly slowRounds: number } | undefined;

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
    if (now < this.holdsUntil) this.stepUp(now);
    else this.growOrLevelOff(now, round.responses / Math.max(1, now - round.since));
    this.startRound(now);
  }

  private stepUp(now: number): void {
    if (now < this.nextStepAt) return;
    this.width = Math.min(this.width * 2, this.ceiling);
    this.nextStepAt = now + STEP;
  }

  private growOrLevelOff(now: number, speed: number): void {
    const { smaller, width, max } = this;
    const isComparable = smaller !== undefined && width >= 2 * smaller.width;
    if (!isComparable || speed >= WORTHWHILE * smaller.speed) {
      this.width = Math.min(width * GROWTH, max);
      this.smaller = { width, speed, slowRounds: 0 };
    } else if (smaller.slowRounds === 0) {
      this.smaller = { ...smaller, slowRounds: 1 };
    } else {
      this.width = smaller.width;
      this.hold(smaller.width, now);
    }
  }

  private backOff({ position, setbacks }: Started, now: number, wait: number): void {
    if (setbacks === this.setbacks) {
      this.setbacks++;
      this.setback = { width: this.width, refused: 0 };
    }
    const { setback } = this;
    setback.refused++;
    const lowest = now < this.holdsUntil ? this.ceiling : this.max;
    this.hold(Math.max(1, Math.min(lowest, position - 1)), now);
    const half = Math.floor(setback.width / 2);
    this.width = Math.max(1, Math.min(this.ceiling, half, setback.width - setback.refused));
    this.waitsUntil = Math.max(this.waitsUntil, now + wait);
    this.nextStepAt = this.waitsUntil + STEP;
    this.startRound(now);
  }

  private hold(ceiling: number, now: number): void {
    this.ceiling = ceiling;
    this.holdsUntil = now + HOLD;
    this.smaller = undefined;
  }
}
