import { join, resolve } from 'node:path';

/** The root folder of this repository. */
export const repositoryDir = resolve(__dirname, '../..');

/**
 * The folder for the installed n8n and its data: `.n8n` in the repository, which git ignores. The
 * environment variable `SOCIAL_PUBLISHING_N8N_DIR` names another folder, which several checkouts can
 * share.
 */
export function workDir(): string {
  const configured = process.env['SOCIAL_PUBLISHING_N8N_DIR'];
  return configured ? resolve(configured) : join(repositoryDir, '.n8n');
}
