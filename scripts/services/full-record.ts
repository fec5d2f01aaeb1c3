import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { MAX_KEYS } from '../../nodes/SocialPublishing/idempotency/store';
import { installationOf } from '../n8n/installation';
import type { Postgres } from './postgres';

const run = promisify(execFile);

/** Fills the records of all nodes that have one. */
export type FillRecords = () => Promise<void>;

/** n8n keeps the entries of a node as one JSON text. Each has 24 characters, as an MD5 in Base64. */
const FILL_IN_SQLITE = `
  const { DatabaseSync } = require('node:sqlite');
  const [file, entries] = process.argv.slice(1);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 10000');
  database.prepare(\`
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
    UPDATE processed_data SET value = json_object(
      'mode', 'entries', 'data', (SELECT json_group_array(hex(randomblob(12))) FROM numbers)
    )\`).run(Number(entries));
`;

/** Fills the records in the SQLite database of the n8n in a user folder. */
export const fillInSqlite =
  (userFolder: string): FillRecords =>
  async () => {
    const file = join(userFolder, '.n8n', 'database.sqlite');
    await run(installationOf().node, ['-e', FILL_IN_SQLITE, file, String(MAX_KEYS)]);
  };

/** Fills the records in a PostgreSQL database. */
export const fillInPostgres =
  (postgres: Postgres): FillRecords =>
  async () => {
    await postgres.execute(`
      UPDATE processed_data SET value = json_build_object('mode', 'entries', 'data', (
        SELECT json_agg(left(md5(random()::text), 24)) FROM generate_series(1, ${MAX_KEYS})
      ))::text`);
  };
