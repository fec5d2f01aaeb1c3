import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { identify, isAlive, processIdentity } from './processes';
import { SetupError } from './setup-error';

const pidFileSchema = z.object({ child: processIdentity, parent: processIdentity });

const GRACE_MS = 5000;
const TERMINATION_TIMEOUT_MS = 15_000;

/** The process groups that this process started and that are still running. */
const running = new Set<number>();

process.on('exit', () => {
  for (const pid of running) signalGroup(pid, 'SIGKILL');
});

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface ChildOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The file that names the child, so that a later run can end it if this one is killed. */
  pidFile: string;
  /** Receives every line of both output streams. */
  onLine: (line: string) => void;
  /** Gives the child an IPC channel. The channel closes when this process ends, however it ends. */
  channel?: boolean;
}

/**
 * A child process in its own process group. The group is killed when this process exits. If this
 * process is killed instead, the pid file lets the next run end the child: see `endStale`.
 */
export class Child {
  /** Resolves with the exit code, or null after a signal. Rejects when the child cannot start. */
  readonly ended: Promise<number | null>;
  readonly pid: number | undefined;
  private readonly process: ChildProcess;

  constructor(command: string, args: string[], options: ChildOptions) {
    const stdio: StdioOptions = [
      'ignore',
      'pipe',
      'pipe',
      ...(options.channel ? ['ipc' as const] : []),
    ];
    this.process = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio,
    });
    this.pid = this.process.pid;
    this.ended = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', resolve);
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      let rest = '';
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => {
        const lines = (rest + text).split(/\r?\n/);
        rest = lines.pop() ?? '';
        lines.forEach(options.onLine);
      });
      stream?.on('end', () => {
        if (rest) options.onLine(rest);
      });
    }
    const { pid } = this;
    if (pid === undefined) return;
    running.add(pid);
    mkdirSync(dirname(options.pidFile), { recursive: true });
    writeFileSync(
      options.pidFile,
      JSON.stringify({ child: identify(pid), parent: identify(process.pid) }),
    );
    this.process.once('exit', () => {
      running.delete(pid);
      rmSync(options.pidFile, { force: true });
    });
  }

  get isRunning(): boolean {
    return this.pid !== undefined && running.has(this.pid);
  }

  /**
   * Ends the child and its process group, and waits for the end. Sends SIGTERM, then SIGKILL when the
   * child still runs after the grace period. A grace period of 0 sends SIGKILL at once.
   *
   * @param gracePeriod in milliseconds
   */
  async end(gracePeriod: number): Promise<void> {
    if (this.pid === undefined || !this.isRunning) return;
    signalGroup(this.pid, gracePeriod === 0 ? 'SIGKILL' : 'SIGTERM');
    const timer = new AbortController();
    const tooLong = delay(gracePeriod, true, { signal: timer.signal }).catch(() => false);
    const slow = await Promise.race([this.ended.then(() => false), tooLong]);
    timer.abort();
    // Descendants of the child may still be running.
    signalGroup(this.pid, 'SIGKILL');
    if (slow) await this.ended;
  }
}

/**
 * Ends the child in `pidFile` that an earlier run left running, for example because that run was
 * killed. A later process with the same number is left alone.
 *
 * @param subject what the child works on, for the error message
 * @throws SetupError when the run that started the child is still running
 */
export async function endStale(pidFile: string, subject: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const saved = pidFileSchema.safeParse(parse(readFileSync(pidFile, 'utf8')));
  if (saved.success && isAlive(saved.data.child)) {
    const { child, parent } = saved.data;
    const isOther = parent.pid !== process.pid;
    // A run whose npm was killed ends by itself a moment later.
    for (let waited = 0; isOther && waited < GRACE_MS && isAlive(parent); waited += 100) {
      await delay(100);
    }
    if (isOther && isAlive(parent)) {
      throw new SetupError(
        `Another run (process ${parent.pid}) is using ${subject}. End it first, or wait for it.`,
      );
    }
    signalGroup(child.pid, 'SIGTERM');
    for (let waited = 0; isAlive(child); waited += 100) {
      if (waited >= TERMINATION_TIMEOUT_MS) signalGroup(child.pid, 'SIGKILL');
      await delay(100);
    }
    signalGroup(child.pid, 'SIGKILL');
  }
  rmSync(pidFile, { force: true });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
