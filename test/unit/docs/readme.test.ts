import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { read } from './documents';

const readme = read('README.md');

test('the README says that a version is not released for as long as it is not', () => {
  const [, version = '', state] = /^## (\S+) \((.+)\)$/m.exec(read('CHANGELOG.md')) ?? [];
  const { version: packed } = JSON.parse(read('package.json')) as { version: string };
  expect(version).toBe(packed);
  expect(readme.includes(`Version ${version} is not released yet`)).toBe(state === 'unreleased');
});

/** The data of each chunk of a PNG that has the type. */
function chunksOf(png: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === type) found.push(data);
  }
  return found;
}

test('the moving picture is small, short and endless', () => {
  const [, path = ''] = /^!\[[^\]]+\]\((.+)\)$/m.exec(readme) ?? [];
  const picture = readFileSync(join(repositoryDir, path));
  const [control] = chunksOf(picture, 'acTL');
  const seconds = chunksOf(picture, 'fcTL').map(
    (frame) => frame.readUInt16BE(20) / frame.readUInt16BE(22),
  );

  expect(picture.length).toBeLessThan(3_000_000);
  expect(control?.readUInt32BE(0)).toBe(seconds.length);
  expect(control?.readUInt32BE(4)).toBe(0);
  expect(seconds.length).toBeGreaterThan(20);
  expect(seconds.reduce((sum, one) => sum + one, 0)).toBeLessThan(20);
});
