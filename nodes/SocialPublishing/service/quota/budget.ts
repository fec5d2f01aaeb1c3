import type { ExchangeResult, HttpResponse } from '../http/response';
import { keepRequestsWords, UNKNOWN_QUOTA } from '../messages';
import { type Failed, failed, type Failure } from '../outcome';
import { quotaOf, remainingRequests, renewedAt } from './headers';
import type { StoredQuota } from './stored';

/** What a request that went out means for the ones after it. */
export interface Spent {
  readonly result: ExchangeResult;
  /** The failure that every further request would end with. */
  readonly closing?: Failure | undefined;
}

/**
 * Decides whether one more request with a credential may go out.
 *
 * - After a failure that every further request would meet too, none may.
 * - Keep Requests leaves so many of the quota. Each response says how many remain
 *   (`X-RateLimit-Remaining`), so this costs no request of its own. The first request goes alone,
 *   because only its response tells.
 * - Requests under way count as spent. So do requests without a response, until the response to a
 *   later one shows whether the service counted them.
 */
export class RequestBudget {
  private closed: Failure | undefined;

  /** The lowest number that a response named. */
  private left: number | undefined;

  private underWay = 0;

  /** How many requests got no response. The service may have counted them. */
  private lost = 0;

  /** How many of these `left` already takes into account. */
  private settled = 0;

  private hasResponse = false;

  /** When the quota is renewed, in Unix milliseconds. */
  private renewed: number | undefined;

  private readonly waiting: Array<() => void> = [];

  /**
   * @param keep how many requests must be left; `undefined` for no limit
   * @param stored the quota from earlier in the execution; it can forbid a request, never allow one
   */
  constructor(
    private readonly keep: number | undefined,
    private readonly stored?: StoredQuota,
  ) {
    const left = stored?.left(Date.now());
    if (keep === undefined || left === undefined || left > keep) return;
    this.left = left;
    this.hasResponse = true;
  }

  /**
   * Waits until it can decide whether a request may go out, and sends it if so.
   *
   * @param send sends the request; must not reject
   * @returns what `send` resolved to, or the failure when nothing may go out
   */
  async spend<T extends Spent>(send: () => Promise<T>): Promise<T | Failed> {
    const refused = await this.admit();
    if (refused !== undefined) return failed({ ...refused, certainty: 'notSent' });
    const lostBefore = this.lost;
    const spent = await send();
    this.underWay--;
    this.closed ??= spent.closing;
    this.learn(spent.result, lostBefore);
    for (const wake of this.waiting.splice(0)) wake();
    return spent;
  }

  /** Counts a request as under way, or returns why it may not go out. */
  private async admit(): Promise<Failure | undefined> {
    const { keep } = this;
    if (keep !== undefined) {
      while (this.underWay > 0 && !this.fits(keep)) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      if (this.hasResponse && !this.fits(keep)) this.closed ??= this.shortage(keep);
    }
    if (this.closed === undefined) this.underWay++;
    return this.closed;
  }

  private fits(keep: number): boolean {
    return this.left !== undefined && this.left - this.uncounted - this.underWay > keep;
  }

  /** How many lost requests may still have to be subtracted from `left`. */
  private get uncounted(): number {
    return this.lost - this.settled;
  }

  private shortage(keep: number): Failure {
    const { left, uncounted } = this;
    return left === undefined
      ? { code: 'quotaUnknown', ...UNKNOWN_QUOTA, certainty: 'notSent' }
      : {
          code: 'keepRequests',
          ...keepRequestsWords(keep, left, uncounted),
          certainty: 'notSent',
        };
  }

  /** @param lostBefore how many requests had got no response when this one was sent */
  private learn(result: ExchangeResult, lostBefore: number): void {
    if (result.responded) this.learnFrom(result, lostBefore);
    else if (!result.neverSent) this.lost++;
    if (this.left === undefined || this.renewed === undefined) return;
    this.stored?.remember(this.left - this.uncounted, this.renewed);
  }

  private learnFrom(response: HttpResponse, lostBefore: number): void {
    // The quota headers of a 401 belong to no key.
    if (response.status === 401) return;
    this.hasResponse = true;
    const left = remainingRequests(quotaOf(response));
    if (left !== undefined && left <= (this.left ?? Infinity)) {
      this.left = left;
      this.settled = Math.max(this.settled, lostBefore);
    }
    this.renewed = renewedAt(response, Date.now()) ?? this.renewed;
  }
}
