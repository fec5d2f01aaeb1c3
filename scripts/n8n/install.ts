import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { endStale } from './child';
import { type Installation, installationOf } from './installation';
import { npm } from './npm';
import { SetupError } from './setup-error';

const NEEDED_BYTES = 4e9;
const PROGRESS_SECONDS = 5;

const lockSchema = z.object({
  packages: z.record(z.object({ dependencies: z.record(z.string()).optional() }).passthrough()),
});

/** The steps of an installation. Each is recorded, so that the next run continues an interrupted one. */
type InstallStep = 'packages' | 'complete';

interface Manifest {
  n8nVersion: string;
  packageCount: number;
  fingerprint: string;
}

async function readManifest({ manifestFolder }: Installation): Promise<Manifest> {
  const lockText = await readFile(join(manifestFolder, 'package-lock.json'), 'utf8');
  const lock = lockSchema.parse(JSON.parse(lockText));
  return {
    n8nVersion: lock.packages['']?.dependencies?.['n8n'] ?? '',
    packageCount: Object.keys(lock.packages).length - 1,
    fingerprint: createHash('sha256')
      .update(`${process.platform} ${process.arch}\n${lockText}`)
      .digest('hex'),
  };
}

function stampFile({ folder }: Installation, step: InstallStep): string {
  return join(folder, `.${step}`);
}

async function isDone(
  installation: Installation,
  step: InstallStep,
  { fingerprint }: Manifest,
): Promise<boolean> {
  const stamp = await readFile(stampFile(installation, step), 'utf8').catch(() => '');
  return stamp.trim() === fingerprint;
}

async function assertSpace({ folder }: Installation): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < NEEDED_BYTES) {
    throw new SetupError(
      `n8n and npm's cache need about 4 GB, and ${folder} has ${((bavail * bsize) / 1e9).toFixed(1)} GB left. ` +
        'Free some space, or set SOCIAL_PUBLISHING_N8N_DIR to a folder on another disk.',
    );
  }
}

/** Runs npm in the folder of the installation. Prints the progress every few seconds. */
async function runNpm(
  { folder }: Installation,
  args: string[],
  progress: (lines: string[]) => string,
  print: (line: string) => void,
): Promise<void> {
  const lines: string[] = [];
  const started = Date.now();
  const child = npm(args, {
    cwd: folder,
    pidFile: join(folder, 'npm.pid'),
    onLine: (line) => lines.push(line),
  });
  const timer = setInterval(() => {
    print(`  ${progress(lines)}, ${Math.round((Date.now() - started) / 1000)} s`);
  }, PROGRESS_SECONDS * 1000);
  try {
    const code = await child.ended;
    if (code === 0) return;
    await writeFile(join(folder, 'npm.log'), lines.join('\n'));
    const errors = lines.filter((line) => /^npm (error|ERR!)/.test(line)).slice(0, 8);
    throw new SetupError(
      [
        `npm ${args[0]} of n8n failed.`,
        ...errors,
        `All of npm's output: ${join(folder, 'npm.log')}`,
      ].join('\n'),
    );
  } finally {
    clearInterval(timer);
  }
}

function missingBuildTools(): string[] {
  return ['python3', 'make', 'g++'].filter((tool) => {
    try {
      execFileSync(tool, ['--version'], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

async function rebuild(installation: Installation, print: (line: string) => void): Promise<void> {
  try {
    await runNpm(
      installation,
      ['rebuild', 'node', 'sqlite3', 'isolated-vm', '--ignore-scripts=false'],
      () => 'fetching the Node runtime, building sqlite3',
      print,
    );
  } catch (error) {
    const missing = missingBuildTools();
    if (missing.length === 0 || !(error instanceof SetupError)) throw error;
    throw new SetupError(
      `n8n's database module sqlite3 has to be compiled on this machine, and ${missing.join(', ')} ` +
        'is missing. Install what is missing (on Debian and Ubuntu: apt-get install python3 make g++), then start again.',
      { cause: error },
    );
  }
}

function assertRuns({ folder, node, n8n }: Installation, version: string): void {
  const found = execFileSync(node, [n8n, '--version'], { encoding: 'utf8' }).trim();
  if (found !== version) {
    throw new SetupError(
      `The n8n in ${folder} is ${found} instead of ${version}. Delete that folder and start again.`,
    );
  }
}

/**
 * Installs an n8n, unless it is already installed. Completes what an interrupted run left: it deletes
 * a partial package tree, which npm's cache makes quick to restore, and keeps a complete one.
 *
 * @param print receives progress lines
 * @returns the installed version
 * @throws SetupError when npm fails, the disk is too full, or a build tool is missing
 */
export async function installHost(
  print: (line: string) => void,
  installation = installationOf(),
): Promise<string> {
  const { folder, manifestFolder } = installation;
  const manifest = await readManifest(installation);
  if (await isDone(installation, 'complete', manifest)) return manifest.n8nVersion;

  await mkdir(folder, { recursive: true });
  await endStale(join(folder, 'npm.pid'), folder);
  print(
    `Installing n8n ${manifest.n8nVersion} into ${folder}. This takes about 2.5 GB and five minutes, and happens only once.`,
  );
  if (!(await isDone(installation, 'packages', manifest))) {
    await assertSpace(installation);
    const stamps: InstallStep[] = ['packages', 'complete'];
    for (const leftover of [
      ...stamps.map((step) => stampFile(installation, step)),
      'node_modules',
    ]) {
      await rm(resolve(folder, leftover), { recursive: true, force: true });
    }
    await cp(manifestFolder, folder, {
      recursive: true,
      filter: (source) => source !== join(manifestFolder, 'versions'),
    });
    await runNpm(
      installation,
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'],
      (lines) => {
        const fetched = lines.filter((line) => /^npm http (fetch|cache)/.test(line)).length;
        return `${Math.min(fetched, manifest.packageCount)} of ${manifest.packageCount} packages`;
      },
      print,
    );
    await writeFile(stampFile(installation, 'packages'), manifest.fingerprint);
  }
  await rebuild(installation, print);
  assertRuns(installation, manifest.n8nVersion);
  await writeFile(stampFile(installation, 'complete'), manifest.fingerprint);
  return manifest.n8nVersion;
}
