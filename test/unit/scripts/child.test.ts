import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Child, endStale } from '../../../scripts/n8n/child';
import { identify, isAlive, type ProcessIdentity } from '../../../scripts/n8n/processes';
import { SetupError } from '../../../scripts/n8n/setup-error';

const WAIT = 'setInterval(() => undefined, 1000); console.log("up")';

let folder: string;
let pidFile: string;
let strangers: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'child-test-'));
  pidFile = join(folder, 'child.pid');
  strangers = [];
});

afterEach(async () => {
  for (const stranger of strangers) stranger.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

/** A process that no Child knows of, as a killed run leaves it behind. */
async function stranger(): Promise<ProcessIdentity> {
  const started = spawn(process.execPath, ['-e', WAIT], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  strangers.push(started);
  await once(started.stdout, 'data');
  const identity = identify(started.pid ?? 0);
  if (!identity) throw new Error('The process has ended.');
  return identity;
}

const record = (child: ProcessIdentity, parent: ProcessIdentity) =>
  writeFile(pidFile, JSON.stringify({ child, parent }));

/** A process that has ended, by a number that may be taken again. */
const ended = (identity: ProcessIdentity): ProcessIdentity => ({ ...identity, started: '1' });

function child(script: string): { child: Child; firstLine: Promise<string> } {
  let resolve: (line: string) => void;
  const firstLine = new Promise<string>((done) => (resolve = done));
  return {
    child: new Child(process.execPath, ['-e', script], {
      cwd: folder,
      env: process.env,
      pidFile,
      onLine: (line) => resolve(line),
    }),
    firstLine,
  };
}

test('the pid file names a child while it runs, and the child ends when asked to', async () => {
  const { child: running, firstLine } = child(WAIT);
  expect(await firstLine).toBe('up');
  expect(existsSync(pidFile)).toBe(true);
  await running.end(30_000);
  expect(running.isRunning).toBe(false);
  expect(existsSync(pidFile)).toBe(false);
});

test('a child that ignores SIGTERM is killed', async () => {
  const { child: running, firstLine } = child(`process.on('SIGTERM', () => undefined); ${WAIT}`);
  await firstLine;
  await running.end(100);
  expect(await running.ended).toBeNull();
});

test('a child has an exit code, and a missing program is an error', async () => {
  expect(await child('process.exit(3)').child.ended).toBe(3);
  const missing = new Child('no-such-program', [], {
    cwd: folder,
    env: {},
    pidFile,
    onLine: () => undefined,
  });
  await expect(missing.ended).rejects.toThrow('no-such-program');
});

test('the child of a killed run is ended', async () => {
  const orphan = await stranger();
  await record(orphan, ended(orphan));
  await endStale(pidFile, folder);
  expect(isAlive(orphan)).toBe(false);
  expect(existsSync(pidFile)).toBe(false);
});

test('another process with the same number is left alone', async () => {
  const other = await stranger();
  await record(ended(other), ended(other));
  await endStale(pidFile, folder);
  expect(isAlive(other)).toBe(true);
  expect(existsSync(pidFile)).toBe(false);
});

test('the child of another live run is left alone, and the error names that run', async () => {
  const [used, run] = [await stranger(), await stranger()];
  await record(used, run);
  const attempt = endStale(pidFile, folder);
  await expect(attempt).rejects.toThrow(SetupError);
  await expect(attempt).rejects.toThrow(`process ${run.pid}`);
  expect(isAlive(used)).toBe(true);
});

test.each(['', '{', '{}', '[]'])('a pid file that contains %j is deleted', async (text) => {
  await writeFile(pidFile, text);
  await endStale(pidFile, folder);
  expect(existsSync(pidFile)).toBe(false);
});
