import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryDir } from './paths';

/** The folders that are compiled, and the files that say how. */
const SOURCES = ['credentials', 'nodes'];
const SETTINGS = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js'];

/** In whole seconds: copies keep no smaller parts of a time. */
const changedAt = async (path: string): Promise<number> =>
  Math.floor((await stat(path)).mtimeMs / 1000);

/** When each file in a folder was last changed, in whole seconds, by its path below the folder. */
async function filesIn(folder: string): Promise<Map<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, number]> => {
        return [path.slice(folder.length + 1), await changedAt(path)];
      }),
    ),
  );
}

/** Whether `dist` is what a build of the package would make, by the names and times of its files. */
export async function isBuilt(source: string = repositoryDir): Promise<boolean> {
  const settings = await Promise.all(SETTINGS.map((file) => changedAt(join(source, file))));
  const settled = Math.max(...settings);
  for (const folder of SOURCES) {
    const wanted = await filesIn(join(source, folder));
    const built = await filesIn(join(source, 'dist', folder)).catch(
      () => new Map<string, number>(),
    );
    if (built.size !== wanted.size) return false;
    for (const [path, changed] of wanted) {
      const time = built.get(path.replace(/\.ts$/, '.js'));
      if (time === undefined || time < changed) return false;
      if (path.endsWith('.ts') && time < settled) return false;
    }
  }
  return true;
}
