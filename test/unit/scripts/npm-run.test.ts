import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { insist, NpmError, runNpm, StoodStill } from '../../../scripts/n8n/npm-run';

let folder: string;
const before = process.env['npm_execpath'];

/** Stands in for npm: each run does the next of these. */
async function npmDoes(...runs: Array<'stands still' | 'fails' | 'ends'>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const cli = join(folder, 'npm-cli.js');
  process.env['npm_execpath'] = cli;
  await writeFile(
    cli,
    `const { appendFileSync, readFileSync } = require('fs');
appendFileSync('runs', '.');
const run = ${JSON.stringify(runs)}[readFileSync('runs', 'utf8').length - 1];
if (run === 'stands still') setInterval(() => {}, 1000);
if (run === 'fails') { console.error('npm error code EBROKEN'); process.exitCode = 1; }
if (run === 'ends') for (let line = 0; line < 3; line++) console.log(line);`,
  );
}
const runsOfNpm = async () => (await readFile(join(folder, 'runs'), 'utf8')).length;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'npm-run-test-'));
});
afterEach(async () => {
  if (before === undefined) delete process.env['npm_execpath'];
  else process.env['npm_execpath'] = before;
  await rm(folder, { recursive: true });
});

const install = (lines: string[] = []) =>
  insist(() =>
    runNpm(folder, ['install'], { patienceMs: 2000, onLine: (line) => lines.push(line) }),
  );

test('an npm that stands still is ended and started again', async () => {
  await npmDoes('stands still', 'ends');
  const lines: string[] = [];
  await install(lines);
  expect(lines).toEqual(['0', '1', '2']);
});

test('one that always stands still is given up, in words', async () => {
  await npmDoes('stands still', 'stands still', 'stands still', 'ends');
  const failed = install();
  await expect(failed).rejects.toThrow(StoodStill);
  await expect(failed).rejects.toThrow(/^npm install of n8n said nothing for .* Start again/);
  expect(await runsOfNpm()).toBe(3);
});

test('one that fails is not started again', async () => {
  await npmDoes('fails', 'ends');
  await expect(install()).rejects.toThrow(NpmError);
  expect(await runsOfNpm()).toBe(1);
});
