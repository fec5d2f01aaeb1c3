interface Task {
  /** When it is due, in Unix milliseconds. */
  at: number;
  run: (() => void) | undefined;
}

/** The longest delay of a Node.js timer, about 24.8 days. */
const maxTimerDelay = 2 ** 31 - 1;

/** Runs tasks at their time, with a single timer for the next task that is due. */
export class Scheduler {
  /** The latest task comes first, so that the next one is popped from the end. */
  readonly #tasks: Task[] = [];
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * Calls `run` at a time given in Unix milliseconds. A time in the past runs as soon as the caller
   * is done. Tasks that are due at the same time run in the order they were added.
   * @returns a function that cancels the task
   */
  at(time: number, run: () => void): () => void {
    const task: Task = { at: time, run };
    this.#tasks.splice(this.#indexFor(time), 0, task);
    if (this.#tasks.at(-1) === task) this.#setTimer();
    return () => {
      task.run = undefined;
    };
  }

  /** Cancels every task. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** The index of the first task that isn't due after `time`. */
  #indexFor(time: number): number {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const task = this.#tasks[middle];
      if (task && task.at > time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#tasks.at(-1);
    if (!next || this.#closed) return;
    const delay = Math.min(Math.max(next.at - Date.now(), 0), maxTimerDelay);
    this.#timer = setTimeout(() => this.#runDue(), delay);
  }

  /** Runs what is due by now. What becomes due meanwhile waits for the next timer. */
  #runDue(): void {
    const now = Date.now();
    for (let due = this.#popDue(now); due; due = this.#popDue(now)) due.run?.();
    this.#setTimer();
  }

  #popDue(now: number): Task | undefined {
    const next = this.#tasks.at(-1);
    if (!next || next.at > now || this.#closed) return undefined;
    return this.#tasks.pop();
  }
}
