import { missingIn, releaseOf, type ReleaseSources } from '../../../scripts/release/missing';

const manifest = {
  name: 'n8n-nodes-sample',
  version: '1.2.3',
  author: { name: 'Ada Lovelace', email: 'ada@lovelace.org' },
  repository: { type: 'git', url: 'git+https://github.com/ada/sample.git' },
};

const complete: ReleaseSources = {
  manifest: JSON.stringify(manifest),
  changelog: '# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- First.\n\n## 1.2.2 (unreleased)\n',
  documents: { 'SECURITY.md': 'Write to security@lovelace.org.' },
  changes: '',
  tags: ['v1.2.2'],
};

const withAuthor = (author: Partial<typeof manifest.author>) =>
  JSON.stringify({ ...manifest, author: { ...manifest.author, ...author } });

test('a complete release lacks nothing', () => {
  expect(releaseOf(complete)).toEqual({
    name: 'n8n-nodes-sample',
    version: '1.2.3',
    page: 'https://github.com/ada/sample',
  });
  expect(missingIn(complete)).toEqual([]);
});

test.each<[string, Partial<ReleaseSources>, RegExp]>([
  ["an author's address", { manifest: withAuthor({ email: 'a@b.example' }) }, /a@b\.example/],
  ['an author', { manifest: withAuthor({ name: 'Sample maintainers' }) }, /Sample maintainers/],
  ['an address', { documents: { 'SECURITY.md': 'Write to x@y.example.' } }, /x@y\.example/],
  ['a release', { documents: { 'README.md': '1.2.3 is not released yet.' } }, /^README\.md/],
  ['a date', { changelog: '## 1.2.3 (unreleased)\n' }, /^CHANGELOG\.md.*unreleased/],
  ['an entry', { changelog: '## 1.2.2 (2026-11-01)\n' }, /^CHANGELOG\.md.*1\.2\.3/],
  ['a changelog', { changelog: '' }, /^CHANGELOG\.md/],
  ['a free tag', { tags: ['v1.2.3'] }, /v1\.2\.3/],
  ['a clean work tree', { changes: ' M README.md\n' }, /^git/],
])('a release without %s is not ready', (_, change, expected) => {
  expect(missingIn({ ...complete, ...change })).toEqual([
    expect.stringMatching(expected) as string,
  ]);
});
