import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { identify, isAlive, type ProcessIdentity, processIdentity } from './processes';
import { SetupError } from './setup-error';

function holderOf(file: string): ProcessIdentity | undefined {
  try {
    return processIdentity.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Claims a folder for this process, until it ends. A process that was killed no longer has its claim.
 *
 * @throws SetupError when another process that is still running has claimed the folder
 */
export function claim(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'claim.json');
  const holder = holderOf(file);
  if (holder?.pid === process.pid) return;
  if (holder && isAlive(holder)) {
    throw new SetupError(
      `Another run (process ${holder.pid}) is using ${folder}. Wait for it, or press Ctrl+C there.`,
    );
  }
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(identify(process.pid)), { flag: 'wx' });
  process.once('exit', () => rmSync(file, { force: true }));
}
