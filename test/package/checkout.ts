import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryDir } from '../../scripts/n8n/paths';

/** All that a build of the package reads. */
const BUILD_INPUTS = [
  'credentials',
  'nodes',
  'gulpfile.js',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'LICENSE',
  'README.md',
];

/**
 * Copies what the package is built from into `folder`, which borrows the installed dependencies.
 *
 * @param more other files and folders to copy
 */
export async function checkOut(folder: string, more: string[] = []): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const input of [...BUILD_INPUTS, ...more]) {
    await cp(join(repositoryDir, input), join(folder, input), { recursive: true });
  }
  await symlink(join(repositoryDir, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
