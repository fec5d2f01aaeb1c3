/**
 * Works through `source` in order, with at most `concurrency` under way at once.
 *
 * The source is read lazily: as soon as `work` answers `false` or throws, nothing more is taken from
 * it, and what is under way is waited for.
 *
 * @param work resolves to whether to go on
 * @throws what `work` or the source threw first, when everything under way has ended
 */
export async function inParallel<T>(
  source: Iterable<T> | AsyncIterable<T>,
  concurrency: number,
  work: (element: T) => Promise<boolean>,
): Promise<void> {
  const iterator =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let goOn = true;
  const lane = async (): Promise<void> => {
    try {
      while (goOn) {
        const next = await iterator.next();
        if (next.done === true) return;
        goOn = (await work(next.value)) && goOn;
      }
    } catch (error) {
      goOn = false;
      throw error;
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: concurrency }, lane));
  await iterator.return?.();
  const thrown = lanes.find(({ status }) => status === 'rejected');
  if (thrown?.status === 'rejected') throw thrown.reason;
}
