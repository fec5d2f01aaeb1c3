import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { z } from 'zod';

import { SetupError } from './n8n/setup-error';
import { waitFor } from './n8n/wait-for';

/** How long npm may take to show a published version. */
const PATIENCE_SECONDS = 300;
const INTERVAL_MS = 10_000;

const run = promisify(execFile);

/** The integrity of a published version; `undefined`, after a pause, while npm does not show it. */
async function publishedIntegrity(packageVersion: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('npm', [
      'view',
      packageVersion,
      'dist.integrity',
      '--prefer-online',
      '--loglevel=error',
    ]);
    return stdout.trim() || undefined;
  } catch (error) {
    const { stderr } = z.object({ stderr: z.string() }).parse(error);
    if (!stderr.includes('E404')) throw error;
    await delay(INTERVAL_MS);
    return undefined;
  }
}

/**
 * Checks that the published version is the tarball that was built, byte for byte, and runs n8n's
 * official scan over it. The official command always exits with 0; this one exits with 1 when it finds
 * something.
 */
async function main([tarball]: string[]): Promise<void> {
  if (tarball === undefined) {
    throw new SetupError('Usage: npm run scan:published -- <tarball that was published>');
  }
  const manifest = await run('tar', ['-xzOf', tarball, 'package/package.json']);
  const { name, version } = z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(manifest.stdout));
  const packageVersion = `${name}@${version}`;
  const published = await waitFor(
    `npm did not show ${packageVersion}`,
    () => publishedIntegrity(packageVersion),
    PATIENCE_SECONDS,
  );
  const built = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`;
  if (published !== built) {
    throw new SetupError(`npm has ${published} for ${packageVersion} instead of ${built}.`);
  }
  console.log(`${packageVersion} is the tarball that was built.`);
  const { analyzePackageByName } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
  const { passed, message, details } = await analyzePackageByName(name, version);
  if (!passed)
    throw new SetupError([`The scan failed: ${message}`, details].filter(Boolean).join('\n'));
  console.log('The scan passed.');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
