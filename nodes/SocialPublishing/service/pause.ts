import { sleep } from 'n8n-workflow';

/** Waits so many milliseconds, but no longer than until a signal is given. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  let wake: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  signal?.addEventListener('abort', wake);
  await Promise.race([sleep(milliseconds), woken]);
  signal?.removeEventListener('abort', wake);
}
