import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { N8nInstance } from '../../scripts/n8n/instance';
import { pack } from '../../scripts/n8n/pack';
import { workDir } from '../../scripts/n8n/paths';
import { type Published, type Registry, startRegistry } from './support/registry';
import { readShared } from './support/shared';

const folder = join(workDir(), 'managed-by-env');
const userFolder = join(folder, 'user');
const OURS = 'n8n-nodes-social-publishing';
const OTHER = 'n8n-nodes-other';

let registry: Registry;
let n8n: N8nInstance | undefined;

/** Packs a package with one node, which does nothing. */
async function packOther() {
  const source = join(folder, 'other');
  await mkdir(source, { recursive: true });
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({
      name: OTHER,
      version: '2.0.0',
      n8n: { n8nNodesApiVersion: 1, nodes: ['Other.node.js'] },
    }),
  );
  await writeFile(
    join(source, 'Other.node.js'),
    `exports.Other = class {
      description = {
        displayName: 'Other', name: 'other', group: [], version: 1, description: 'Other',
        defaults: { name: 'Other' }, inputs: ['main'], outputs: ['main'], properties: [],
      };
    };`,
  );
  return await pack(folder, source);
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  registry = await startRegistry(folder, [readShared().packed, await packOther()]);
});

afterEach(async () => {
  await n8n?.stop();
  n8n = undefined;
});

afterAll(() => registry.close());

/** Starts n8n with a list of packages, and with the default of n8n 3.0: none but verified ones. */
async function start(listed: Array<Partial<Published>>): Promise<N8nInstance> {
  n8n = await N8nInstance.start({
    userFolder,
    environment: {
      ...registry.environment,
      N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true',
      N8N_COMMUNITY_PACKAGES: JSON.stringify(listed),
      N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
    },
  });
  return n8n;
}

/** The packages of which n8n offers nodes. */
async function offered({ api }: N8nInstance): Promise<string[]> {
  const packages = (await api.nodeTypes()).map(({ name }) => name.split('.')[0]);
  return [OURS, OTHER].filter((name) => packages.includes(name));
}

test('n8n installs what is listed, from then on without the registry, and removes the rest', async () => {
  const listed = registry.published;
  const first = await start(listed);
  expect(await offered(first)).toEqual([OURS, OTHER]);
  await expect(first.api.uninstallPackage(OURS)).rejects.toMatchObject({ status: 400 });
  await first.stop();

  registry.requests.length = 0;
  const second = await start(listed.filter(({ name }) => name === OURS));
  expect(await offered(second)).toEqual([OURS]);
  expect(registry.requests).toEqual([]);
});

test('n8n starts without a package whose checksum is another', async () => {
  await rm(userFolder, { recursive: true });
  const [ours] = registry.published;
  expect(await offered(await start([{ ...ours, checksum: 'sha512-another' }]))).toEqual([]);
});

test('n8n does not start with an unverified package without a checksum', async () => {
  await expect(start([{ name: OURS, version: '0.1.0' }])).rejects.toThrow(
    /no checksum available for 'n8n-nodes-social-publishing@0\.1\.0'/,
  );
});
