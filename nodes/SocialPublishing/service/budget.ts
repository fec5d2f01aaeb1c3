import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/json';
import { QUOTA_UNKNOWN, quotaKeptFailure } from './failures';
import type { ExchangeResult } from './http/response';
import type { Failure, Outcome } from './outcome';
import { quotaOf, remainingRequests, renewedAt } from './quota';

/** What is kept for later rounds of the execution. `until`: when the quota is renewed, Unix milliseconds. */
interface Kept {
  readonly left: number;
  readonly until: number;
}

const isKept = (value: unknown): value is Kept =>
  isObject(value) && typeof value.left === 'number' && typeof value.until === 'number';

/**
 * Decides whether one more request with a credential may go out.
 *
 * - After a failure that every further request would meet too, none may.
 * - Keep Requests leaves so many of the quota. Each response says how many remain
 *   (`X-RateLimit-Remaining`), so this costs no request of its own. The first request goes alone,
 *   because only its response tells.
 * - Requests under way count as spent, and so do requests whose answer was lost.
 */
export class RequestBudget {
  private closed: Failure | undefined;

  /** The lowest number that a response named. */
  private left: number | undefined;

  private hasResponse = false;

  private underWay = 0;

  private lost = 0;

  private renewed: number | undefined;

  private readonly waiting: Array<() => void> = [];

  /**
   * @param keep how many requests must be left; `undefined` for no limit
   * @param store n8n's context of the node, which lives as long as the execution: what was left in an
   * earlier round can forbid a request, never allow one
   * @param entry where it stands in the store
   */
  constructor(
    private readonly keep: number | undefined,
    private readonly store: IDataObject = {},
    private readonly entry = 'quota',
  ) {
    const kept = store[entry];
    if (keep === undefined || !isKept(kept) || Date.now() >= kept.until || kept.left > keep) return;
    this.left = kept.left;
    this.hasResponse = true;
  }

  /**
   * Waits until it can decide.
   * @returns why the request may not go out; else {@link learn} must follow
   */
  async admit(): Promise<Failure | undefined> {
    const { keep } = this;
    if (keep !== undefined) {
      while (this.underWay > 0 && !this.fits(keep)) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      if (this.hasResponse && !this.fits(keep)) {
        const { left, lost } = this;
        this.closed ??=
          left === undefined ? QUOTA_UNKNOWN : quotaKeptFailure(keep, left - lost, lost);
      }
    }
    if (this.closed !== undefined) return { ...this.closed, certainty: 'notSent' };
    this.underWay++;
    return undefined;
  }

  /** Takes in how a request ended; without `outcome`, it is sent again. */
  learn(result: ExchangeResult, outcome?: Outcome<unknown>): void {
    this.underWay--;
    if (outcome?.ok === false && outcome.failure.closesCredential === true) {
      this.closed ??= outcome.failure;
    }
    // The quota headers of a 401 belong to no key.
    if (result.responded && result.status !== 401) {
      this.hasResponse = true;
      const left = remainingRequests(quotaOf(result)) ?? Infinity;
      if (left < (this.left ?? Infinity)) this.left = left;
      this.renewed = renewedAt(result, Date.now()) ?? this.renewed;
    }
    if (!result.responded && !result.neverSent) this.lost++;
    if (this.keep !== undefined && this.left !== undefined && this.renewed !== undefined) {
      this.store[this.entry] = { left: this.left - this.lost, until: this.renewed };
    }
    for (const wake of this.waiting.splice(0)) wake();
  }

  private fits(keep: number): boolean {
    return this.left !== undefined && this.left - this.lost - this.underWay > keep;
  }
}
