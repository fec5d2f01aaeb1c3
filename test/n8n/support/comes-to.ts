import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const SECONDS = 30;
const PAUSE_MS = 100;

/**
 * Expects that a page comes to show this, as the editor builds its pages bit by bit: reads until what
 * is read equals what is expected, and fails with the difference if it never does.
 */
export async function comesTo<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const deadline = Date.now() + SECONDS * 1000;
  for (;;) {
    const seen = await read();
    if (isDeepStrictEqual(seen, expected)) return;
    if (Date.now() > deadline) expect(seen).toEqual(expected);
    await delay(PAUSE_MS);
  }
}
