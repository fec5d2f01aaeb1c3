/**
 * Lets waits end otherwise than by time, until the test ends.
 *
 * @param from how long the waits are that are meant, in milliseconds
 * @param below those of this length and longer go on as they are
 * @param instead what is done with the end of such a wait; at once it ends, unless given
 */
export function shortenWaits(
  from: number,
  below = Infinity,
  instead: (end: () => void, milliseconds: number) => void = (end) => setImmediate(end),
): void {
  const { setTimeout: start } = globalThis;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0) => {
    if (ms < from || ms >= below) return start(act, ms);
    instead(act, ms);
    return undefined;
  }) as typeof setTimeout);
}

/** Lets the waits between two tries of a request end at once, as if that time had passed, until the test ends. */
export function skipWaitsBetweenTries(): void {
  const now = performance.now.bind(performance);
  let skipped = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
  shortenWaits(400, 10_000, (end, milliseconds) => {
    skipped += milliseconds;
    setImmediate(end);
  });
}
