import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { claim } from '../../../scripts/n8n/claim';
import { identify } from '../../../scripts/n8n/processes';
import { SetupError } from '../../../scripts/n8n/setup-error';

let folder: string;
let holder: ChildProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claim-test-'));
  holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000); console.log()'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(holder.stdout ?? holder, 'data');
});

afterEach(async () => {
  holder.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

const record = (content: unknown) => writeFile(join(folder, 'claim.json'), JSON.stringify(content));

test('a folder that another process uses is refused, naming that process', async () => {
  await record(identify(holder.pid ?? 0));
  expect(() => claim(folder)).toThrow(SetupError);
  expect(() => claim(folder)).toThrow(`process ${holder.pid}`);
});

test('a claim ends with its process, even if a later one has the same number', async () => {
  await record({ ...identify(holder.pid ?? 0), started: '1' });
  claim(folder);
  expect(() => claim(folder)).not.toThrow();
});

test('a claim that cannot be read holds nobody up', async () => {
  await writeFile(join(folder, 'claim.json'), '{');
  expect(() => claim(folder)).not.toThrow();
});
