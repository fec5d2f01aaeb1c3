import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { installationOf } from '../../../scripts/n8n/installation';

const MAX_BYTES = 256 * 1024 * 1024;

const run = promisify(execFile);

/** A script that opens the database and prints what a function returns, as JSON. */
const script = (read: string) => `
  const { DatabaseSync } = require('node:sqlite');
  const { createHash } = require('node:crypto');
  const [file, ...parameters] = process.argv.slice(1);
  const database = new DatabaseSync(file, { readOnly: true });
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
 * Reads n8n's database with the Node of that n8n, since SQLite comes along with it.
 *
 * @param source a JavaScript function that gets the parameters and has `database`, a `DatabaseSync`
 */
export async function read(
  userFolder: string,
  source: string,
  ...parameters: string[]
): Promise<unknown> {
  const file = join(userFolder, '.n8n', 'database.sqlite');
  const { stdout } = await run(installationOf().node, ['-e', script(source), file, ...parameters], {
    maxBuffer: MAX_BYTES,
  });
  return JSON.parse(stdout);
}

/**
 * What n8n's database holds at the moment: for each table the number of its rows and a digest of all
 * their values.
 */
export async function tablesOf(userFolder: string): Promise<Record<string, string>> {
  return (await read(userFolder, digests)) as Record<string, string>;
}
