import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { until } from './helpers';

const root = join(__dirname, '..', '..');
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Runs the command line of the sandbox and collects its output. */
function run(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const printed = { out: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.errors += chunk.toString()));
  return { child, printed, ended: once(child, 'close') as Promise<[number | null]> };
}

test('prints its address, serves there, reports a port in use, and stops on Ctrl+C', async () => {
  const { child, printed, ended } = run('--port', '0');
  await until(() => printed.out.includes('Ctrl+C'));
  const [origin = ''] = /http:\/\/127\.0\.0\.1:\d+$/m.exec(printed.out) ?? [];
  const [key = ''] = /sandbox_demo_pro\b/.exec(printed.out) ?? [];
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${origin}/api/v1/accounts?workspaceId=1`, { headers });
  expect(response.status).toBe(200);

  const { port } = new URL(origin);
  const second = run('--port', port);
  expect(await second.ended).toEqual([1, null]);
  expect(second.printed.errors).toContain(`127.0.0.1:${port}`);
  expect(second.printed.errors).toContain('choose another port with --port');
  expect(second.printed.errors).not.toContain('    at ');

  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});

test('prints a sample of each event as JSON', async () => {
  const { printed, ended } = run('--samples');
  expect(await ended).toEqual([0, null]);
  expect(Object.keys(JSON.parse(printed.out) as object)).toEqual([
    'post.published',
    'post.failed',
    'agent.action',
    'agent.error',
    'inbox.new',
    'account.disconnected',
  ]);
});

test('prints one sample as JSON to pin, and notes that its data is not documented', async () => {
  const { printed, ended } = run('--sample', 'agent.error');
  expect(await ended).toEqual([0, null]);
  expect(JSON.parse(printed.out)).toMatchObject([{ event: 'agent.error', data: { agentId: 2 } }]);
  expect(printed.errors).toContain('The specification does not document this data.');
});

test('shows its help', async () => {
  const { printed, ended } = run('--help');
  expect(await ended).toEqual([0, null]);
  expect(printed.out).toContain('--port');
});

test.each([
  ['--port', '70000'],
  ['--sample', 'post.liked'],
])('rejects %s %s', async (...args) => {
  const { printed, ended } = run(...args);
  expect(await ended).toEqual([1, null]);
  expect(printed.errors).toContain(args[0]);
  expect(printed.errors).not.toContain('    at ');
});
