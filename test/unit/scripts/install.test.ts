import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FileCounter } from '../../../scripts/n8n/file-counter';
import { progressText } from '../../../scripts/n8n/install';
import { installationOf } from '../../../scripts/n8n/installation';
import { type Manifest, readManifest, withAddresses } from '../../../scripts/n8n/manifest';
import { missingToolsText } from '../../../scripts/n8n/native';
import { keepUnpacked, unpackedIn, unpackedSoFar } from '../../../scripts/n8n/resume';

const progress = {
  files: 0,
  total: 200_000,
  rate: 0,
  elapsed: 60,
  isUnpacked: false,
  isBuilding: false,
};

test.each([
  [{ files: 100 }, /^ {2}0 %, 100 of 200,000 files, 60 s so far$/],
  [{ files: 50_000, rate: 1_000 }, /^ {2}25 %, .*, about 150 s left$/],
  [{ files: 250_000, rate: 1_000 }, /^ {2}99 %, 250,000 of 200,000 files, 60 s so far$/],
  [{ files: 50_000, total: undefined, rate: 1_000 }, /^ {2}50,000 files, 60 s so far$/],
  [{ isUnpacked: true, isBuilding: true }, /^ {2}All .*, 60 s so far, building the database/],
])('the progress of %j tells what is known', (state, text) => {
  expect(progressText({ ...progress, ...state })).toMatch(text);
});

describe('in a folder of packages', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packages-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function put(...files: string[]): Promise<void> {
    for (const file of files) {
      await mkdir(join(folder, file, '..'), { recursive: true });
      await writeFile(join(folder, file), '');
    }
  }

  test('files are counted, and not again once their package is whole, however long it stood still', async () => {
    const [outer, inner] = ['outer', 'outer/node_modules/inner'];
    const counter = new FileCounter(folder, [outer, inner, 'missing']);
    expect(await counter.count(new Set())).toBe(0);
    await put('outer/package.json', 'outer/node_modules/inner/lib/index.js');
    expect(await counter.count(new Set())).toBe(2);
    expect(await counter.count(new Set())).toBe(2);
    await put('outer/node_modules/inner/package.json');
    expect(await counter.count(new Set([inner]))).toBe(3);
    await put('outer/node_modules/inner/late', 'outer/index.js');
    expect(await counter.count(new Set([inner]))).toBe(4);
  });

  const whole = ['node_modules/a', 'node_modules/@s/b', 'node_modules/c/node_modules/d'];
  const partial = ['node_modules/c', 'node_modules/e'];
  const paths = [...whole, ...partial];
  const lock = { packages: Object.fromEntries(paths.map((path) => [path, { version: '1.0.0' }])) };
  const manifest = { fingerprint: 'one', lock } as unknown as Manifest;
  const isThere = (path: string) => existsSync(join(folder, path, 'package.json'));

  async function interrupt(journal: string): Promise<void> {
    await put(...paths.map((path) => `${path}/package.json`), 'node_modules/.bin/a');
    await writeFile(join(folder, 'unpacked.log'), journal);
  }

  test('what was unpacked before an interruption stays, and npm is told', async () => {
    await interrupt(`one\n${whole.join('\n')}\nnode_modules/e`);
    expect([...(await unpackedSoFar(folder))]).toEqual(whole);
    expect(await keepUnpacked(folder, manifest, lock)).toBe(2);
    expect(paths.filter(isThere)).toEqual(['node_modules/a', 'node_modules/@s/b']);
    const record = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8');
    expect(JSON.parse(record)).toEqual({
      packages: {
        'node_modules/@s/b': { version: '1.0.0' },
        'node_modules/a': { version: '1.0.0' },
      },
    });
  });

  test('what was unpacked for another lockfile goes', async () => {
    await interrupt(`two\n${whole.join('\n')}\n`);
    expect(await keepUnpacked(folder, manifest, lock)).toBe(0);
    expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  });
});

test('npm says which package it has unpacked', () => {
  const line = 'npm timing reifyNode:node_modules/@s/b Completed in 12ms';
  expect(unpackedIn(line)).toBe('node_modules/@s/b');
  expect(unpackedIn('npm timing reify:unpack Completed in 45ms')).toBeUndefined();
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
