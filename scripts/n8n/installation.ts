import { join, resolve } from 'node:path';

import { repositoryDir, workDir } from './paths';

/** An n8n of one version, installed or to be installed. */
export interface Installation {
  /** The folder with the package.json and the lockfile to install from. */
  manifestFolder: string;
  /** The folder that n8n is installed in. */
  folder: string;
  /** The Node runtime that is installed with n8n: the machine's own may not fit. */
  node: string;
  /** The entry point of n8n. */
  n8n: string;
}

const VERSION_VARIABLE = 'SOCIAL_PUBLISHING_N8N_VERSION';

/**
 * Locates an n8n: that of the given version, of the version in `SOCIAL_PUBLISHING_N8N_VERSION`, or
 * else the one that the package is developed with.
 *
 * @param version one of the folders of `n8n-host/versions`
 */
export function installationOf(version = process.env[VERSION_VARIABLE]): Installation {
  const manifests = join(repositoryDir, 'n8n-host');
  const folder = version ? join(workDir(), 'versions', version) : join(workDir(), 'host');
  return {
    manifestFolder: version ? join(manifests, 'versions', version) : manifests,
    folder: resolve(folder),
    node: join(folder, 'node_modules', 'node', 'bin', 'node'),
    n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
  };
}

/** The environment that makes the tests run in the n8n of the given version. */
export const environmentFor = (version: string): Record<string, string> => ({
  [VERSION_VARIABLE]: version,
});
