/**
 * Works through a source in order, with at most `concurrency` under way. As soon as `work` answers
 * `false` or throws, nothing more is taken from the source.
 * @throws what was thrown first, when everything under way has ended
 */
export async function inParallel<T>(
  source: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (element: T) => Promise<unknown>,
): Promise<void> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let goOn = true;
  const lane = async (): Promise<void> => {
    let hasEnded = false;
    try {
      while (goOn) {
        const pulled = iterator.next();
        const next = pulled instanceof Promise ? await pulled : pulled;
        if (next.done === true || !goOn) break;
        goOn = (await work(next.value)) !== false && goOn;
      }
      hasEnded = true;
    } finally {
      goOn &&= hasEnded;
    }
  };
  const lanes = Array.from({ length: concurrency }, lane);
  await Promise.allSettled(lanes);
  await iterator.return?.();
  await Promise.all(lanes);
}
