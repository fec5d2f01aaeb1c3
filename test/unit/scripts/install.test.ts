import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileCounter } from '../../../scripts/n8n/file-counter';
import { progressText } from '../../../scripts/n8n/install';
import { installationOf } from '../../../scripts/n8n/installation';
import { readManifest, withAddresses } from '../../../scripts/n8n/manifest';
import { missingToolsText } from '../../../scripts/n8n/native';

const progress = { files: 0, total: 200_000, elapsed: 60, isUnpacked: false, isBuilding: false };

test.each([
  [{ files: 100 }, /^ {2}0 %, 100 of 200,000 files, 60 s so far$/],
  [{ files: 50_000 }, /^ {2}25 %, .*, about 180 s left$/],
  [{ files: 250_000 }, /^ {2}99 %, 250,000 of 200,000 files, 60 s so far$/],
  [{ files: 50_000, total: undefined }, /^ {2}50,000 files, 60 s so far$/],
  [{ isUnpacked: true, isBuilding: true }, /^ {2}All .*, 60 s so far, building the database/],
])('the progress of %j tells what is known', (state, text) => {
  expect(progressText({ ...progress, ...state })).toMatch(text);
});

describe('the files of packages', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'files-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('are counted in each package, and not again once it has stopped growing', async () => {
    const [outer, inner] = [join(folder, 'outer'), join(folder, 'outer', 'node_modules', 'inner')];
    const counter = new FileCounter([outer, inner, join(folder, 'missing')]);
    expect(await counter.count()).toBe(0);
    await mkdir(join(inner, 'lib'), { recursive: true });
    await writeFile(join(outer, 'package.json'), '');
    await writeFile(join(inner, 'lib', 'index.js'), '');
    expect(await counter.count()).toBe(2);
    await writeFile(join(inner, 'package.json'), '');
    expect(await counter.count()).toBe(3);
    await writeFile(join(outer, 'late'), '');
    expect(await counter.count()).toBe(3);
  });
});

test.each([
  [undefined, ['']],
  ['1.100.1', ['', 'node_modules/@n8n/n8n-nodes-langchain', 'node_modules/n8n/stub']],
])('of n8n %s, all packages but those on this disk get an address', async (version, local) => {
  const { lock, packageFolders } = await readManifest(installationOf(version));
  const { packages } = withAddresses(lock, 'https://registry.example/npm');
  const without = Object.keys(packages).filter(
    (path) => !packages[path]?.resolved?.startsWith('https://registry.example/npm/'),
  );
  expect(without).toEqual(local);
  expect(packageFolders.length).toBeGreaterThan(1_000);
});

test('an address has the name that a package was published under', () => {
  const packages = {
    'node_modules/a/node_modules/@scope/b': { version: '1.0.0' },
    'node_modules/alias': { version: '2.0.0', name: '@scope/real' },
  };
  const addresses = Object.values(withAddresses({ packages }, 'https://r.example').packages);
  expect(addresses.map(({ resolved }) => resolved)).toEqual([
    'https://r.example/@scope/b/-/b-1.0.0.tgz',
    'https://r.example/@scope/real/-/real-2.0.0.tgz',
  ]);
});

test.each([
  [['make'], /, and make is missing\. Install it .*apt-get install make\)/],
  [['make', 'g++'], /, and make and g\+\+ are missing\. .*apt-get install make g\+\+\)/],
])('what a compiler lacks is named: %j', (missing, text) => {
  expect(missingToolsText(missing)).toMatch(text);
});
