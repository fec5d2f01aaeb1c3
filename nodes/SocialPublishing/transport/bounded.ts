/**
 * Works through `source` in order, with at most `concurrency` under way at once.
 *
 * The source is read lazily: as soon as `work` answers `false`, nothing more is taken from it, and
 * what is under way is waited for.
 *
 * @param work resolves to whether to go on; must not reject
 */
export async function inParallel<T>(
  source: Iterable<T>,
  concurrency: number,
  work: (element: T) => Promise<boolean>,
): Promise<void> {
  const iterator = source[Symbol.iterator]();
  let goOn = true;
  const lane = async (): Promise<void> => {
    while (goOn) {
      const next = iterator.next();
      if (next.done === true) return;
      goOn = (await work(next.value)) && goOn;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

/** Lets at most `width` tasks be under way at once; the others wait for their turn. */
export class Gate {
  private free: number;

  private readonly waiting: Array<() => void> = [];

  constructor(readonly width: number) {
    this.free = width;
  }

  async pass<T>(task: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free--;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
