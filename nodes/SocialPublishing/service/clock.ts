/**
 * The service's clock, as far as the `Date` headers of its responses tell.
 *
 * A header says in which second a response was made, and that lies between the sending of the
 * request and the arrival of the response. Each response narrows down how far the two clocks are
 * apart.
 */
export class ServiceClock {
  /** The service's clock is ahead of ours by at least this, in milliseconds. */
  private ahead: number | undefined;

  /** It is ahead by at most this. */
  private atMost: number | undefined;

  /**
   * @param date the `Date` header of a response
   * @param sentAt when the request was sent, in Unix milliseconds
   * @param receivedAt when the response arrived, in Unix milliseconds
   */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const made = date === undefined ? NaN : Date.parse(date);
    if (Number.isNaN(made)) return;
    this.ahead = Math.max(this.ahead ?? -Infinity, made - receivedAt);
    this.atMost = Math.min(this.atMost ?? Infinity, made + 1000 - sentAt);
  }

  /**
   * The earliest moment that the service's clock may have shown at a moment of ours.
   *
   * @param at Unix milliseconds
   * @returns Unix milliseconds; `undefined` while no response said what time it is
   */
  earliest(at: number | undefined): number | undefined {
    return at === undefined || this.ahead === undefined ? undefined : at + this.ahead;
  }

  /**
   * The latest moment that the service's clock may have shown at a moment of ours.
   *
   * @param at Unix milliseconds
   * @returns Unix milliseconds; `undefined` while no response said what time it is
   */
  latest(at: number): number | undefined {
    return this.atMost === undefined ? undefined : at + this.atMost;
  }
}
