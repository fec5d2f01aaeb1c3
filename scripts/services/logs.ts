import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { MAX_KEYS } from '../../nodes/SocialPublishing/idempotency/store';
import { installationOf } from '../n8n/installation';
import type { Postgres } from './postgres';

const run = promisify(execFile);

/** Where n8n stores the logs of the nodes, each as one JSON text. */
export interface LogDatabase {
  /** Fills the logs of all nodes that have one. */
  fill(): Promise<void>;
  /** Deletes all logs. */
  clear(): Promise<void>;
  /** The size of all logs, and of their table with its old rows, in bytes. */
  size(): Promise<{ readonly log: number; readonly table: number }>;
}

const ON_SQLITE = `
  const { DatabaseSync } = require('node:sqlite');
  const [file, query] = process.argv.slice(1);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 10000');
  console.log(JSON.stringify(database.prepare(query).all()));
`;

/** Each entry has 24 characters, as an MD5 in Base64. */
const FILL_IN_SQLITE = `
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MAX_KEYS})
  UPDATE processed_data SET value = json_object(
    'mode', 'entries', 'data', (SELECT json_group_array(hex(randomblob(12))) FROM numbers)
  )`;

/** The SQLite database of the n8n in a user folder. SQLite overwrites the old row. */
export function logsInSqlite(userFolder: string): LogDatabase {
  const file = join(userFolder, '.n8n', 'database.sqlite');
  const query = async (sql: string): Promise<unknown[]> => {
    const { stdout } = await run(installationOf().node, ['-e', ON_SQLITE, file, sql]);
    return JSON.parse(stdout) as unknown[];
  };
  return {
    fill: async () => void (await query(FILL_IN_SQLITE)),
    clear: async () => void (await query('DELETE FROM processed_data')),
    size: async () => {
      const [row] = await query(
        'SELECT coalesce(sum(length(value)), 0) AS bytes FROM processed_data',
      );
      const { bytes } = row as { bytes: number };
      return { log: bytes, table: bytes };
    },
  };
}

/** A PostgreSQL database. It keeps old rows until it cleans up. */
export const logsInPostgres = (postgres: Postgres): LogDatabase => ({
  fill: async () =>
    await postgres.execute(`
      UPDATE processed_data SET value = json_build_object('mode', 'entries', 'data', (
        SELECT json_agg(left(md5(random()::text), 24)) FROM generate_series(1, ${MAX_KEYS})
      ))::text`),
  clear: async () => await postgres.execute('TRUNCATE processed_data'),
  size: async () => {
    const [row] = await postgres.query(`
      SELECT (SELECT coalesce(sum(length(value)), 0) FROM processed_data) AS log,
        pg_total_relation_size('processed_data') AS "table"`);
    return row as { log: number; table: number };
  },
});
