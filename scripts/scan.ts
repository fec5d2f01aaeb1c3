import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { ESLint as ESLintClass } from 'eslint';

import { buildAndPack } from './n8n/pack';
import { repositoryDir } from './n8n/paths';
import { SetupError } from './n8n/setup-error';

const SCANNER = '@n8n/scan-community-package/scanner/scanner.mjs';
/** What the official scan looks at in a published tarball. */
const TARBALL_FILE_PATTERNS = ['**/*.js', 'package.json'];

const run = promisify(execFile);

interface Counts {
  files: number;
  errors: number;
  warnings: number;
}

/**
 * Lints a folder as n8n's scan of community packages does: with its rules, its own ESLint, and
 * without regard to inline comments. Unlike the scan, which only fails on errors, it counts
 * warnings too.
 */
async function scan(folder: string, patterns: string[]): Promise<Counts> {
  const { buildScanConfig } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
  const scannersOwn = createRequire(require.resolve(SCANNER));
  const { ESLint } = scannersOwn('eslint') as { ESLint: typeof ESLintClass };
  const eslint = new ESLint({
    cwd: folder,
    allowInlineConfig: false,
    overrideConfigFile: true,
    overrideConfig: await buildScanConfig(),
  });
  const results = await eslint.lintFiles(patterns);
  const formatter = await eslint.loadFormatter('stylish');
  const report = await formatter.format(results);
  if (report) console.log(report);
  const sum = (count: (result: ESLintClass.LintResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  return {
    files: results.length,
    errors: sum((result) => result.errorCount),
    warnings: sum((result) => result.warningCount),
  };
}

async function main(): Promise<void> {
  const { SOURCE_FILE_PATTERNS } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'social-publishing-scan-'));
  try {
    const packed = await buildAndPack(folder);
    const unpacked = join(folder, 'unpacked');
    await mkdir(unpacked);
    await run('tar', ['-xzf', packed.tarball, '-C', unpacked, '--strip-components=1']);
    const legs: Array<[string, Counts]> = [
      ['source', await scan(repositoryDir, SOURCE_FILE_PATTERNS)],
      ['tarball', await scan(unpacked, TARBALL_FILE_PATTERNS)],
    ];
    for (const [name, { files, errors, warnings }] of legs) {
      console.log(`${name}: ${files} files, ${errors} errors, ${warnings} warnings`);
      if (files === 0 || errors + warnings > 0) process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
