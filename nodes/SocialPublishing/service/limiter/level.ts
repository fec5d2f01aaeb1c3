/** How many requests a run begins with. */
const FIRST_WIDTH = 8;

/** How much wider a round must be than the one it is compared with. */
const COMPARABLE = 1.5;

/** The share of the added width that must show as added speed. */
const WORTHWHILE = 0.25;

/** How many full rounds at the ceiling go well before a wider one is tried. */
const FIRST_PATIENCE = 32;

/** A full round: as many responses as requests may be under way. */
interface Round {
  readonly width: number;
  /** When it began, in milliseconds. */
  readonly since: number;
  /** How often the width had been halved when it began. */
  readonly halvings: number;
  responses: number;
  /** How long each response to a request that began in it took, in milliseconds. */
  readonly times: number[];
  /** The most requests that were under way at once. */
  busiest: number;
}

/** How many requests the service takes in the time that it asks to wait. */
interface Pace {
  readonly count: number;
  /** In milliseconds. */
  readonly period: number;
}

/** A request that is under way. */
export interface Started {
  /** In milliseconds on the clock of the caller. */
  readonly at: number;
  /** How many requests were under way with it, itself included. */
  readonly position: number;
  readonly round: Round;
}

/** What a request came to, as far as the service's load is concerned. */
export type Ended =
  | { readonly kind: 'accepted' }
  /** A connection that broke: it tells nothing about the load. */
  | { readonly kind: 'lost' }
  /** 429 or 503. */
  | {
      readonly kind: 'refused';
      /** How many milliseconds the service asks to wait, where it says so. */
      readonly asked: number | undefined;
      /** How many milliseconds to wait where it does not say. */
      readonly backoff: number;
    };

/**
 * How many requests may be under way at once, and when the next may start. It finds the level that
 * the service bears, and keeps what it learned. It has no clock of its own: every method is told the
 * time, in milliseconds.
 *
 * **Width**: how many may be under way, from 1 to the maximum. It begins with 8.
 *
 * | state    | a full round went well                     | got slower in proportion     | 429 or 503        |
 * |----------|--------------------------------------------|------------------------------|-------------------|
 * | doubling | twice the width                            | as before, ceiling → at rest | half → climbing   |
 * | climbing | one more; at the ceiling → at rest         | as before, ceiling → at rest | half → climbing   |
 * | at rest  | after 32, then 64, … rounds → climbing     | stays                        | half → climbing   |
 *
 * - A round is full when as many responses came as the width allows, and as many requests were under
 *   way at once. What started before a round does not count in it. Only while doubling, from the
 *   third round on, it counts, though not for the speed.
 * - *Slower in proportion*: two rounds in a row that are at least half as wide again bring less than a
 *   quarter of the speed that the added width would bring. The width goes back to the one before.
 * - The *ceiling* is the number of requests under way that the service still took, learned from the
 *   lowest number that it refused. It is lifted for one try when a rest ends.
 * - Refusals of requests that started before the width was halved do not halve it again.
 *
 * **Wait**: with `Retry-After` nothing starts before the time that the service names. A refusal
 * without it, of a request that was alone or the first after the width was halved, is no matter of
 * the width: then nothing starts during the backoff.
 *
 * **Pace**: how many requests the service takes in the time that it asks to wait.
 *
 * | state     | rule                             | `Retry-After` after about as many         | `Retry-After` after another number |
 * |-----------|----------------------------------|-------------------------------------------|------------------------------------|
 * | unknown   | none                             | suspected                                 | suspected                          |
 * | suspected | what would exceed it goes alone  | known: the lower number, the longer time  | suspected anew                     |
 * | refuted   | none                             | known: the lower number, the longer time  | suspected anew                     |
 * | known     | what would exceed it waits       | the lower number, the longer time         | as it was                          |
 *
 * - A suspected pace is refuted when the service takes a request that exceeds it.
 * - *About as many*: from half to twice the number.
 * - A known pace explains the refusals, so it lifts the ceiling.
 */
export class ConcurrencyLevel {
  private state: 'doubling' | 'climbing' | 'resting' = 'doubling';

  private width: number;

  private ceiling: number;

  private underWay = 0;

  private round: Round;

  /** The narrower round that a wider one is compared with: responses in a millisecond. */
  private reference: { readonly width: number; readonly speed: number } | undefined;

  /** Whether the round before brought too little for its width. */
  private inDoubt = false;

  private halvings = 0;

  /** Whether the service has accepted a request that started after the last halving. */
  private isBorne = true;

  private rested = 0;

  private patience = FIRST_PATIENCE;

  private waitsUntil = -Infinity;

  private pace: Pace | undefined;

  private paceState: 'suspected' | 'refuted' | 'known' = 'refuted';

  /** When the last wait was asked for: what started before says nothing new. */
  private askedAt = -Infinity;

  /** When the requests started that are under way or were accepted. */
  private readonly taken: number[] = [];

  /** @param max the most requests that may ever be under way */
  constructor(private readonly max: number) {
    this.ceiling = max;
    this.width = Math.min(FIRST_WIDTH, max);
    this.round = this.newRound(-Infinity);
  }

  /**
   * When the next request may start.
   *
   * @returns the time, which is not after `now` when it may start at once; `Infinity` when one that
   * is under way must end first
   */
  startsAt(now: number): number {
    if (this.underWay >= this.width) return Infinity;
    if (now < this.waitsUntil) return this.waitsUntil;
    const fitsAt = this.fitsPaceAt(now);
    if (this.paceState === 'known') return fitsAt;
    const goesAlone = this.paceState === 'suspected' && fitsAt > now;
    return goesAlone && this.underWay > 0 ? Infinity : now;
  }

