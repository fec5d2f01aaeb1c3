import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { repositoryDir } from '../../../scripts/n8n/paths';
import { read } from './documents';

const DOCUMENT = 'docs/self-hosting.md';

const files = readdirSync(join(repositoryDir, 'hosting'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\/[^/]+$/.test(file))
  .map((file) => join('hosting', file));

const composeSchema = z
  .object({
    services: z.record(
      z
        .object({
          image: z.string().optional(),
          build: z.string().optional(),
          environment: z.record(z.string()).optional(),
          volumes: z.array(z.string()).optional(),
        })
        .passthrough(),
    ),
    volumes: z.record(z.unknown()),
  })
  .passthrough();

const readCompose = (name: string) =>
  composeSchema.parse(parse(read(`hosting/${name}/compose.yaml`), { merge: true }));

const { services: queue } = readCompose('queue-mode');
const { services: single } = readCompose('one-container');

/** The services that run n8n. */
const processes = Object.entries({ ...single, ...queue }).filter(
  ([, { image = '', build }]) => build !== undefined || image.includes('n8nio'),
);

/** The n8n that the package is developed with. */
const { n8n: developedWith } = z
  .object({ dependencies: z.object({ n8n: z.string() }) })
  .parse(JSON.parse(read('n8n-host/package.json'))).dependencies;

const { name, version } = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(read('package.json')));

test('the document links all files', () => {
  expect(files).toHaveLength(4);
  expect(files.filter((file) => !read(DOCUMENT).includes(`](../${file})`))).toEqual([]);
});

test('there are n8n processes to look at', () => {
  expect(processes.map(([process]) => process).sort()).toEqual([
    'main',
    'n8n',
    'webhook-1',
    'webhook-2',
    'worker',
  ]);
});

test('every image of n8n is of the version that the package is developed with', () => {
  const images = files.flatMap((file) => read(file).match(/n8nio\/n8n:\S+/g) ?? []);
  expect(images).not.toEqual([]);
  expect([...new Set(images)]).toEqual([`n8nio/n8n:${developedWith}`]);
});

test('both, and the README, install this version of the package', () => {
  const listed: unknown = JSON.parse(
    single['n8n']?.environment?.['N8N_COMMUNITY_PACKAGES'] ?? 'null',
  );
  expect(listed).toEqual([{ name, version }]);
  expect(read('README.md')).toContain(
    `N8N_COMMUNITY_PACKAGES: '${single['n8n']?.environment?.['N8N_COMMUNITY_PACKAGES']}'`,
  );
  expect(read('hosting/queue-mode/Dockerfile')).toContain(`npm install ${name}@${version}\n`);
});

test('a volume keeps what one container installs, and hides nothing of an image', () => {
  expect(single['n8n']?.volumes).toEqual(['n8n:/home/node/.n8n']);
  const mounted = processes
    .filter(([, { build }]) => build !== undefined)
    .flatMap(([, { volumes = [] }]) => volumes);
  expect(mounted).toEqual([]);
});

test.each(['one-container', 'queue-mode'])('every volume of %s is declared', (folder) => {
  const { services, volumes } = readCompose(folder);
  const used = Object.values(services)
    .flatMap((service) => service.volumes ?? [])
    .map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => !source.startsWith('.'));
  expect(Object.keys(volumes).sort()).toEqual(used.sort());
});

test('n8n knows every variable', () => {
  const sources = ['@n8n/config', 'n8n-core', '@n8n/backend-common'].flatMap((module) => {
    const dist = join('node_modules', module, 'dist');
    return readdirSync(join(repositoryDir, dist), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(dist, file));
  });
  // Variables of n8n's own package, which is not installed here, are tried in a real n8n.
  const known = [...sources, 'test/n8n/managed-by-env.test.ts'].map(read).join('\n');
  const variables = new Set(processes.flatMap(([, one]) => Object.keys(one.environment ?? {})));
  expect([...variables].filter((variable) => !known.includes(variable))).toEqual([]);
});

test('all processes of queue mode have the same environment', () => {
  const environments = Object.values(queue)
    .filter(({ build }) => build !== undefined)
    .map(({ environment }) => environment);
  expect(environments).toHaveLength(4);
  for (const environment of environments) expect(environment).toEqual(environments[0]);
});
