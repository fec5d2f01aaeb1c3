import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { repositoryDir, workDir } from '../../../scripts/n8n/paths';

/**
 * Keeps a picture for a person to look at, in `.n8n/screenshots`; a folder in its name is made. With
 * PICTURES=docs it also replaces the one of that name in `docs/images`, if there is one.
 */
export async function keepPicture(name: string, png: Buffer): Promise<void> {
  const kept = join(workDir(), 'screenshots', `${name}.png`);
  await mkdir(dirname(kept), { recursive: true });
  await writeFile(kept, png);
  const shown = join(repositoryDir, 'docs', 'images', `${name}.png`);
  if (process.env['PICTURES'] === 'docs' && existsSync(shown)) await writeFile(shown, png);
}
