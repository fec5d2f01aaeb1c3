import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse as parseFlatted } from 'flatted';
import type { ExecutionStatus, IRunExecutionData } from 'n8n-workflow';

import { hostNode } from '../../../scripts/n8n/paths';
import type { Execution } from '../../../scripts/n8n/rest';

const MAX_BYTES = 256 * 1024 * 1024;

const run = promisify(execFile);

/** Opens the database, and prints as JSON what `read` makes of it and of the further arguments. */
const reading = (read: string) => `
  const { DatabaseSync } = require('node:sqlite');
  const { createHash } = require('node:crypto');
  const [file, ...parameters] = process.argv.slice(1);
  const database = new DatabaseSync(file, { readOnly: true });
  console.log(JSON.stringify((${read})(...parameters)));
`;

/** The number of rows and a digest of the content of each table. */
const digests = reading(`() => {
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
}`);

/** The executions of a workflow with their data. */
const executions = reading(`(workflowId) => database.prepare(
  'SELECT id, status, data FROM execution_entity JOIN execution_data ON executionId = id WHERE workflowId = ?'
).all(workflowId)`);

/** Reads n8n's database with the Node of that n8n, since SQLite comes along with it. */
async function read(userFolder: string, script: string, ...parameters: string[]): Promise<unknown> {
  const file = join(userFolder, '.n8n', 'database.sqlite');
  const { stdout } = await run(hostNode(), ['-e', script, file, ...parameters], {
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

/** An execution as n8n has stored it. */
export type StoredExecution = Pick<Execution, 'status' | 'data'>;

/** All executions of a workflow. */
export async function executionsOf(
  userFolder: string,
  workflowId: string,
): Promise<StoredExecution[]> {
  const rows = (await read(userFolder, executions, workflowId)) as Array<{
    status: ExecutionStatus;
    data: string;
  }>;
  return rows.map(({ status, data }) => ({
    status,
    data: parseFlatted(data) as IRunExecutionData,
  }));
}
