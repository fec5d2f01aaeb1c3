import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Installation } from './installation';
import type { Manifest } from './manifest';
import { FETCH_PATIENCE_MS, insist, runNpm } from './npm-run';
import { SetupError } from './setup-error';

/** The packages whose install scripts have to run: the runtime, the database, the sandbox of code. */
const NATIVE = ['node', 'sqlite3', 'isolated-vm'];

/** How long npm may say nothing while the compiler works, in milliseconds: it took at most 4 minutes. */
const BUILD_PATIENCE_MS = 15 * 60_000;

/** Where the native parts are built. */
export const nativeFolder = ({ folder }: Installation): string => join(folder, 'native');

/** What a compiler of C++ needs, and the programs that are taken for it, in the order of node-gyp. */
const buildTools = (): Array<[string, string[]]> => [
  ['python3', [process.env['PYTHON'] ?? 'python3', 'python3', 'python']],
  ['make', [process.env['MAKE'] ?? 'make']],
  ['g++', [process.env['CXX'] ?? 'g++']],
];

function runs(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The tools to compile with that this machine doesn't have. */
export const missingBuildTools = (): string[] =>
  buildTools().flatMap(([name, programs]) => (programs.some(runs) ? [] : [name]));

/** One sentence on what is missing, and how to get it. */
export function missingToolsText(missing: string[]): string {
  const listed = new Intl.ListFormat('en').format(missing);
  return (
    `n8n's database module has to be compiled on this machine, and ${listed} ${missing.length === 1 ? 'is' : 'are'} missing. ` +
    `Install ${missing.length === 1 ? 'it' : 'them'} (on Debian and Ubuntu: apt-get install ${missing.join(' ')}), then start again.`
  );
}

/**
 * Installs and builds the parts of n8n that depend on the machine, in a folder of their own, so that
 * it can be done while npm installs the others.
 *
 * @throws SetupError that names what is missing, or says what npm said
 */
export async function buildNative(
  installation: Installation,
  { lock }: Manifest,
  signal: AbortSignal,
): Promise<void> {
  const folder = nativeFolder(installation);
  const versions = NATIVE.flatMap((name) => {
    const version = lock.packages[`node_modules/${name}`]?.version;
    return version === undefined ? [] : [[name, version] as const];
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await copyFile(join(installation.manifestFolder, '.npmrc'), join(folder, '.npmrc'));
  const manifest = { private: true, dependencies: Object.fromEntries(versions) };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  // npm leaves out what these packages don't need.
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['install', '--ignore-scripts', '--loglevel=http'];
  await insist(() => runNpm(folder, args, { signal, patienceMs: FETCH_PATIENCE_MS }));
  try {
    const rebuild = ['rebuild', ...NATIVE, '--ignore-scripts=false'];
    await insist(() => runNpm(folder, rebuild, { signal, patienceMs: BUILD_PATIENCE_MS }));
  } catch (error) {
    const missing = signal.aborted ? [] : missingBuildTools();
    if (missing.length === 0) throw error;
    throw new SetupError(missingToolsText(missing), { cause: error });
  }
}

/** Puts what `buildNative` has built in its place. Done again after an interruption, it goes on. */
export async function placeNative(installation: Installation): Promise<void> {
  for (const name of NATIVE) {
    const built = join(nativeFolder(installation), 'node_modules', name);
    const place = join(installation.folder, 'node_modules', name);
    if (!existsSync(built)) continue;
    await rm(place, { recursive: true, force: true });
    await rename(built, place);
  }
}
