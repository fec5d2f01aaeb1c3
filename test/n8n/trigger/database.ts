import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { installationOf } from '../../../scripts/n8n/installation';

const MAX_BYTES = 256 * 1024 * 1024;

const run = promisify(execFile);

const fileOf = (userFolder: string): string => join(userFolder, '.n8n', 'database.sqlite');

const OPEN = `
  const { DatabaseSync } = require('node:sqlite');
  const { createHash } = require('node:crypto');
  const [file, ...parameters] = process.argv.slice(1);
  const database = new DatabaseSync(file, { readOnly: true });
`;

/** A script that opens the database and prints what a function returns, as JSON. */
const script = (read: string) => `${OPEN}
  console.log(JSON.stringify((${read})(...parameters)));
`;

/** The number of rows and a digest of the content of each table. */
const digests = `() => {
  const tables = {};
  for (const { name } of database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()) {
    const hash = createHash('sha256');
    let rows = 0;
    for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
      hash.update(JSON.stringify(row));
      rows += 1;
    }
    tables[name] = rows + ' rows, ' + hash.digest('hex');
  }
  return tables;
}`;

/**
 * A script that prints the digests for each line that it gets, and computes them again only when
 * another connection has committed something.
 */
const watch = `${OPEN}
  const digests = ${digests};
  let version, tables;
  require('node:readline').createInterface({ input: process.stdin }).on('line', () => {
    const { data_version } = database.prepare('PRAGMA data_version').get();
    if (data_version !== version) tables = JSON.stringify(digests());
    version = data_version;
    console.log(tables);
  });
`;

/**
 * Reads n8n's database with the Node of that n8n, since SQLite comes along with it.
 *
 * @param source a JavaScript function that gets the parameters and has `database`, a `DatabaseSync`
 */
export async function read(
  userFolder: string,
  source: string,
  ...parameters: string[]
): Promise<unknown> {
  const { stdout } = await run(
    installationOf().node,
    ['-e', script(source), fileOf(userFolder), ...parameters],
    {
      maxBuffer: MAX_BYTES,
    },
  );
  return JSON.parse(stdout);
}

/** A process that looks at n8n's database again and again. */
export class DatabaseWatch {
  private readonly process;
  private readonly lines;
  private readonly ended: Promise<never>;

  constructor(userFolder: string) {
    this.process = spawn(installationOf().node, ['-e', watch, fileOf(userFolder)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
    this.ended = new Promise((_, reject) => {
      this.process.once('exit', (code) => {
        reject(new Error(`The process that reads n8n's database ended with ${code}`));
      });
    });
    this.ended.catch(() => undefined);
  }

  /**
   * What the database holds at the moment: for each table the number of its rows and a digest of all
   * their values. One call at a time.
   */
  async tables(): Promise<Record<string, string>> {
    this.process.stdin.write('\n');
    const line = await Promise.race([this.lines.next(), this.ended]);
    return JSON.parse(String(line.value)) as Record<string, string>;
  }

  close(): void {
    this.process.stdin.end();
  }
}
