import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The number of files in a folder, without the packages below it; 0 when it is not there. */
async function filesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let count = 0;
  for (const entry of entries) {
    if (entry.isFile()) count += 1;
    else if (entry.isDirectory() && entry.name !== 'node_modules') {
      count += await filesIn(join(folder, entry.name));
    }
  }
  return count;
}

/** Counts the files of packages while they are being unpacked. */
export class FileCounter {
  private readonly counts = new Map<string, number>();
  private readonly settled = new Set<string>();

  /** @param paths of the packages, below the folder */
  constructor(
    private readonly folder: string,
    private readonly paths: string[],
  ) {}

  /**
   * The number of files so far.
   *
   * @param whole the packages that have all of their files: they are counted once more, and then no longer
   */
  async count(whole: ReadonlySet<string>): Promise<number> {
    for (const path of this.paths) {
      if (this.settled.has(path)) continue;
      this.counts.set(path, await filesIn(join(this.folder, path)));
      if (whole.has(path)) this.settled.add(path);
    }
    return [...this.counts.values()].reduce((sum, files) => sum + files, 0);
  }
}
