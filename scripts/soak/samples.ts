import { readFile } from 'node:fs/promises';

import type { QueueMode } from '../services/queue-mode';

/** What was measured at one moment. */
export interface Sample {
  /** Seconds since the start. */
  seconds: number;
  /** Memory (PSS) of each process and the processes that it started, in MB. */
  memory: Record<string, number>;
  /** Rows by table, of all tables that have any. */
  rows: Record<string, number>;
  /** Size of each table with its indexes and its large values, in MB. */
  size: Record<string, number>;
}

/** Reads a file about a process. A process that has just ended has none, and uses nothing. */
async function readAbout(pid: number, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** The memory of a process and of those that it started, in kB. Shared memory counts once. */
async function memoryOf(pid: number): Promise<number> {
  const own = /^Pss:\s+(\d+) kB/m.exec(await readAbout(pid, 'smaps_rollup'))?.[1] ?? 0;
  const children = (await readAbout(pid, `task/${pid}/children`)).split(' ').filter(Boolean);
  const memory = await Promise.all(children.map((child) => memoryOf(Number(child))));
  return memory.reduce((sum, each) => sum + each, Number(own));
}

const TABLES = `SELECT relname AS name,
  (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::int AS rows,
  pg_total_relation_size(relid) / 1e6 AS size
  FROM pg_stat_user_tables`;

/** Measures the memory of every process, and counts the rows of every table and its size. */
export async function takeSample(queue: QueueMode, seconds: number): Promise<Sample> {
  const pids = new Map([...queue.processes].map(([name, { pid }]) => [name, pid]));
  pids.set('PostgreSQL', queue.postgres.pid).set('Redis', queue.redis.pid);
  const memory = await Promise.all(
    [...pids].map(async ([name, pid]) => [name, Math.round((await memoryOf(pid)) / 1024)] as const),
  );
  const tables = (await queue.postgres.query(TABLES)) as Array<{
    name: string;
    rows: number;
    size: number;
  }>;
  const filled = tables.filter(({ rows }) => rows > 0);
  return {
    seconds,
    memory: Object.fromEntries(memory),
    rows: Object.fromEntries(filled.map(({ name, rows }) => [name, rows])),
    size: Object.fromEntries(filled.map(({ name, size }) => [name, Number(size.toFixed(2))])),
  };
}
