import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { z } from 'zod';

/** Identifies a process. Its start time tells it from a later process with the same number. */
export const processIdentity = z.object({
  pid: z.number().int().positive(),
  started: z.string().min(1),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

interface ProcessEntry extends ProcessIdentity {
  name: string;
  parentPid: number;
}

/** Looks up a process. Returns undefined when there is none with this number, or only a zombie. */
function entryOf(pid: number): ProcessEntry | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const [state, parentPid, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return undefined;
      return { pid, name, parentPid: Number(parentPid), started: more[17] ?? '' };
    }
    const columns = ['-o', 'lstart=', '-o', 'ppid=', '-o', 'comm='];
    const line = execFileSync('ps', [...columns, '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, started = '', parentPid, name = ''] = /^(.*?\d{4})\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return started ? { pid, name, parentPid: Number(parentPid), started } : undefined;
  } catch {
    return undefined;
  }
}

/** Identifies a running process, for a later `isAlive`. Returns undefined when it has ended. */
export function identify(pid: number): ProcessIdentity | undefined {
  const entry = entryOf(pid);
  return entry && { pid, started: entry.started };
}

/** Whether this process, and not another with the same number, is still running. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  return entryOf(pid)?.started === started;
}

/**
 * The processes from the parent of this one up to the npm that runs it, npm included. Empty without
 * npm. When one of them is killed, this process gets no signal.
 */
export function launchers(): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (let entry = entryOf(process.ppid); entry; entry = entryOf(entry.parentPid)) {
    found.push({ pid: entry.pid, started: entry.started });
    if (entry.name.startsWith('npm')) return found;
  }
  return [];
}
