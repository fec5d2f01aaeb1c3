import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { endStale } from './child';
import { npm } from './npm';
import { SetupError } from './setup-error';

/** What npm says when it has not reached the registry, also as part of what another npm says. */
const UNREACHABLE =
  /^(?:npm (?:error|ERR!) )+code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|ENOTCACHED)\b/m;

const REGISTRY_ANSWER_MS = 12_000;

/** Another try after a moment, so that a hiccup of the network costs nothing; an outage shows soon. */
const RETRIES = [
  '--fetch-retries=3',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=8000',
];

/** An npm that has failed. */
export class NpmError extends SetupError {
  /** @param lines npm's output */
  constructor(
    message: string,
    readonly lines: string[],
  ) {
    super(message);
  }
}

/** An npm that has said nothing for so long that it waits for an answer which doesn't come. */
export class StoodStill extends NpmError {}

/** How long npm may say nothing while it fetches packages, in milliseconds. */
export const FETCH_PATIENCE_MS = 3 * 60_000;

const TRIES = 3;

/** Does something with npm, and does it again where npm stood still. */
export async function insist<T>(task: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < TRIES; tries++) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoodStill)) throw error;
    }
  }
  return await task();
}

const errorLines = (lines: string[]): string[] =>
  lines.filter((line) => /^npm (error|ERR!)/.test(line));

const unreachable = (code: string): string =>
  `The package registry cannot be reached (${code}), and n8n is installed from there. ` +
  'Connect this machine to the internet, or tell npm your proxy (npm config set https-proxy <address>), then start again.';

/** What a failed npm means to the user. */
function failureOf(args: string[], lines: string[], logFile: string): string {
  const code = UNREACHABLE.exec(lines.join('\n'))?.[1];
  if (code !== undefined) return unreachable(code);
  return [
    `npm ${args[0]} of n8n failed.`,
    ...errorLines(lines).slice(0, 8),
    `All of npm's output: ${logFile}`,
  ].join('\n');
}

/**
 * Runs npm in a folder.
 *
 * @param signal ends npm
 * @param patienceMs for how many milliseconds npm may say nothing
 * @param onLine receives its output
 * @throws NpmError with what npm said; all of it is in `npm.log` of that folder
 * @throws StoodStill when npm said nothing for longer
 */
export async function runNpm(
  folder: string,
  args: string[],
  {
    signal,
    patienceMs,
    onLine = () => undefined,
  }: { signal?: AbortSignal; patienceMs?: number; onLine?: (line: string) => void } = {},
): Promise<void> {
  const lines: string[] = [];
  let isStill = false;
  let patience: NodeJS.Timeout | undefined;
  const pidFile = join(folder, 'npm.pid');
  await endStale(pidFile, folder);
  const child = npm([...args, ...RETRIES], {
    cwd: folder,
    pidFile,
    onLine: (line) => {
      patience?.refresh();
      lines.push(line);
      onLine(line);
    },
  });
  const stop = () => void child.end(0);
  if (patienceMs !== undefined) {
    patience = setTimeout(() => {
      isStill = true;
      stop();
    }, patienceMs);
  }
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const code = await child.ended.finally(() => {
    clearTimeout(patience);
    signal?.removeEventListener('abort', stop);
  });
  if (code === 0) return;
  const logFile = join(folder, 'npm.log');
  await writeFile(logFile, lines.join('\n'));
  if (isStill) {
    throw new StoodStill(
      `npm ${args[0]} of n8n said nothing for ${Math.round(patienceMs! / 60_000)} minutes. Start again: it goes on from there.`,
      lines,
    );
  }
  throw new NpmError(failureOf(args, lines, logFile), lines);
}

/**
 * Asks the registry for one small package, in a few seconds and with one try.
 *
 * @param folder any folder that this process has claimed
 * @throws SetupError that says why the registry can't be asked, and what to do
 */
export async function assertRegistry(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines: string[] = [];
  // With an empty cache, npm has to ask.
  const cache = join(folder, 'no-cache');
  const child = npm(
    ['view', 'bindings', 'version', '--cache', cache, '--fetch-retries=0', '--loglevel=error'],
    {
      cwd: folder,
      pidFile: join(folder, 'npm-view.pid'),
      onLine: (line) => lines.push(line),
    },
  );
  const timer = setTimeout(() => void child.end(0), REGISTRY_ANSWER_MS);
  const code = await child.ended.finally(() => clearTimeout(timer));
  await rm(cache, { recursive: true, force: true });
  if (code === 0) return;
  if (code === null) throw new SetupError(unreachable('no answer'));
  const why = UNREACHABLE.exec(lines.join('\n'))?.[1];
  if (why !== undefined) throw new SetupError(unreachable(why));
  const [first = 'npm view failed', said = ''] = errorLines(lines).map((line) =>
    line.replace(/^npm (error|ERR!) (code )?/, ''),
  );
  throw new SetupError(
    `The package registry did not answer as npm expects (${first}: ${said}), and n8n is installed from there. ` +
      'Correct npm’s settings (npm config list shows them), then start again.',
  );
}

/** The address of the registry that npm uses, without a slash at the end. */
export async function registryAddress(folder: string): Promise<string> {
  const lines: string[] = [];
  const child = npm(['config', 'get', 'registry', '--loglevel=silent'], {
    cwd: folder,
    pidFile: join(folder, 'npm-config.pid'),
    onLine: (line) => lines.push(line),
  });
  await child.ended;
  return (lines.find((line) => /^https?:/.test(line)) ?? '').replace(/\/+$/, '');
}
