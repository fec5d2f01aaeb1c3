import { isAlive, launchers } from '../n8n/processes';
import { SetupError } from '../n8n/setup-error';

const SAME_SIGNAL_MS = 1000;

/** Functions that stop what was started. The last one is called first. */
export type Closers = Array<() => void | Promise<void>>;

/** How a program that runs until it is stopped says what it has started, and when it is up or over. */
export interface Run {
  /** Receives a function for everything that is started, as soon as it runs. */
  closers: Closers;
  /** Everything is up: from now on, a signal is the usual way to end. */
  isUp: () => void;
  /** Ends everything that was started, then the process. */
  end: (exitCode: number) => Promise<void>;
}

/**
 * Runs a program until it ends, fails, or gets a signal, or until the npm that runs it is gone. Then
 * ends everything that it started. The exit code is 0 after a signal when all was up, 130 when it was
 * not, and 1 after an error.
 *
 * @param farewell is printed after a signal
 */
export function runUntilStopped(farewell: string, main: (run: Run) => Promise<void>): void {
  const closers: Closers = [];
  let isUp = false;
  let isEnding = false;

  async function end(exitCode: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        console.error(error);
        exitCode ||= 1;
      }
    }
    process.exit(exitCode);
  }

  let firstSignalAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isEnding) {
        // npm and tsx forward the signal that the terminal has already sent to this process.
        if (Date.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(130);
        return;
      }
      firstSignalAt = Date.now();
      console.log(`\n${farewell}`);
      void end(isUp ? 0 : 130);
    });
  }
  const parents = launchers();
  setInterval(() => {
    if (!parents.every(isAlive)) void end(1);
  }, 1000).unref();

  main({ closers, isUp: () => void (isUp = true), end }).catch((error: unknown) => {
    if (isEnding) return;
    // What the system refuses, such as a folder, says what and where by itself.
    const isPlain = error instanceof SetupError || (error instanceof Error && 'syscall' in error);
    console.error(isPlain ? error.message : error);
    void end(1);
  });
}
