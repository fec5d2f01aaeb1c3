import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './setup-error';

const PAUSE_MS = 50;

/**
 * Asks again and again until there is an answer.
 *
 * @param missing what did not happen when there is none, such as "The post was not published"
 * @param seconds how long to wait at most
 * @throws SetupError when there is no answer by then
 */
export async function until<Value>(
  missing: string,
  ask: () => Promise<Value | undefined> | Value | undefined,
  seconds = 30,
): Promise<Value> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new SetupError(`${missing} within ${seconds} seconds.`);
    await delay(PAUSE_MS);
  }
}
