import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import type { Installation } from './installation';

const names = z.union([z.string().transform((name) => [name]), z.array(z.string())]);

const packageSchema = z
  .object({
    name: z.string().optional(),
    version: z.string().optional(),
    resolved: z.string().optional(),
    link: z.boolean().optional(),
    inBundle: z.boolean().optional(),
    os: names.optional(),
    cpu: names.optional(),
    libc: names.optional(),
    dependencies: z.record(z.string()).optional(),
  })
  .passthrough();
const lockSchema = z.object({ packages: z.record(packageSchema) }).passthrough();

const hostSchema = z.object({ n8nHost: z.object({ fileCount: z.number() }).optional() });

type Lock = z.infer<typeof lockSchema>;
type LockedPackage = z.infer<typeof packageSchema>;

/** What is installed as one n8n. */
export interface Manifest {
  n8nVersion: string;
  /** The folders of the packages that this platform gets, such as `node_modules/n8n`. */
  packageFolders: string[];
  /** How many files they have, if that is known: the packages of other versions aren't counted. */
  fileCount: number | undefined;
  /** Of the packages and the platform. */
  fingerprint: string;
  lock: Lock;
}

function fits(allowed: string[] | undefined, value: string): boolean {
  if (allowed === undefined) return true;
  if (allowed.includes(`!${value}`)) return false;
  return allowed.includes(value) || allowed.every((name) => name.startsWith('!'));
}

/** The C library of this Linux; undefined elsewhere. */
const libcOfHere = (): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
};

/** Reads what an installation is made of. */
export async function readManifest({ manifestFolder }: Installation): Promise<Manifest> {
  const lockText = await readFile(join(manifestFolder, 'package-lock.json'), 'utf8');
  const lock = lockSchema.parse(JSON.parse(lockText));
  const packageText = await readFile(join(manifestFolder, 'package.json'), 'utf8');
  const { '': root, ...packages } = lock.packages;
  const libcHere = libcOfHere();
  const isForHere = ({ os, cpu, libc }: LockedPackage) =>
    fits(os, process.platform) &&
    fits(cpu, process.arch) &&
    (libcHere === undefined || fits(libc, libcHere));
  return {
    n8nVersion: root?.dependencies?.['n8n'] ?? '',
    packageFolders: Object.keys(packages).filter((folder) => isForHere(packages[folder] ?? {})),
    fileCount: hostSchema.parse(JSON.parse(packageText)).n8nHost?.fileCount,
    fingerprint: createHash('sha256')
      .update(`${process.platform} ${process.arch}\n${lockText}`)
      .digest('hex'),
    lock,
  };
}

/**
 * The lockfile with the address of each package. Without it, npm asks the registry for a description
 * of each package first, which doubles the requests.
 *
 * @param registry the address of the registry
 */
export function withAddresses(lock: Lock, registry: string): Lock {
  const address = (path: string, { name, version }: LockedPackage): string => {
    const full = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return new URL(`${full}/-/${full.split('/').at(-1)}-${version}.tgz`, `${registry}/`).href;
  };
  const isAtRegistry = ({ resolved, link, inBundle, version }: LockedPackage) =>
    version !== undefined && resolved === undefined && !link && !inBundle;
  const packages = Object.entries(lock.packages).map(([path, entry]) => [
    path,
    path.includes('node_modules/') && isAtRegistry(entry)
      ? { ...entry, resolved: address(path, entry) }
      : entry,
  ]);
  return { ...lock, packages: Object.fromEntries(packages) as Lock['packages'] };
}
