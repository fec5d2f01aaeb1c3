import { missingIn, releaseOf, type ReleaseSources } from '../../../scripts/release/missing';

const manifest = {
  name: 'n8n-nodes-sample',
  version: '1.2.3',
  author: { name: 'Ada Lovelace', email: 'ada@lovelace.org' },
  repository: { type: 'git', url: 'git+https://github.com/ada/sample.git' },
};

const branch = (head: string, ahead?: string) =>
  `# branch.oid 1f\n# branch.head ${head}\n${ahead ? `# branch.ab ${ahead}\n` : ''}`;

const complete: ReleaseSources = {
  manifest: JSON.stringify(manifest),
  changelog: '# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- First.\n\n## 1.2.2 (unreleased)\n',
  documents: { 'SECURITY.md': 'Write to security@lovelace.org.' },
  status: branch('main', '+0 -0'),
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
  ['a clean work tree', { status: `${complete.status}1 .M N... README.md\n` }, /^git: commit/],
  ['a new file in git', { status: `${complete.status}? new.ts\n` }, /^git: commit/],
  ['the branch main', { status: branch('work', '+0 -0') }, /^git.* main instead of work/],
  ['a push', { status: branch('main', '+1 -0') }, /^git: push/],
  ['a pull', { status: branch('main', '+0 -2') }, /^git: push/],
  ['a branch that others have', { status: branch('main') }, /^git: push/],
])('a release without %s is not ready', (_, change, expected) => {
  expect(missingIn({ ...complete, ...change })).toEqual([
    expect.stringMatching(expected) as string,
  ]);
});
