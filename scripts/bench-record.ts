import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { MAX_KEYS } from '../nodes/SocialPublishing/idempotency/store';
import {
  type Condition,
  CONDITIONS,
  growth,
  growthTable,
  recordCost,
  recordTable,
} from './bench/record';
import { allowNoLog } from './bench/without-log';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { workDir } from './n8n/paths';
import { type LogDatabase, logsInPostgres, logsInSqlite } from './services/full-record';
import { Postgres } from './services/postgres';

const usage = `npm run bench:record -- [--rounds N] [--posts N,N] [--growth N]

Measures what the log costs that our node keeps in n8n's database of what it
sends: the same workflow without a log, with a new one, and with a full one of
${MAX_KEYS.toLocaleString('en')} entries, in turn, in a real n8n with SQLite and with PostgreSQL, against the
sandbox with ${CONDITIONS.latencyMs} ms of latency.

  --rounds N   how often each way is measured (5)
  --posts N,N  how many posts an execution creates (${CONDITIONS.counts.join(',')})
  --growth N   also show how large the log becomes with so many posts (0)`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      posts: { type: 'string', default: CONDITIONS.counts.join(',') },
      growth: { type: 'string', default: '0' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const rounds = Number(values.rounds);
  const posts = Number(values.growth);
  const counts = values.posts.split(',').map(Number);
  const userFolder = join(workDir(), 'bench-record');
  const version = await installHost((line) => console.log(line));
  await rm(userFolder, { recursive: true, force: true });
  const packed = await buildAndPack(userFolder);
  console.log(`n8n ${version}, medians of ${rounds} rounds`);
  const folderOf = (database: Condition) => join(userFolder, database);
  const measureIn = async (
    database: Condition,
    logs: LogDatabase,
    environment: Record<string, string> = {},
  ) => {
    const folder = folderOf(database);
    await installPackage(packed, folder);
    await allowNoLog(packed, folder);
    const n8n = await N8nInstance.start({ userFolder: folder, environment });
    try {
      console.log(recordTable(database, await recordCost(n8n, counts, rounds, logs)));
      if (posts > 0) console.log(growthTable(database, await growth(n8n, logs, posts)));
    } finally {
      await n8n.stop();
    }
  };
  await measureIn('SQLite', logsInSqlite(folderOf('SQLite')));
  const postgres = await Postgres.start(userFolder);
  try {
    await measureIn('PostgreSQL', logsInPostgres(postgres), postgres.environment);
  } finally {
    await postgres.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
