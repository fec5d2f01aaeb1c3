import { read } from './documents';

const readme = read('README.md');

test('the README says that a version is not released for as long as it is not', () => {
  const [, version = '', state] = /^## (\S+) \((.+)\)$/m.exec(read('CHANGELOG.md')) ?? [];
  const { version: packed } = JSON.parse(read('package.json')) as { version: string };
  expect(version).toBe(packed);
  expect(readme.includes(`Version ${version} is not released yet`)).toBe(state === 'unreleased');
});
