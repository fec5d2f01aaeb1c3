import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Child } from '../../scripts/n8n/child';
import { freePort } from '../../scripts/n8n/ports';
import { waitFor } from '../../scripts/n8n/wait-for';
import { checkOut } from './checkout';

let folder: string;
let source: string;
const started: Child[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'social-publishing-start-'));
  source = await checkOut(join(folder, 'source'), ['examples', 'n8n-host', 'sandbox', 'scripts']);
});

afterEach(async () => {
  for (const child of started.splice(0)) await child.end(10_000);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `npm start` on a machine that has no n8n and reaches no registry. */
async function start(): Promise<{ child: Child; printed: string[]; origin: string }> {
  const [n8nPort, sandboxPort] = [await freePort(), await freePort()];
  const printed: string[] = [];
  const ports = ['--n8n-port', String(n8nPort), '--sandbox-port', String(sandboxPort)];
  const child = new Child(process.execPath, ['--import', 'tsx', 'scripts/start.ts', ...ports], {
    cwd: source,
    env: {
      ...process.env,
      SOCIAL_PUBLISHING_N8N_DIR: join(folder, 'n8n'),
      npm_config_registry: `http://127.0.0.1:${await freePort()}/`,
    },
    pidFile: join(folder, `start-${started.length}.pid`),
    onLine: (line) => printed.push(line),
  });
  started.push(child);
  return { child, printed, origin: `http://127.0.0.1:${sandboxPort}` };
}

test('without a network, the first act runs, what to do is said, and the dashboard stays', async () => {
  const first = await start();
  await waitFor('The start did not say what goes on', () =>
    first.printed.find((line) => line.includes('stays open')),
  );
  const text = first.printed.join('\n');
  expect(text.match(/n8n's engine created post/g)).toHaveLength(1);
  expect(text.match(/n8n's engine received post\.published/g)).toHaveLength(2);
  expect(text).toContain('(ECONNREFUSED)');
  expect(text).not.toMatch(/^ +at /m);
  const dashboard = await fetch(first.origin);
  expect(await dashboard.text()).toContain('Fresh bread, out of the oven at');

  const second = await start();
  expect(await second.child.ended).toBe(1);
  expect(second.printed).toEqual([expect.stringContaining(`process ${first.child.pid}`)]);
  expect(first.child.isRunning).toBe(true);

  await first.child.end(10_000);
  await expect(fetch(first.origin)).rejects.toThrow('fetch failed');
});
