import { readFile } from 'node:fs/promises';

import type { QueueMode } from '../services/queue-mode';

/** What was measured at one moment. */
export interface Sample {
  /** Seconds since the start. */
  seconds: number;
  /** Memory (RSS) by process, in MB. */
  memory: Record<string, number>;
  /** Rows by table, of all tables that have any. */
  rows: Record<string, number>;
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024);
}

const ROWS = `SELECT relname AS table,
  (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::int AS rows
  FROM pg_stat_user_tables`;

/** Measures the memory of every process and counts the rows of every table. */
export async function takeSample(queue: QueueMode, seconds: number): Promise<Sample> {
  const pids = new Map([...queue.processes].map(([name, { pid }]) => [name, pid]));
  pids.set('Redis', queue.redis.pid);
  const memory = await Promise.all(
    [...pids].map(async ([name, pid]) => [name, await memoryOf(pid)] as const),
  );
  const rows = (await queue.postgres.query(ROWS)) as Array<{ table: string; rows: number }>;
  return {
    seconds,
    memory: Object.fromEntries(memory),
    rows: Object.fromEntries(
      rows.filter(({ rows }) => rows > 0).map(({ table, rows }) => [table, rows]),
    ),
  };
}
