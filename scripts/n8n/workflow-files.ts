import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryDir } from './paths';
import type { WorkflowFile } from './rest';

const folder = join(repositoryDir, 'examples');

/** The names of the example workflows, without `.json`. */
export const exampleNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length));

/** Reads the example workflow `examples/<name>.json`. */
export async function readExample(name: string): Promise<WorkflowFile> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8');
  return JSON.parse(text) as WorkflowFile;
}
