import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { anchor, documents, headings, read } from './documents';

const SERVICE = 'docs/service.md';

const sources = ['credentials', 'nodes', 'sandbox', 'scripts'].flatMap((folder) =>
  readdirSync(join(repositoryDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

/** The headings of the service's document that a source file names. */
function referencesIn(file: string): string[] {
  const text = read(file).replace(/\s*\n\s*\*\s*/g, ' ');
  return [...text.matchAll(/docs\/service\.md, "([^"]*)"/g)].map(([, heading = '']) => heading);
}

test('each heading of the service is there once, so that a reference finds it', () => {
  const all = headings(SERVICE);
  expect(all.filter((heading, index) => all.indexOf(heading) !== index)).toEqual([]);
});

test('each reference to the service names one of its headings', () => {
  const known = new Set(headings(SERVICE));
  const references = sources.flatMap((file) =>
    referencesIn(file).map((heading) => ({ file, heading })),
  );
  expect(references.length).toBeGreaterThan(30);
  expect(references.filter(({ heading }) => !known.has(heading))).toEqual([]);
});

test('no source refers to the service in another style', () => {
  const others = sources.filter((file) => /\(specification[,:]|DESIGN/.test(read(file)));
  expect(others).toEqual([]);
});

test.each(documents)('each link of %s leads somewhere', (document) => {
  const links = [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  const broken = links.filter((link) => {
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? document : normalize(join(dirname(document), path));
    if (!existsSync(join(repositoryDir, target))) return true;
    return fragment !== undefined && !headings(target).map(anchor).includes(fragment);
  });
  expect(broken).toEqual([]);
});
