import { appendFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Manifest } from './manifest';

const journalFile = (folder: string): string => join(folder, 'unpacked.log');

/** What npm logs when a package has been unpacked, with `--timing` and the level `info`. */
const UNPACKED = /^npm timing reifyNode:(\S+) Completed/;

/** The folder of the package that a line of npm says is complete. */
export const unpackedIn = (line: string): string | undefined => UNPACKED.exec(line)?.[1];

/** Records that a package has been unpacked, for `keepUnpacked`. */
export const recordUnpacked = (folder: string, path: string): void =>
  appendFileSync(journalFile(folder), `${path}\n`);

/** What the journal says: of which installation, and which packages have been unpacked. */
async function readJournal(folder: string): Promise<[of: string | undefined, ...paths: string[]]> {
  const text = await readFile(journalFile(folder), 'utf8').catch(() => '');
  // What follows the last line end may be cut off.
  const [of, ...paths] = text.split('\n').slice(0, -1);
  return [of, ...paths];
}

/** The folders of the packages that are complete. */
export async function unpackedSoFar(folder: string): Promise<ReadonlySet<string>> {
  const [, ...paths] = await readJournal(folder);
  return new Set(paths);
}

/** The packages in a folder of node_modules, and those below them. */
async function packagesIn(folder: string, at = 'node_modules'): Promise<string[]> {
  const entries = await readdir(join(folder, at)).catch(() => []);
  const nested = entries.map(async (name) => {
    const path = `${at}/${name}`;
    if (name.startsWith('@')) return await packagesIn(folder, path);
    return [path, ...(await packagesIn(folder, `${path}/node_modules`))];
  });
  return (await Promise.all(nested)).flat();
}

/**
 * Keeps the packages that an interrupted npm had unpacked, as npm's own record of the folder says it
 * then, and deletes the others, which may be there in part.
 *
 * @param lock the lockfile with which npm will go on
 * @returns how many packages are kept
 */
export async function keepUnpacked(
  folder: string,
  { fingerprint }: Manifest,
  lock: Manifest['lock'],
): Promise<number> {
  const [of, ...journal] = await readJournal(folder);
  const unpacked = new Set(of === fingerprint ? journal : []);
  // A package inside of one that goes, goes too.
  const isWhole = (path: string): boolean =>
    path.split('/node_modules/').every((_, depth, parts) => {
      const ancestor = parts.slice(0, depth + 1).join('/node_modules/');
      return unpacked.has(ancestor) && ancestor in lock.packages;
    });
  const there = await packagesIn(folder);
  const kept = there.filter(isWhole);
  if (kept.length === 0) {
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
  } else {
    for (const path of there.filter((one) => !isWhole(one))) {
      await rm(join(folder, path), { recursive: true, force: true });
    }
    const packages = Object.fromEntries(kept.map((path) => [path, lock.packages[path]]));
    const record = { ...lock, packages };
    await writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify(record));
  }
  await writeFile(journalFile(folder), [fingerprint, ...kept, ''].join('\n'));
  return kept.length;
}
