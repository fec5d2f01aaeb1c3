import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { read } from './documents';

const DOCUMENT = 'docs/self-hosting.md';

const byAge = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

/** The versions of n8n that `npm run test:versions` can install, the oldest first. */
const tested = readdirSync(join(repositoryDir, 'n8n-host', 'versions')).sort(byAge);

/** The versions before which n8n lacks something, the oldest first. */
const boundaries = [...read(DOCUMENT).matchAll(/^- \*\*Before ([\d.]+):\*\*/gm)]
  .map(([, version = '']) => version)
  .sort(byAge);

test('the document names each older version that is tested', () => {
  const lines = read(DOCUMENT).match(/^- [\d.]+.*, with Node\.js \d+$/gm) ?? [];
  const named = lines.flatMap((line) => line.match(/\d+\.\d+\.\d+/g) ?? []);
  expect(named.sort(byAge)).toEqual(tested);
});

test.each(boundaries)('a test in n8n knows what is lacking before %s', (version) => {
  const folder = join('test', 'n8n');
  const asking = readdirSync(join(repositoryDir, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => read(join(folder, file)).includes(`isSince('${version}')`));
  expect(asking).not.toEqual([]);
});

test.each(['README.md', DOCUMENT, 'CHANGELOG.md'])(
  '%s recommends the n8n that lacks nothing, and names the oldest that works',
  (document) => {
    const text = read(document).replace(/\s+/g, ' ');
    const oldest = /(?:needs|For) n8n (\d+\.\d+) or later/.exec(text)?.[1];
    const recommended =
      /we recommend (\d+\.\d+) or later/i.exec(text) ??
      /(\d+\.\d+) or later recommended/.exec(text);
    expect(tested[0]?.startsWith(`${oldest}.`)).toBe(true);
    expect(recommended?.[1]).toBe(boundaries.at(-1));
  },
);
