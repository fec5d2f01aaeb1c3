import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

/** What tells a process from a later one with the same number: when it started. */
export const processIdentity = z.object({
  pid: z.number().int().positive(),
  started: z.string().min(1),
});
export type ProcessIdentity = z.infer<typeof processIdentity>;

interface ProcessEntry extends ProcessIdentity {
  name: string;
  parentPid: number;
}

/** Looks a process up; undefined when there is none with this number, or only its remains. */
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

/** Writes a process down, to ask later whether it is still the same; undefined when it has ended. */
export function identify(pid: number): ProcessIdentity | undefined {
  const entry = entryOf(pid);
  return entry && { pid, started: entry.started };
}

/** Whether this very process still runs. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  return entryOf(pid)?.started === started;
}

/**
 * The processes between this one and the npm that runs it, npm included; empty when there is none.
 * When one of them is killed, this process is on its own without being told.
 */
export function launchers(): ProcessIdentity[] {
  const found: ProcessIdentity[] = [];
  for (let entry = entryOf(process.ppid); entry; entry = entryOf(entry.parentPid)) {
    found.push({ pid: entry.pid, started: entry.started });
    if (entry.name.startsWith('npm')) return found;
  }
  return [];
}
