import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { npm } from './npm';
import { repositoryDir } from './paths';
import { SetupError } from './setup-error';

const packSchema = z
  .array(
    z.object({
      name: z.string(),
      version: z.string(),
      filename: z.string(),
      unpackedSize: z.number(),
      files: z.array(z.object({ path: z.string(), size: z.number() })),
    }),
  )
  .length(1);

/** A tarball as `npm pack` makes it for publishing; sizes are in bytes. */
export interface PackedPackage {
  name: string;
  version: string;
  /** Absolute path of the tarball. */
  tarball: string;
  unpackedSize: number;
  files: Array<{ path: string; size: number }>;
}

async function runNpm(args: string[], cwd: string, pidFile: string): Promise<string> {
  const lines: string[] = [];
  const code = await npm(args, { cwd, pidFile, onLine: (line) => lines.push(line) }).ended;
  if (code !== 0) throw new SetupError([`npm ${args.join(' ')} failed:`, ...lines].join('\n'));
  return lines.join('\n');
}

/**
 * Builds the package.
 *
 * @param folder keeps the mark of the npm that does it
 * @throws SetupError with npm's output when the build fails
 */
export async function build(folder: string, source: string = repositoryDir): Promise<void> {
  await runNpm(['run', 'build'], source, join(folder, 'npm.pid'));
}

/**
 * Builds the package and packs it into `folder`.
 *
 * @param source the package's folder, with its dependencies installed
 * @throws SetupError with npm's output when the build or the packing fails
 */
export async function buildAndPack(
  folder: string,
  source: string = repositoryDir,
): Promise<PackedPackage> {
  await build(folder, source);
  return await pack(folder, source);
}

/** Packs what has been built in `source` into `folder`. */
export async function pack(folder: string, source: string = repositoryDir): Promise<PackedPackage> {
  await mkdir(folder, { recursive: true });
  const output = await runNpm(
    ['pack', '--ignore-scripts', '--json', '--loglevel=silent', '--pack-destination', folder],
    source,
    join(folder, 'npm.pid'),
  );
  const [packed] = packSchema.parse(JSON.parse(output));
  if (!packed) throw new SetupError('npm pack made no tarball.');
  return { ...packed, tarball: join(folder, packed.filename) };
}

/**
 * Installs a packed package as a community package of the n8n whose user folder is given: into
 * `<userFolder>/.n8n/nodes`, with npm, as a self-hoster does it by hand. Nothing is fetched: the
 * package has no dependencies.
 */
export async function installPackage(packed: PackedPackage, userFolder: string): Promise<void> {
  const folder = join(userFolder, '.n8n', 'nodes');
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'node_modules', packed.name), { recursive: true, force: true });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'installed-nodes', private: true, dependencies: {} }),
  );
  await runNpm(
    [
      'install',
      packed.tarball,
      '--offline',
      '--ignore-scripts',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
    ],
    folder,
    join(userFolder, 'npm.pid'),
  );
  const installed: unknown = JSON.parse(
    await readFile(join(folder, 'node_modules', packed.name, 'package.json'), 'utf8'),
  );
  z.object({ name: z.literal(packed.name), version: z.literal(packed.version) }).parse(installed);
}
