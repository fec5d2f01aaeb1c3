import { failed, type Failure, type Quota } from './outcome';
import { remainingRequests } from './rateLimit';

const stopped = (message: string, description: string) =>
  failed({ message, description, certainty: 'notSent', closesCredential: true });

/**
 * Keeps the requests that are left from falling below a number that the user sets, by what each
 * answer's `X-RateLimit-Remaining` says and without a request of its own.
 *
 * Until the first answer nothing is known, so the first request goes alone. What is under way is
 * counted as spent.
 */
export class RequestBudget {
  private left: number | undefined;

  private underWay = 0;

  private answers = 0;

  private first: Promise<void> | undefined;

  private firstAnswered: () => void = () => undefined;

  /** @param keep how many requests must be left; `undefined` for no bound */
  constructor(private readonly keep: number | undefined) {}

  /**
   * Waits until it is known whether a request may go out.
   *
   * @returns the failure when it may not; else `undefined`, and `spent` must follow
   */
  async admit(): Promise<{ ok: false; failure: Failure } | undefined> {
    if (this.keep === undefined) return undefined;
    if (this.answers === 0 && this.first === undefined) {
      this.first = new Promise((resolve) => {
        this.firstAnswered = resolve;
      });
      this.underWay++;
      return undefined;
    }
    await this.first;
    const problem = this.problem(this.keep);
    if (problem !== undefined) return problem;
    this.underWay++;
    return undefined;
  }

  private problem(keep: number): { ok: false; failure: Failure } | undefined {
    if (this.left === undefined) {
      return stopped(
        'It is not known how many requests are left, so no more were sent',
        'The service sent no usable X-RateLimit-Remaining. Remove the option Keep Requests to go on without this protection.',
      );
    }
    return this.left - this.underWay - 1 < keep
      ? stopped(
          `Stopped to keep ${keep} requests: ${this.left} are left`,
          'Lower the option Keep Requests, or run this again when the quota is renewed.',
        )
      : undefined;
  }

  /** Takes note of an answer, or of a request that got none. */
  spent(quota: Quota | undefined): void {
    if (this.keep === undefined) return;
    this.underWay--;
    this.answers++;
    const left = quota === undefined ? undefined : remainingRequests(quota);
    if (left !== undefined) this.left = Math.min(this.left ?? left, left);
    this.firstAnswered();
  }
}
