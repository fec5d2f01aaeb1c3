import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';

import type { INodeType } from 'n8n-workflow';
import { z } from 'zod';

import { buildAndPack, type PackedPackage } from '../../scripts/n8n/pack';
import { repositoryDir } from '../../scripts/n8n/paths';
import { checkOut } from './checkout';
import { expressionsIn } from './expressions';

const run = promisify(execFile);

let folder: string;
let source: string;
let packed: PackedPackage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-publishing-package-'));
  source = await checkOut(join(folder, 'source'));
  packed = await buildAndPack(join(folder, 'packed'), source);
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function filesBelow(root: string, extension: string): Promise<string[]> {
  const files = await readdir(join(repositoryDir, root), { recursive: true });
  return files.filter((file) => extname(file) === extension).map((file) => join(root, file));
}

test('the tarball holds dist, README, LICENSE and package.json, and nothing else', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  const others = paths.filter(
    (path) => !/^(dist\/.+|LICENSE|README\.md|package\.json)$/.test(path),
  );
  expect(others).toEqual([]);
});

test('each source file is published as one file of the same name, beside its assets', async () => {
  const compiled = [
    ...(await filesBelow('credentials', '.ts')),
    ...(await filesBelow('nodes', '.ts')),
  ].map((file) => file.replace(/\.ts$/, '.js'));
  const assets = [
    ...(await filesBelow('credentials', '.svg')),
    ...(await filesBelow('nodes', '.svg')),
    ...(await filesBelow('nodes', '.json')),
  ];
  const published = packed.files.map(({ path }) => path).filter((path) => path.startsWith('dist/'));
  expect(published.sort()).toEqual([...compiled, ...assets].map((file) => `dist/${file}`).sort());
});

test('nothing is installed with it, and nothing runs when it is installed', async () => {
  const manifest = z
    .object({ scripts: z.record(z.string()) })
    .passthrough()
    .parse(JSON.parse(await readFile(join(source, 'package.json'), 'utf8')));
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(optionalD|bundledD|bundleD|d)ependencies$/)]),
  );
  expect(Object.keys(manifest.scripts)).not.toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^((pre|post)?(install|prepare)|(pre|post)?publish)$/),
    ]),
  );
});

test('the lockfile names no registry, and nothing of what the stub stands in for', async () => {
  const lock = z
    .object({ packages: z.record(z.object({ resolved: z.string().optional() })) })
    .parse(JSON.parse(await readFile(join(repositoryDir, 'package-lock.json'), 'utf8')));
  const resolved = Object.values(lock.packages).flatMap((entry) => entry.resolved ?? []);
  expect(resolved).toEqual(['scripts/stubs/ai-node-sdk']);
  expect(Object.keys(lock.packages)).not.toContain('node_modules/@n8n/ai-utilities');
});

test('published code loads nothing but what verified nodes may load', async () => {
  const code = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.js'));
  const modules = new Set<string>();
  for (const file of code) {
    const text = await readFile(join(source, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/\b(?:require|import)\(([^)]*)\)/g)) {
      if (!/^['"]\.\.?\//.test(name)) modules.add(name);
    }
  }
  const allowed = ['n8n-workflow', 'luxon', 'zod', 'lodash', 'moment', 'p-limit', 'crypto'];
  expect(modules).toContain('"n8n-workflow"');
  expect([...modules].filter((name) => !allowed.includes(name.slice(1, -1)))).toEqual([]);
});

test('the tarball is under 600 kB unpacked', () => {
  expect(packed.unpackedSize).toBeLessThan(600_000);
});

test('npm pack alone builds the same tarball byte for byte, in another folder', async () => {
  const another = await checkOut(join(folder, 'another', 'source'));
  await run('npm', ['pack', '--ignore-scripts=false'], { cwd: another });
  const again = join(another, basename(packed.tarball));
  expect(await readFile(again)).toEqual(await readFile(packed.tarball));
}, 300_000);

test('npm installs it with its default settings as exactly one package', async () => {
  const consumer = join(folder, 'consumer');
  await mkdir(consumer);
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  // Offline, a second package would have to be fetched, so the installation would fail.
  await run('npm', ['install', packed.tarball, '--offline'], {
    cwd: consumer,
    env: {
      ...Object.fromEntries(environment),
      npm_config_userconfig: join(folder, 'no-user.npmrc'),
      npm_config_globalconfig: join(folder, 'no-global.npmrc'),
    },
  });
  const lock = z
    .object({ packages: z.record(z.unknown()) })
    .parse(JSON.parse(await readFile(join(consumer, 'package-lock.json'), 'utf8')));
  expect(Object.keys(lock.packages).filter((path) => path !== '')).toEqual([
    'node_modules/n8n-nodes-social-publishing',
  ]);
  expect(
    (await readdir(join(consumer, 'node_modules'))).filter((name) => !name.startsWith('.')),
  ).toEqual(['n8n-nodes-social-publishing']);
});

describe('what n8n evaluates as an expression', () => {
  const load = (): unknown[] => {
    const requireBuilt = createRequire(join(source, 'package.json'));
    const { n8n } = requireBuilt('./package.json') as { n8n: { nodes: string[] } };
    return n8n.nodes
      .flatMap((file) =>
        Object.values(requireBuilt(`./${file}`) as Record<string, new () => INodeType>),
      )
      .map((NodeClass) => new NodeClass().description);
  };

  test('uses nothing of the compiled module that it comes from', () => {
    const functions = expressionsIn(load()).filter((expression) => expression.startsWith('('));
    expect(functions.length).toBeGreaterThanOrEqual(5);
    for (const expression of functions) {
      for (const $parameter of [
        {},
        { events: ['post.failed'], outputPerEvent: true, options: { otherEvents: true } },
        { events: [], outputPerEvent: false, options: { respond: 'whenFinished' } },
      ]) {
        expect(() => runInNewContext(expression, { $parameter }) as unknown).not.toThrow();
      }
    }
  });
});
