import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { hostNode } from '../../../scripts/n8n/paths';

const run = promisify(execFile);

/** Prints the number of rows and a digest of the content of each table, as JSON. */
const script = `
  const { DatabaseSync } = require('node:sqlite');
  const { createHash } = require('node:crypto');
  const database = new DatabaseSync(process.argv[1], { readOnly: true });
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
  console.log(JSON.stringify(tables));
`;

/**
 * What n8n's database holds at the moment: for each table the number of its rows and a digest of all
 * their values. It is read with the Node of that n8n, since SQLite comes along with it.
 */
export async function tablesOf(userFolder: string): Promise<Record<string, string>> {
  const { stdout } = await run(hostNode(), [
    '-e',
    script,
    join(userFolder, '.n8n', 'database.sqlite'),
  ]);
  return JSON.parse(stdout) as Record<string, string>;
}
