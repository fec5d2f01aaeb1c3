import type { HttpAnswer, NoAnswer } from './http';
import { failed, type Failure } from './outcome';
import type { QuotaMemory } from './quotaMemory';
import { quotaOf, remainingRequests, renewedAt } from './rateLimit';

/**
 * Says whether a further request with one credential may go out.
 *
 * None may after an answer that every further request would meet too. And when the user sets a number
 * of requests to keep, those that are left do not fall below it, by what each answer's
 * `X-RateLimit-Remaining` says and without a request of its own: until an answer came nothing is
 * known, so a request goes alone; what is under way is counted as spent, and so is what got no answer.
 */
export class RequestBudget {
  private closed: Failure | undefined;

  /** The least that an answer said is left. */
  private left: number | undefined;

  private underWay = 0;

  /** Requests without an answer, which the service may have counted. */
  private lost = 0;

  private answered = false;

  /** When the quota is renewed, in Unix milliseconds. */
  private renewed: number | undefined;

  private readonly waiting: Array<() => void> = [];

  /**
   * @param keep how many requests must be left; `undefined` for no bound
   * @param memory what is known of the quota from earlier in the execution; it can only forbid
   */
  constructor(
    private readonly keep: number | undefined,
    private readonly memory?: QuotaMemory,
  ) {
    const left = memory?.left(Date.now());
    if (keep === undefined || left === undefined || left > keep) return;
    this.left = left;
    this.answered = true;
  }

  /**
   * Waits until it is known whether a request may go out.
   *
   * @returns the failure when it may not; else `undefined`, and `spent` must follow
   */
  async admit(): Promise<{ ok: false; failure: Failure } | undefined> {
    const { keep } = this;
    if (keep !== undefined) {
      while (this.underWay > 0 && !this.fits(keep)) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      if (this.answered && !this.fits(keep)) this.closed ??= this.shortage(keep);
    }
    if (this.closed !== undefined) return failed({ ...this.closed, certainty: 'notSent' });
    this.underWay++;
    return undefined;
  }

  private fits(keep: number): boolean {
    return this.left !== undefined && this.left - this.lost - this.underWay > keep;
  }

  private shortage(keep: number): Failure {
    return this.left === undefined
      ? {
          message: 'It is not known how many requests are left, so no more were sent',
          description:
            'The service sent no usable X-RateLimit-Remaining. Remove the option Keep Requests to go on without this protection.',
          certainty: 'notSent',
        }
      : {
          message: `Stopped to keep ${keep} requests: ${this.left} are left`,
          description:
            'Lower the option Keep Requests, or run this again when the quota is renewed.',
          certainty: 'notSent',
        };
  }

  /** Refuses every further request with this failure. */
  close(failure: Failure): void {
    this.closed = failure;
  }

  /** Takes note of how a request that was admitted ended. */
  spent(result: HttpAnswer | NoAnswer): void {
    this.underWay--;
    if (result.answered) this.learn(result);
    else if (!result.neverSent) this.lost++;
    this.remember();
    for (const wake of this.waiting.splice(0)) wake();
  }

  private learn(answer: HttpAnswer): void {
    // What comes with a 401 is no key's quota.
    if (answer.status === 401) return;
    this.answered = true;
    const left = remainingRequests(quotaOf(answer));
    if (left !== undefined) this.left = Math.min(this.left ?? left, left);
    this.renewed = renewedAt(answer, Date.now()) ?? this.renewed;
  }

  private remember(): void {
    if (this.left === undefined || this.renewed === undefined) return;
    this.memory?.note(this.left - this.lost, this.renewed);
  }
}
