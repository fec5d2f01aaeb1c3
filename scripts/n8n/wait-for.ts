import { setTimeout as delay } from 'node:timers/promises';

import { SetupError } from './setup-error';

const PAUSE_MS = 50;

/**
 * Polls until there is a value.
 *
 * @param failure what did not happen if there never is one, such as "The post was not published"
 * @param poll returns the value, or undefined as long as there is none
 * @param seconds how long to wait at most
 * @throws SetupError when there is no value in that time
 */
export async function waitFor<Value>(
  failure: string,
  poll: () => Promise<Value | undefined> | Value | undefined,
  seconds = 120,
): Promise<Value> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await poll();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new SetupError(`${failure} within ${seconds} seconds.`);
    await delay(PAUSE_MS);
  }
}