  /** Takes note of a request that starts: {@link startsAt} has allowed it. */
  start(now: number): Started {
    this.underWay++;
    this.taken.push(now);
    this.round.busiest = Math.max(this.round.busiest, this.underWay);
    return { at: now, position: this.underWay, round: this.round };
  }

  /** Takes note of how a request ended. */
  end(started: Started, now: number, ended: Ended): void {
    this.underWay--;
    if (ended.kind === 'accepted') this.accept(started, now);
    if (ended.kind === 'refused') this.refuse(started, now, ended);
  }

  /** When a further request does not exceed the pace: `now`, or later. */
  private fitsPaceAt(now: number): number {
    if (this.pace === undefined) return now;
    const first = this.taken.at(-this.pace.count);
    return first === undefined ? now : Math.max(now, first + this.pace.period);
  }

  /** How many requests the service took in a time that ends with a start. */
  private takenUntil(start: number, period: number): number {
    return this.taken.filter((at) => at > start - period && at <= start).length;
  }

  private exceedsPace(start: number): boolean {
    return this.pace !== undefined && this.takenUntil(start, this.pace.period) > this.pace.count;
  }

  private newRound(since: number): Round {
    const { width, halvings, underWay } = this;
    return { width, since, halvings, responses: 0, times: [], busiest: underWay };
  }

  private accept({ at, round, position }: Started, now: number): void {
    if (round.halvings === this.halvings) this.isBorne = true;
    if (position === 1 && this.paceState === 'suspected' && this.exceedsPace(at)) {
      this.paceState = 'refuted';
    }
    if (round !== this.round) return;
    round.responses++;
    if (at >= round.since) round.times.push(now - at);
    if (round.responses >= round.width && round.busiest >= round.width) this.finish(round, now);
  }

  private finish(round: Round, now: number): void {
    const speed = round.width / Math.max(1, lowerQuartile(round.times));
    const { reference } = this;
    const isComparable = reference !== undefined && round.width >= COMPARABLE * reference.width;
    if (isComparable) {
      const gain = (speed / reference.speed - 1) / (round.width / reference.width - 1);
      const isWorthwhile = gain >= WORTHWHILE;
      if (!isWorthwhile && this.inDoubt) this.rest(reference.width);
      this.inDoubt = !isWorthwhile && !this.inDoubt;
      if (isWorthwhile) this.reference = { width: round.width, speed };
      if (isWorthwhile) this.widen();
    } else {
      this.reference ??= { width: round.width, speed };
      this.widen();
    }
    const next = this.newRound(now);
    // If the second round did so, too, a service with a low limit would refuse more before it is found.
    const keepsRest = this.state === 'doubling' && reference !== undefined;
    this.round = keepsRest ? Object.assign(round, next) : next;
  }

  /** Stays at a width that is as much as the service makes use of. */
  private rest(width: number): void {
    this.width = width;
    this.ceiling = width;
    this.state = 'resting';
    this.rested = 0;
  }

  private widen(): void {
    if (this.state === 'resting') {
      this.rested++;
      if (this.rested < this.patience) return;
      this.patience *= 2;
      this.ceiling = this.max;
      this.state = 'climbing';
    }
    const wider = this.state === 'doubling' ? this.width * 2 : this.width + 1;
    this.width = Math.min(wider, this.ceiling);
    if (this.width === this.ceiling && this.ceiling < this.max) this.rest(this.ceiling);
  }

  private refuse(started: Started, now: number, { asked, backoff }: RefusedEnd): void {
    const { position, round } = started;
    const isNew = round.halvings === this.halvings;
    const isNoMatterOfWidth = position === 1 || (isNew && !this.isBorne);
    if (position > 1 && this.paceState !== 'known') {
      this.ceiling = Math.min(this.ceiling, position - 1);
    }
    if (isNew) this.halve();
    this.width = Math.min(this.width, this.ceiling);
    this.round = this.newRound(now);
    const wait = asked ?? (isNoMatterOfWidth ? backoff : undefined);
    this.taken.splice(this.taken.lastIndexOf(started.at), 1);
    if (wait !== undefined) this.wait(started, now, wait);
  }

  private halve(): void {
    this.width = Math.max(1, Math.floor(this.width / 2));
    this.halvings++;
    this.isBorne = false;
    this.state = 'climbing';
    this.reference = undefined;
    this.inDoubt = false;
  }

  /** Keeps a wait that begins now, and learns the pace from it. */
  private wait({ at }: Started, now: number, period: number): void {
    this.waitsUntil = Math.max(this.waitsUntil, now + period);
    const isNew = at >= this.askedAt;
    if (isNew) this.askedAt = now;
    const count = this.takenUntil(at, period);
    if (count === 0) return;
    const { pace, paceState } = this;
    const isAlike = pace !== undefined && count >= pace.count / 2 && count <= pace.count * 2;
    const lower = {
      count: Math.min(count, pace?.count ?? Infinity),
      period: Math.max(period, pace?.period ?? 0),
    };
    if (isAlike) this.pace = lower;
    if (!isNew) return;
    if (isAlike) {
      this.paceState = 'known';
      this.ceiling = this.max;
    } else if (paceState !== 'known') {
      this.pace = { count, period };
      this.paceState = 'suspected';
    }
  }
}

type RefusedEnd = Extract<Ended, { kind: 'refused' }>;

/** A time that a hiccup of some responses does not move. */
function lowerQuartile(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 4)] ?? 0;
}
