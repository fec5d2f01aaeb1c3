import { extname } from 'node:path';
import { readShared } from './support/shared';

const { packed } = readShared();

test('the tarball holds dist, README, LICENSE and package.json, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  const others = paths.filter(
    (path) => !/^(dist\/.+|LICENSE|README\.md|package\.json)$/.test(path),
  );
  expect(others).toEqual([]);
});

test('dist holds what n8n reads: code, icons, codex files and schemas', () => {
  const kinds = new Set(packed.files.map(({ path }) => extname(path)));
  expect([...kinds].sort()).toEqual(['', '.js', '.json', '.md', '.svg']);
});

test('the tarball is under 100 kB unpacked', () => {
  expect(packed.unpackedSize).toBeLessThan(100_000);
});
