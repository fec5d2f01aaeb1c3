import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { MAX_KEYS } from '../nodes/SocialPublishing/idempotency/store';
import {
  CONDITIONS,
  costTable,
  type DatabaseName,
  growth,
  growthTable,
  logCost,
} from './bench/log';
import { allowNoLog } from './bench/without-log';
import { installHost } from './n8n/install';
import { N8nInstance } from './n8n/instance';
import { buildAndPack, installPackage } from './n8n/pack';
import { workDir } from './n8n/paths';
import { type LogDatabase, logsInPostgres, logsInSqlite } from './services/logs';
import { Postgres } from './services/postgres';

const usage = `npm run bench:log -- [--rounds N] [--posts N,N] [--growth N]

Measures what the log of sent posts costs. The same workflow runs without a log,
with an empty one, and with a full one of ${MAX_KEYS.toLocaleString('en')} entries, in turn: in a real n8n with
SQLite, then with PostgreSQL, against the sandbox with ${CONDITIONS.latencyMs} ms of latency.

  --rounds N   how many times to measure each of the three (5)
  --posts N,N  how many posts one execution creates (${CONDITIONS.counts.join(',')})
  --growth N   also show how the log grows while N posts are created (0: skip)`;

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
  const growthPosts = Number(values.growth);
  const counts = values.posts.split(',').map(Number);
  const userFolder = join(workDir(), 'bench-log');
  const version = await installHost((line) => console.log(line));
  await rm(userFolder, { recursive: true, force: true });
  const packed = await buildAndPack(userFolder);
  console.log(`n8n ${version}, medians of ${rounds} rounds`);
  const folderOf = (database: DatabaseName) => join(userFolder, database);
  const measureIn = async (
    database: DatabaseName,
    logs: LogDatabase,
    environment: Record<string, string> = {},
  ) => {
    const folder = folderOf(database);
    await installPackage(packed, folder);
    await allowNoLog(packed, folder);
    const n8n = await N8nInstance.start({ userFolder: folder, environment });
    try {
      console.log(costTable(database, await logCost(n8n, counts, rounds, logs)));
      if (growthPosts > 0) {
        console.log(growthTable(database, await growth(n8n, logs, growthPosts)));
      }
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
