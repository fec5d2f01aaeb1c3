import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { claim } from './claim';
import { FileCounter } from './file-counter';
import { type Installation, installationOf } from './installation';
import { type Manifest, readManifest, withAddresses } from './manifest';
import { buildNative, nativeFolder, placeNative } from './native';
import {
  assertRegistry,
  FETCH_PATIENCE_MS,
  insist,
  NpmError,
  registryAddress,
  runNpm,
} from './npm-run';
import { keepUnpacked, recordUnpacked, unpackedIn, unpackedSoFar } from './resume';
import { SetupError } from './setup-error';

const NEEDED_BYTES = 4e9;
const PROGRESS_SECONDS = 5;

/** The steps of an installation. Each is recorded, so that the next run continues an interrupted one. */
type InstallStep = 'packages' | 'native' | 'complete';

const stampFile = ({ folder }: Installation, step: InstallStep): string => join(folder, `.${step}`);

async function isDone(
  installation: Installation,
  step: InstallStep,
  { fingerprint }: Manifest,
): Promise<boolean> {
  const stamp = await readFile(stampFile(installation, step), 'utf8').catch(() => '');
  return stamp.trim() === fingerprint;
}

/** Takes a step unless it has been taken, and records it. */
async function once(
  installation: Installation,
  step: InstallStep,
  manifest: Manifest,
  take: () => Promise<void>,
): Promise<void> {
  if (await isDone(installation, step, manifest)) return;
  await rm(stampFile(installation, step), { force: true });
  await take();
  await writeFile(stampFile(installation, step), manifest.fingerprint);
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

async function installPackages(
  installation: Installation,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<void> {
  const { folder, manifestFolder } = installation;
  await assertSpace(installation);
  await cp(manifestFolder, folder, {
    recursive: true,
    filter: (source) => source !== join(manifestFolder, 'versions'),
  });
  const install = async (withLock: Manifest['lock']) => {
    await keepUnpacked(folder, manifest, withLock);
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(withLock, null, 2));
    const args = ['install', '--ignore-scripts', '--prefer-offline', '--timing', '--loglevel=info'];
    await runNpm(folder, args, {
      signal,
      patienceMs: FETCH_PATIENCE_MS,
      onLine: (line) => {
        const path = unpackedIn(line);
        if (path !== undefined) recordUnpacked(folder, path);
      },
    });
  };
  try {
    const lock = withAddresses(manifest.lock, await registryAddress(folder));
    await insist(() => install(lock));
  } catch (error) {
    // A registry may keep packages at other addresses, and tell them when it is asked.
    if (!(error instanceof NpmError) || !error.lines.some((line) => line.includes('E404'))) {
      throw error;
    }
    await insist(() => install(manifest.lock));
  }
}

/** How far an installation is. */
interface InstallProgress {
  /** The files that have been unpacked. */
  files: number;
  /** How many there will be, if that is known. */
  total: number | undefined;
  /** How many this run has unpacked in a second; 0 as long as there are too few to tell. */
  rate: number;
  /** In seconds. */
  elapsed: number;
  /** Whether all packages are there. */
  isUnpacked: boolean;
  isBuilding: boolean;
}

/** The progress in one line, with an estimate as soon as there is something to go by. */
export function progressText({
  files,
  total = 0,
  rate,
  elapsed,
  isUnpacked,
  isBuilding,
}: InstallProgress): string {
  const parts: string[] = [];
  const counted = files.toLocaleString('en');
  if (isUnpacked) parts.push('All packages are there');
  else if (total === 0) parts.push(`${counted} files`);
  else {
    const percent = Math.min(99, Math.floor((100 * files) / total));
    parts.push(`${percent} %`, `${counted} of ${total.toLocaleString('en')} files`);
  }
  parts.push(`${Math.round(elapsed)} s so far`);
  if (!isUnpacked && rate > 0 && files < total) {
    parts.push(`about ${Math.ceil((total - files) / rate / 10) * 10} s left`);
  }
  if (isBuilding) parts.push('building the database module');
  return `  ${parts.join(', ')}`;
}

/** Prints the progress of both steps every few seconds, until it is told to stop. */
function showProgress(
  print: (line: string) => void,
  { folder }: Installation,
  { packageFolders, fileCount }: Manifest,
  steps: () => Pick<InstallProgress, 'isUnpacked' | 'isBuilding'>,
): () => void {
  const started = Date.now();
  const counter = new FileCounter(folder, packageFolders);
  let stopped = false;
  let first: { files: number; at: number } | undefined;
  const tick = async () => {
    const files = steps().isUnpacked ? 0 : await counter.count(await unpackedSoFar(folder));
    if (stopped) return;
    if (files > 0) first ??= { files, at: Date.now() };
    const fresh = files - (first?.files ?? 0);
    const rate = first && fresh > 10_000 ? (1000 * fresh) / (Date.now() - first.at) : 0;
    const elapsed = (Date.now() - started) / 1000;
    print(progressText({ files, total: fileCount, rate, elapsed, ...steps() }));
    timer = setTimeout(() => void tick(), PROGRESS_SECONDS * 1000);
  };
  let timer = setTimeout(() => void tick(), PROGRESS_SECONDS * 1000);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

function assertRuns({ folder, node, n8n }: Installation, version: string): void {
  const found = execFileSync(node, [n8n, '--version'], { encoding: 'utf8' }).trim();
  if (found !== version) {
    throw new SetupError(
      `The n8n in ${folder} is ${found} instead of ${version}. Delete that folder and start again.`,
    );
  }
}

/** Whether an n8n is installed completely. */
export const isInstalled = async (installation = installationOf()): Promise<boolean> =>
  isDone(installation, 'complete', await readManifest(installation));

/**
 * Installs an n8n, unless it is already installed. Goes on where an interrupted run ended: it keeps the
 * packages and native parts that are complete.
 *
 * @param print receives progress lines
 * @returns the installed version
 * @throws SetupError when the registry can't be reached, npm fails, the disk is too full, a build tool
 *   is missing, or another process is installing into the same folder
 */
export async function installHost(
  print: (line: string) => void,
  installation = installationOf(),
): Promise<string> {
  const { folder } = installation;
  const manifest = await readManifest(installation);
  if (await isDone(installation, 'complete', manifest)) return manifest.n8nVersion;

  await mkdir(folder, { recursive: true });
  claim(folder);
  await assertRegistry(folder);
  print(
    `Installing n8n ${manifest.n8nVersion} into ${folder}: 2.5 GB, and a few minutes, once. ` +
      'After Ctrl+C, the next start goes on from there.',
  );
  const started = Date.now();
  let [isUnpacked, isBuilding] = [false, true];
  const stop = showProgress(print, installation, manifest, () => ({ isUnpacked, isBuilding }));
  const failure = new AbortController();
  const { signal } = failure;
  const steps = [
    once(installation, 'packages', manifest, () =>
      installPackages(installation, manifest, signal),
    ).then(() => (isUnpacked = true)),
    once(installation, 'native', manifest, () => buildNative(installation, manifest, signal)).then(
      () => (isBuilding = false),
    ),
  ];
  // Where one fails, the other ends too.
  await Promise.allSettled(steps.map((step) => step.catch((error) => failure.abort(error))));
  stop();
  if (signal.aborted) throw signal.reason;
  await placeNative(installation);
  assertRuns(installation, manifest.n8nVersion);
  await writeFile(stampFile(installation, 'complete'), manifest.fingerprint);
  await rm(stampFile(installation, 'native'), { force: true });
  await rm(nativeFolder(installation), { recursive: true, force: true });
  print(`n8n is installed, after ${Math.round((Date.now() - started) / 1000)} s.`);
  return manifest.n8nVersion;
}
