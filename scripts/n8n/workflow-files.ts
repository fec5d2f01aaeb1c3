import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryDir } from './paths';
import type { WorkflowFile } from './rest';

/** Reads the example workflow `examples/<name>.json`. */
export async function readExample(name: string): Promise<WorkflowFile> {
  const text = await readFile(join(repositoryDir, 'examples', `${name}.json`), 'utf8');
  return JSON.parse(text) as WorkflowFile;
}
