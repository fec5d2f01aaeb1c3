import { setTimeout as sleep } from 'node:timers/promises';

/** A response: its status and its JSON. */
export interface CrossedAnswer {
  readonly status: number;
  readonly payload: string;
}

const SOON_MS = 50;

/** Answers that get mixed up. */
export class Crossing {
  readonly #waiting = new Map<
    string,
    { answer: CrossedAnswer; meet: (other: CrossedAnswer) => void }
  >();
  readonly #last = new Map<string, CrossedAnswer>();

  /**
   * Exchanges an answer for that of another request.
   * @param among names the requests that are mixed up
   * @returns the answer of the next request, if it comes soon; else that of the one before, else its own
   */
  async exchange(among: string, answer: CrossedAnswer): Promise<CrossedAnswer> {
    const before = this.#last.get(among) ?? answer;
    this.#last.set(among, answer);
    const other = this.#waiting.get(among);
    if (other) {
      this.#waiting.delete(among);
      other.meet(answer);
      return other.answer;
    }
    const met = new Promise<CrossedAnswer>((meet) => this.#waiting.set(among, { answer, meet }));
    const alone = sleep(SOON_MS, before, { ref: false });
    const got = await Promise.race([met, alone]);
    if (this.#waiting.get(among)?.answer === answer) this.#waiting.delete(among);
    return got;
  }
}
