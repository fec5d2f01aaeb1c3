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

  constructor(private readonly folders: string[]) {}

  /** The number of files so far. A package that hasn't grown since the last count isn't counted again. */
  async count(): Promise<number> {
    for (const folder of this.folders) {
      if (this.settled.has(folder)) continue;
      const files = await filesIn(folder);
      if (files > 0 && files === this.counts.get(folder)) this.settled.add(folder);
      this.counts.set(folder, files);
    }
    return [...this.counts.values()].reduce((sum, files) => sum + files, 0);
  }
}
