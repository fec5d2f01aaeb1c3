import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { originOf } from '../../sandbox/urls';
import { Child, endStale } from './child';
import { type Installation, installationOf } from './installation';
import { assertPortFree, freePort } from './ports';
import { SetupError } from './setup-error';

const START_SECONDS = 180;
const STOP_GRACE_PERIOD_MS = 20_000;

/** The roles of n8n's processes, and the line that each logs when it is ready. */
const READY_LINES = {
  start: 'Editor is now accessible via',
  worker: 'n8n worker is now ready',
  webhook: 'Webhook listener waiting for requests',
} as const;

/** What a process does: everything or the main part of it (`start`), executions, or webhooks. */
export type Role = keyof typeof READY_LINES;

export interface ProcessOptions {
  /** The folder for n8n's data: database, encryption key and community packages. */
  userFolder: string;
  /** Any free port unless given. */
  port?: number;
  logLevel?: 'error' | 'warn' | 'info' | 'debug';
  /** More environment variables for n8n. */
  environment?: Record<string, string>;
  /** `start` unless given. */
  role?: Role;
  /** The n8n that the package is developed with unless given. */
  installation?: Installation;
}

/** The part of the caller's environment that n8n inherits: nothing that changes its behavior. */
function systemEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR'];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Those of n8n's modules, separated by commas, that this version has. It refuses unknown names. */
function knownModules(modules: string, { folder }: Installation): string {
  const all = join(folder, 'node_modules', 'n8n', 'dist', 'modules');
  return modules
    .split(',')
    .filter((name) => existsSync(join(all, name)))
    .join(',');
}

function n8nEnvironment(
  { userFolder, logLevel = 'info', environment }: ProcessOptions,
  installation: Installation,
  port: number,
  brokerPort: number,
): NodeJS.ProcessEnv {
  const origin = originOf('127.0.0.1', port);
  return {
    ...systemEnvironment(),
    NO_COLOR: '1',
    GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
    N8N_USER_FOLDER: userFolder,
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_HOST: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_EDITOR_BASE_URL: origin,
    WEBHOOK_URL: origin,
    N8N_SECURE_COOKIE: 'false',
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    N8N_LOG_LEVEL: logLevel,
    N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
    // All of these would access the internet, and none is needed here.
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_DYNAMIC_BANNERS_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
    ...environment,
    N8N_DISABLED_MODULES: knownModules(
      environment?.['N8N_DISABLED_MODULES'] ?? 'mcp-registry',
      installation,
    ),
  };
}

/** A running process of n8n. */
export class N8nProcess {
  private constructor(
    /** The address that it listens on, such as `http://127.0.0.1:5678`. A worker does not listen. */
    readonly origin: string,
    /** The file with all of its output. */
    readonly logFile: string,
    private readonly child: Child,
    private readonly log: WriteStream,
  ) {}

  /** The number of the process. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new SetupError('n8n is not running.');
    return pid;
  }

  /** Resolves when the process has ended, for whatever reason. */
  get ended(): Promise<number | null> {
    return this.child.ended;
  }

  /**
   * Starts the installed n8n, and waits until it accepts requests and its published workflows listen,
   * or until a worker accepts executions. If a killed run left an n8n running on the same user folder,
   * that one is ended first.
   *
   * @throws SetupError when the port is in use, or when n8n doesn't start: with its last log lines
   */
  static async start(options: ProcessOptions): Promise<N8nProcess> {
    const { userFolder, role = 'start', installation = installationOf() } = options;
    await mkdir(userFolder, { recursive: true });
    const pidFile = join(userFolder, 'n8n.pid');
    await endStale(pidFile, userFolder);
    const port = options.port ?? (await freePort());
    await assertPortFree(port, 'n8n', '--n8n-port');
    const logFile = join(userFolder, 'n8n.log');
    const log = createWriteStream(logFile, { flags: 'a' });
    const lastLines: string[] = [];
    let onReady = (): void => undefined;
    const child = new Child(
      installation.node,
      ['--require', join(__dirname, 'preload.js'), installation.n8n, role],
      {
        cwd: installation.folder,
        env: n8nEnvironment(options, installation, port, await freePort()),
        pidFile,
        channel: true,
        onLine: (line) => {
          log.write(`${line}\n`);
          lastLines.push(line);
          if (lastLines.length > 15) lastLines.shift();
          if (line.includes(READY_LINES[role])) onReady();
        },
      },
    );
    const started = new N8nProcess(originOf('127.0.0.1', port), logFile, child, log);
    const problem = await new Promise<string | undefined>((resolve, reject) => {
      const timer = setTimeout(
        () => resolve(`was not ready after ${START_SECONDS} s`),
        START_SECONDS * 1000,
      );
      const done = (result?: string) => {
        clearTimeout(timer);
        resolve(result);
      };
      onReady = done;
      child.ended.then((code) => done(`ended with ${code ?? 'a signal'}`), reject);
    });
    if (problem !== undefined) {
      await started.kill();
      throw new SetupError(
        [
          `n8n ${problem}. The last lines of its log:`,
          ...lastLines,
          `The whole log: ${logFile}`,
        ].join('\n'),
      );
    }
    return started;
  }

  /** Stops n8n as a service manager does. It may finish running executions first. */
  async stop(): Promise<void> {
    await this.child.end(STOP_GRACE_PERIOD_MS);
    await this.closeLog();
  }

  /** Kills n8n (SIGKILL), as a crash does. */
  async kill(): Promise<void> {
    await this.child.end(0);
    await this.closeLog();
  }

  private async closeLog(): Promise<void> {
    this.log.end();
    await finished(this.log);
  }
}
