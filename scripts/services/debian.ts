import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { SetupError } from '../n8n/setup-error';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

const run = promisify(execFile);

/** The folders with programs: those on the PATH, and PostgreSQL's own, the latest version first. */
function programFolders(): string[] {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
  ];
}

function find(program: string): string | undefined {
  return programFolders()
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

/** Installs a Debian package. In run level 1, the installation starts no service. */
async function install(packageName: string): Promise<void> {
  await run('apt-get', ['update', '-qq']);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/**
 * Locates a program of a Debian package. As root, installs the package if it is missing.
 *
 * @returns the absolute path of the program
 * @throws SetupError when the program is missing and this user cannot install it
 */
export async function debianProgram(program: string, packageName: string): Promise<string> {
  const found = find(program);
  if (found) return found;
  if (process.getuid?.() === 0) {
    await install(packageName);
    const installed = find(program);
    if (installed) return installed;
  }
  throw new SetupError(
    `${program} is missing. Install it (on Debian and Ubuntu: apt-get install ${packageName}), then start again.`,
  );
}

/**
 * Wraps a command so that the program ends with this process, even if this process is killed.
 *
 * @param user runs the program as this user; possible only for root
 * @returns the command and its arguments
 */
export function bound(command: string[], user?: string): [string, string[]] {
  const identity =
    user === undefined ? [] : [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  return ['setpriv', [...identity, '--pdeathsig=SIGKILL', '--', ...command]];
}

/** The numeric ID of a user. */
export const userId = (user: string): number =>
  Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
