interface Entry {
  at: number;
  run: (() => void) | undefined;
}

/** The longest delay that Node's timers take: about 24.8 days. */
const longestDelay = 2 ** 31 - 1;

/** Runs things at their time, with one timer that waits for whatever is due next. */
export class Agenda {
  /** Latest first, so that what is due next is taken from the end. */
  readonly #entries: Entry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * Has `run` called at a time given in Unix milliseconds; what is due already is run at once, though
   * never before the caller is done.
   * @returns a function that takes it off the agenda
   */
  at(time: number, run: () => void): () => void {
    const entry: Entry = { at: time, run };
    this.#entries.splice(this.#indexFor(time), 0, entry);
    if (this.#entries.at(-1) === entry) this.#wait();
    return () => {
      entry.run = undefined;
    };
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Where an entry goes: before all that are due at the same time, which therefore keep their order. */
  #indexFor(time: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle] as Entry).at > time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const next = this.#entries.at(-1);
    if (!next || this.#closed) return;
    const delay = Math.min(Math.max(next.at - Date.now(), 0), longestDelay);
    this.#timer = setTimeout(() => this.#runDue(), delay);
  }

  /** Runs what is due by now; what becomes due meanwhile has its turn after everything else. */
  #runDue(): void {
    const now = Date.now();
    for (let due = this.#takeDue(now); due; due = this.#takeDue(now)) due.run?.();
    this.#wait();
  }

  #takeDue(now: number): Entry | undefined {
    const next = this.#entries.at(-1);
    if (!next || next.at > now || this.#closed) return undefined;
    return this.#entries.pop();
  }
}
