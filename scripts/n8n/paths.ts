import { join, resolve } from 'node:path';

/** The root folder of this repository. */
export const repositoryDir = resolve(__dirname, '../..');

/** The folder with the package.json and the lockfile of the n8n to install. */
export const hostManifestDir = join(repositoryDir, 'n8n-host');

/**
 * The folder for the installed n8n and its data: `.n8n` in the repository, which git ignores. The
 * environment variable `SOCIAL_PUBLISHING_N8N_DIR` names another folder, which several checkouts can
 * share.
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
