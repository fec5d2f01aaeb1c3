import { join, resolve } from 'node:path';

/** The checkout this script belongs to. */
export const repositoryDir = resolve(__dirname, '../..');

/** What the host's package.json and lockfile are copied from. */
export const hostManifestDir = join(repositoryDir, 'n8n-host');

/**
 * Where the real n8n and its data live: `.n8n` in the checkout (ignored by git), or the folder that
 * the environment variable `SOCIAL_PUBLISHING_N8N_DIR` names, so that several checkouts can share
 * one installation.
 */
export function workDir(): string {
  const configured = process.env['SOCIAL_PUBLISHING_N8N_DIR'];
  return configured ? resolve(configured) : join(repositoryDir, '.n8n');
}

/** The folder that holds the installed n8n. */
export function hostDir(): string {
  return join(workDir(), 'host');
}

/** The Node runtime that came along with the installed n8n: the machine's own may be too old for it. */
export function hostNode(): string {
  return join(hostDir(), 'node_modules', 'node', 'bin', 'node');
}

/** The entry point of the installed n8n. */
export function hostN8n(): string {
  return join(hostDir(), 'node_modules', 'n8n', 'bin', 'n8n');
}
