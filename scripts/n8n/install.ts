import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { endStale } from './child';
import { npm } from './npm';
import { hostDir, hostManifestDir, hostN8n, hostNode } from './paths';
import { SetupError } from './setup-error';

const MANIFEST_FILES = ['package.json', 'package-lock.json', '.npmrc'];
const NEEDED_BYTES = 4e9;
const PROGRESS_SECONDS = 5;

const lockSchema = z.object({
  packages: z.record(z.object({ dependencies: z.record(z.string()).optional() }).passthrough()),
});

/** What is installed in the host folder, step by step, so that an interrupted run can go on. */
type Step = 'packages' | 'complete';

interface Manifest {
  n8nVersion: string;
  packageCount: number;
  fingerprint: string;
}

async function readManifest(): Promise<Manifest> {
  const lockText = await readFile(join(hostManifestDir, 'package-lock.json'), 'utf8');
  const lock = lockSchema.parse(JSON.parse(lockText));
  return {
    n8nVersion: lock.packages['']?.dependencies?.['n8n'] ?? '',
    packageCount: Object.keys(lock.packages).length - 1,
    fingerprint: createHash('sha256')
      .update(`${process.platform} ${process.arch}\n${lockText}`)
      .digest('hex'),
  };
}

function stampFile(step: Step): string {
  return join(hostDir(), `.${step}`);
}

async function isDone(step: Step, { fingerprint }: Manifest): Promise<boolean> {
  const stamp = await readFile(stampFile(step), 'utf8').catch(() => '');
  return stamp.trim() === fingerprint;
}

async function assertSpace(): Promise<void> {
  const { bavail, bsize } = await statfs(hostDir());
  if (bavail * bsize < NEEDED_BYTES) {
    throw new SetupError(
      `n8n and npm's cache need about 4 GB, and ${hostDir()} has ${((bavail * bsize) / 1e9).toFixed(1)} GB left. ` +
        'Free some space, or set SOCIAL_PUBLISHING_N8N_DIR to a folder on another disk.',
    );
  }
}

/** Runs npm in the host folder and prints how far it is every few seconds. */
async function runNpm(
  args: string[],
  progress: (lines: string[]) => string,
  print: (line: string) => void,
): Promise<void> {
  const lines: string[] = [];
  const started = Date.now();
  const child = npm(args, {
    cwd: hostDir(),
    pidFile: join(hostDir(), 'npm.pid'),
    onLine: (line) => lines.push(line),
  });
  const timer = setInterval(() => {
    print(`  ${progress(lines)}, ${Math.round((Date.now() - started) / 1000)} s`);
  }, PROGRESS_SECONDS * 1000);
  try {
    const code = await child.ended;
    if (code === 0) return;
    await writeFile(join(hostDir(), 'npm.log'), lines.join('\n'));
    const errors = lines.filter((line) => /^npm (error|ERR!)/.test(line)).slice(0, 8);
    throw new SetupError(
      [
        `npm ${args[0]} of n8n failed.`,
        ...errors,
        `All of npm's output: ${join(hostDir(), 'npm.log')}`,
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

async function rebuild(print: (line: string) => void): Promise<void> {
  try {
    await runNpm(
      ['rebuild', 'node', 'sqlite3', 'isolated-vm', '--ignore-scripts=false'],
      () => 'fetching the Node runtime, building sqlite3',
      print,
    );
  } catch (error) {
    const missing = missingBuildTools();
    if (missing.length === 0 || !(error instanceof SetupError)) throw error;
    throw new SetupError(
      `n8n's database module sqlite3 has to be compiled on this machine, and ${missing.join(', ')} ` +
        'is missing. Install it (on Debian and Ubuntu: apt-get install python3 make g++) and start again.',
      { cause: error },
    );
  }
}

function assertRuns(version: string): void {
  const found = execFileSync(hostNode(), [hostN8n(), '--version'], { encoding: 'utf8' }).trim();
  if (found !== version) {
    throw new SetupError(
      `The n8n in ${hostDir()} is ${found} instead of ${version}. Delete that folder and start again.`,
    );
  }
}

/**
 * Installs the pinned n8n into the work folder, unless it is there already. What an interrupted or
 * killed run left behind is completed: a half-extracted package tree is thrown away (npm's cache
 * makes the second time quicker), a complete one is kept.
 *
 * @param print receives progress lines
 * @returns the installed version
 * @throws SetupError when npm fails, the disk is too full, or a build tool is missing
 */
export async function installHost(print: (line: string) => void): Promise<string> {
  const manifest = await readManifest();
  if (await isDone('complete', manifest)) return manifest.n8nVersion;

  await mkdir(hostDir(), { recursive: true });
  await endStale(join(hostDir(), 'npm.pid'), hostDir());
  print(
    `Installing n8n ${manifest.n8nVersion} into ${hostDir()}: about 2.5 GB, five minutes, only this once.`,
  );
  if (!(await isDone('packages', manifest))) {
    await assertSpace();
    for (const leftover of [stampFile('packages'), stampFile('complete'), 'node_modules']) {
      await rm(resolve(hostDir(), leftover), { recursive: true, force: true });
    }
    for (const file of MANIFEST_FILES)
      await copyFile(join(hostManifestDir, file), join(hostDir(), file));
    await runNpm(
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=http'],
      (lines) => {
        const fetched = lines.filter((line) => /^npm http (fetch|cache)/.test(line)).length;
        return `${Math.min(fetched, manifest.packageCount)} of ${manifest.packageCount} packages`;
      },
      print,
    );
    await writeFile(stampFile('packages'), manifest.fingerprint);
  }
  await rebuild(print);
  assertRuns(manifest.n8nVersion);
  await writeFile(stampFile('complete'), manifest.fingerprint);
  return manifest.n8nVersion;
}
