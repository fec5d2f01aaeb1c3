import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

import { repositoryDir } from './n8n/paths';
import { SetupError } from './n8n/setup-error';
import { missingIn, releaseOf, type ReleaseSources } from './release/missing';

const TIMEOUT_MS = 15_000;

const run = promisify(execFile);

const read = (file: string) => readFile(join(repositoryDir, file), 'utf8');

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: repositoryDir })).stdout;
}

/** What npm or GitHub says about the release; `undefined` when it doesn't answer. */
type Answer = { missing?: string; done?: string } | undefined;

/** Whether npm has the package, and whether this version is still free. */
async function askNpm(name: string, version: string): Promise<Answer> {
  try {
    const args = ['view', name, 'versions', '--json', '--prefer-online', '--loglevel=error'];
    const { stdout } = await run('npm', args, { timeout: TIMEOUT_MS });
    const versions = z.union([z.string(), z.array(z.string())]).parse(JSON.parse(stdout));
    return [versions].flat().includes(version)
      ? { missing: `npm: choose another version. ${name}@${version} is published already.` }
      : { done: `npm has ${name}, and ${version} is free.` };
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (!stderr.includes('E404')) return undefined;
    return {
      missing: `npm: publish ${name} 0.0.0 by hand. Only a package that exists can have a trusted publisher.`,
    };
  }
}

/** Whether everyone can read the repository that the package names. */
async function askRepository(address: string): Promise<Answer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { method: 'HEAD', signal }).catch(() => undefined);
  if (!response || response.status >= 500) return undefined;
  return response.ok
    ? { done: `${address} is public.` }
    : { missing: `GitHub: make ${address} public. It answers ${response.status}.` };
}

const print = (heading: string, lines: string[]): void => {
  if (lines.length > 0) console.log(`\n${heading}\n${lines.map((line) => `- ${line}`).join('\n')}`);
};

async function main(): Promise<void> {
  const sources: ReleaseSources = {
    manifest: await read('package.json'),
    changelog: await read('CHANGELOG.md'),
    documents: { 'README.md': await read('README.md'), 'SECURITY.md': await read('SECURITY.md') },
    status: await git('status', '--porcelain=v2', '--branch'),
    tags: (await git('tag')).split('\n'),
  };
  const { name, version, page } = releaseOf(sources);
  const answers: Array<[string, Answer]> = [
    ['npm', await askNpm(name, version)],
    [page, await askRepository(page)],
  ];
  const missing = [
    ...missingIn(sources),
    ...answers.flatMap(([, answer]) => answer?.missing ?? []),
  ];

  console.log(`${name} ${version}`);
  print('Missing:', missing);
  print(
    'No answer from:',
    answers.flatMap(([whom, answer]) => (answer ? [] : [whom])),
  );
  print(
    'Done:',
    answers.flatMap(([, answer]) => answer?.done ?? []),
  );
  console.log('\nConfirm the rest by hand: CONTRIBUTING.md, "Before the first release".');
  if (missing.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
