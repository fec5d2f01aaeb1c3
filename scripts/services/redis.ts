import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Child, endStale } from '../n8n/child';
import { freePort } from '../n8n/ports';
import { SetupError } from '../n8n/setup-error';
import { bound, debianProgram } from './debian';
import { startServer, stopServer } from './server';

const run = promisify(execFile);

/** A Redis server with its own data, on a port of 127.0.0.1. */
export class Redis {
  private constructor(
    readonly port: number,
    private readonly password: string,
    private readonly folder: string,
    private readonly client: string,
    private readonly child: Child,
  ) {}

  /**
   * Starts an empty server. Installs Redis's Debian package first if it is missing.
   *
   * @param workFolder holds the data
   * @throws SetupError when Redis cannot be installed or started
   */
  static async start(workFolder: string): Promise<Redis> {
    const server = await debianProgram('redis-server', 'redis-server');
    const client = await debianProgram('redis-cli', 'redis-tools');
    const pidFile = join(workFolder, 'redis.pid');
    await endStale(pidFile, workFolder);
    const folder = join(workFolder, 'redis');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const port = await freePort();
    const password = randomBytes(16).toString('hex');
    const settings = {
      '--bind': '127.0.0.1',
      '--port': String(port),
      '--requirepass': password,
      '--dir': folder,
      '--save': '',
      '--appendonly': 'yes',
      // Keeps every command instead of compacting the file.
      '--auto-aof-rewrite-percentage': '0',
    };
    const child = await startServer({
      name: 'Redis',
      command: bound([server, ...Object.entries(settings).flat()]),
      cwd: folder,
      pidFile,
      readyLine: 'Ready to accept connections',
    });
    return new Redis(port, password, folder, client, child);
  }

  /** The environment variables with which n8n uses this server. */
  get environment(): Record<string, string> {
    return {
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(this.port),
      QUEUE_BULL_REDIS_PASSWORD: this.password,
    };
  }

  /** The number of the server process. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new SetupError('Redis is not running.');
    return pid;
  }

  /** Runs a command and returns its result as `redis-cli` prints it. */
  async command(...parts: string[]): Promise<string> {
    const { stdout } = await run(
      this.client,
      ['-h', '127.0.0.1', '-p', String(this.port), ...parts],
      {
        env: { PATH: process.env['PATH'], REDISCLI_AUTH: this.password },
      },
    );
    return stdout.trim();
  }

  /** Returns every command that has ever changed the data. */
  async everythingWritten(): Promise<string> {
    const folder = join(this.folder, 'appendonlydir');
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')));
    return texts.join('\n');
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    await stopServer(this.child);
  }
}
