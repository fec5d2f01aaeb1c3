import { sleep } from 'n8n-workflow';

/** How long a run may keep the thread of n8n to itself, in milliseconds. */
const AT_MOST_MS = 10;

/** @returns what lets n8n do other things, to be awaited often: it costs nothing unless it is time */
export function breather(): () => Promise<void> {
  let last = performance.now();
  let resting: Promise<void> | undefined;
  return async () => {
    if (performance.now() - last < AT_MOST_MS) return;
    // Those that sleep one after the other would keep n8n in its timers.
    resting ??= sleep(0).then(() => {
      last = performance.now();
      resting = undefined;
    });
    await resting;
  };
}
