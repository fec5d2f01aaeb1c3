import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type Child, endStale } from '../n8n/child';
import { freePort } from '../n8n/ports';
import { SetupError } from '../n8n/setup-error';
import { bound, debianProgram, userId } from './debian';
import { startServer, stopServer } from './server';

const USER = 'n8n';
const DATABASE = 'postgres';
const MAX_BYTES = 1024 ** 3;

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, and its Debian package creates this user. */
const systemUser = (): string | undefined => (process.getuid?.() === 0 ? 'postgres' : undefined);

/** A folder that this user can reach, which the work folder may not be. One for each work folder. */
const dataFolder = (workFolder: string): string =>
  join(
    tmpdir(),
    `social-publishing-postgres-${createHash('sha256').update(workFolder).digest('hex').slice(0, 12)}`,
  );

/** A PostgreSQL server with its own data, on a port of 127.0.0.1. */
export class Postgres {
  private constructor(
    readonly port: number,
    private readonly password: string,
    private readonly folder: string,
    private readonly child: Child,
  ) {}

  /**
   * Starts an empty server. Installs PostgreSQL's Debian package first if it is missing.
   *
   * @param workFolder holds the pid file; the data is in a temporary folder
   * @throws SetupError when PostgreSQL cannot be installed or started
   */
  static async start(workFolder: string): Promise<Postgres> {
    const server = await debianProgram('postgres', 'postgresql');
    const initialize = await debianProgram('initdb', 'postgresql');
    const pidFile = join(workFolder, 'postgres.pid');
    await endStale(pidFile, workFolder);
    const folder = dataFolder(workFolder);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    const password = randomBytes(16).toString('hex');
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, password);
    const user = systemUser();
    if (user !== undefined) {
      for (const path of [folder, passwordFile]) await chown(path, userId(user), -1);
    }
    const data = join(folder, 'data');
    const authentication = ['-A', 'scram-sha-256', '-U', USER, `--pwfile=${passwordFile}`];
    const [command, parameters] = bound(
      [initialize, '-D', data, '-E', 'UTF8', '--locale=C', ...authentication],
      user,
    );
    await run(command, parameters, { cwd: folder });
    const port = await freePort();
    const listening = ['-h', '127.0.0.1', '-p', String(port), '-k', ''];
    const child = await startServer({
      name: 'PostgreSQL',
      command: bound([server, '-D', data, ...listening, '-c', 'max_connections=200'], user),
      cwd: folder,
      environment: { LC_MESSAGES: 'C' },
      pidFile,
      readyLine: 'database system is ready to accept connections',
    });
    return new Postgres(port, password, folder, child);
  }

  /** The environment variables with which n8n uses this server. */
  get environment(): Record<string, string> {
    return {
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(this.port),
      DB_POSTGRESDB_USER: USER,
      DB_POSTGRESDB_PASSWORD: this.password,
      DB_POSTGRESDB_DATABASE: DATABASE,
    };
  }

  /** The number of the server process. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new SetupError('PostgreSQL is not running.');
    return pid;
  }

  /** Runs a query and returns its rows, parsed from JSON. */
  async query(sql: string): Promise<unknown[]> {
    const wrapped = `SELECT coalesce(json_agg(result.*), '[]') FROM (${sql}) AS result`;
    return JSON.parse(await this.client('psql', '-At', '-c', wrapped)) as unknown[];
  }

  /** Runs a statement that returns no rows. */
  async execute(sql: string): Promise<void> {
    await this.client('psql', '-v', 'ON_ERROR_STOP=1', '-c', sql);
  }

  /** Returns the whole content of the database as SQL text. */
  async dump(): Promise<string> {
    return await this.client('pg_dump', '--inserts');
  }

  /** Stops the server and deletes its data. */
  async stop(): Promise<void> {
    await stopServer(this.child);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async client(program: string, ...parameters: string[]): Promise<string> {
    const { stdout } = await run(await debianProgram(program, 'postgresql-client'), parameters, {
      env: {
        PGHOST: '127.0.0.1',
        PGPORT: String(this.port),
        PGUSER: USER,
        PGPASSWORD: this.password,
        PGDATABASE: DATABASE,
      },
      maxBuffer: MAX_BYTES,
    });
    return stdout;
  }
}
