import { readFile, writeFile } from 'node:fs/promises';

/** The processor time that a process has used, in milliseconds, see proc(5). */
export async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * By how much the memory of a process grows while something runs: its peak resident memory less
 * what it had before, see proc(5).
 *
 * @returns in MB
 */
export async function memoryTaken(pid: number, run: () => Promise<unknown>): Promise<number> {
  // 5 resets the peak.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await read(pid, 'VmRSS');
  await run();
  return (await read(pid, 'VmHWM')) - before;
}

async function read(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`The memory of process ${pid} cannot be read.`);
  return Number(kilobytes) / 1024;
}
