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
