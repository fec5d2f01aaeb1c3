import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Child } from '../../scripts/n8n/child';
import { demoOwner } from '../../scripts/n8n/instance';
import { workDir } from '../../scripts/n8n/paths';
import { freePort } from '../../scripts/n8n/ports';
import { N8nApi } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import { checkOut } from '../package/checkout';

const folder = join(workDir(), 'dev-test');
const printed: string[] = [];
let dev: Child;

afterEach(() => dev?.end(20_000));

/** Starts `npm run dev` in a checkout of its own, whose files a test may change. */
async function start(n8nPort: number, sandboxPort: number): Promise<void> {
  printed.length = 0;
  await rm(folder, { recursive: true, force: true });
  await checkOut(folder, ['examples', 'n8n-host', 'sandbox', 'scripts']);
  await mkdir(join(folder, '.n8n'));
  await symlink(join(workDir(), 'host'), join(folder, '.n8n', 'host'));
  const ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
  dev = new Child(process.execPath, ['--import', 'tsx', 'scripts/dev.ts', ...ports], {
    cwd: folder,
    env: { ...process.env, SOCIAL_PUBLISHING_N8N_DIR: '' },
    pidFile: join(folder, 'dev.pid'),
    onLine: (line) => printed.push(line),
  });
  await waitFor(
    'npm run dev was not ready',
    () => {
      if (!dev.isRunning) throw new Error(printed.join('\n'));
      return printed.find((line) => line.includes('The sandbox has started'));
    },
    300,
  );
}

/** Changes a file as an editor does when it saves. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const source = await readFile(path, 'utf8');
  expect(source).toContain(from);
  await writeFile(path, source.replace(from, to));
}

test('npm run dev loads what is saved into n8n and the sandbox, and ends both', async () => {
  const [n8nPort, sandboxPort] = [await freePort(), await freePort()];
  await start(n8nPort, sandboxPort);
  const api = new N8nApi(`http://127.0.0.1:${n8nPort}`);
  await api.logIn(demoOwner);
  const label = async () =>
    (await api.nodeType('n8n-nodes-social-publishing.socialPublishing', 1))?.displayName;
  expect(await label()).toBe('Social Publishing');

  const node = 'nodes/SocialPublishing/SocialPublishing.node.ts';
  await edit(node, "displayName: 'Social Publishing'", "displayName: 'Renamed Node'");
  await waitFor('n8n did not load the node again', async () =>
    (await label()) === 'Renamed Node' ? true : undefined,
  );

  await edit(node, "displayName: 'Renamed Node'", 'displayName: 1');
  await waitFor('The error was not shown', () =>
    printed.find((line) => line.includes(`${node}(`) && line.includes('error TS2322')),
  );
  expect(await label()).toBe('Renamed Node');

  await edit('sandbox/seed.ts', "'Blue Door Bakery'", "'Red Door Bakery'");
  await waitFor('The sandbox did not start again', async () => {
    const response = await fetch(`http://127.0.0.1:${sandboxPort}/`).catch(() => undefined);
    return (await response?.text())?.includes('Red Door Bakery') || undefined;
  });

  await dev.end(20_000);
  for (const port of [n8nPort, sandboxPort]) {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  }
});
