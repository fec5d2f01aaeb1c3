/**
 * The service's clock. A `Date` header says in which second a response was made: after the sending
 * of the request, and before the arrival of the response. Each narrows down how far the clocks are
 * apart.
 */
export class ServiceClock {
  /** The service's clock is ahead of ours by at least this, in milliseconds. */
  private ahead: number | undefined;

  private atMost: number | undefined;

  /** @param date a `Date` header; the other times are ours, in Unix milliseconds */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void {
    const made = date === undefined ? NaN : Date.parse(date);
    if (Number.isNaN(made)) return;
    this.ahead = Math.max(this.ahead ?? -Infinity, made - receivedAt);
    this.atMost = Math.min(this.atMost ?? Infinity, made + 1000 - sentAt);
  }

  /**
   * The earliest that the service's clock may have shown then, in Unix milliseconds; `undefined`
   * while no response said what time it is.
   */
  earliest(at: number | undefined): number | undefined {
    return at === undefined || this.ahead === undefined ? undefined : at + this.ahead;
  }

  latest(at: number): number | undefined {
    return this.atMost === undefined ? undefined : at + this.atMost;
  }
}
