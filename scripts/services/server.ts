import { Child } from '../n8n/child';
import { SetupError } from '../n8n/setup-error';

const STOP_GRACE_PERIOD_MS = 10_000;

/** How to start a server, and how it says that it is ready. */
export interface ServerOptions {
  /** Its name in errors. */
  name: string;
  /** The program, and its arguments. */
  command: [string, string[]];
  cwd: string;
  environment?: Record<string, string>;
  pidFile: string;
  /** A part of the line that it logs when it is ready. */
  readyLine: string;
}

/**
 * Starts a server, and waits until it is ready.
 *
 * @throws SetupError with its output when it ends before that
 */
export async function startServer(options: ServerOptions): Promise<Child> {
  const { name, command, cwd, environment, pidFile, readyLine } = options;
  const lines: string[] = [];
  let onReady = (): void => undefined;
  const child = new Child(...command, {
    cwd,
    env: { PATH: process.env['PATH'], ...environment },
    pidFile,
    onLine: (line) => {
      lines.push(line);
      if (line.includes(readyLine)) onReady();
    },
  });
  const isReady = await new Promise<boolean>((resolve, reject) => {
    onReady = () => resolve(true);
    child.ended.then(() => resolve(false), reject);
  });
  if (isReady) return child;
  await stopServer(child);
  throw new SetupError([`${name} did not start:`, ...lines].join('\n'));
}

/** Stops a server. It gets ten seconds to write its data. */
export const stopServer = (child: Child): Promise<void> => child.end(STOP_GRACE_PERIOD_MS);
