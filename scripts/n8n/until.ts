import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 50;

/**
 * Asks again and again until there is an answer.
 *
 * @param what is waited for, for the message
 * @param seconds how long to wait at most
 * @throws Error when there is no answer by then
 */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
  seconds = 30,
): Promise<Value> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s.`);
    await delay(PAUSE_MS);
  }
}
