import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryDir } from '../../../scripts/n8n/paths';

/** Paths of the documents, relative to the repository. */
export const documents: string[] = [
  ...readdirSync(repositoryDir).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repositoryDir, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'examples/README.md',
  'sandbox/README.md',
];

export const read = (path: string): string => readFileSync(join(repositoryDir, path), 'utf8');

/** The text of each heading of a document, without its markup. */
export const headings = (path: string): string[] =>
  [...read(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text.replace(/[`*_]/g, ''));

/** The anchor that GitHub gives to a heading. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');
