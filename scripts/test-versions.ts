import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { Child } from './n8n/child';
import { installHost } from './n8n/install';
import { environmentFor, installationOf } from './n8n/installation';
import { repositoryDir } from './n8n/paths';
import { SetupError } from './n8n/setup-error';

const USAGE = `Runs the tests of the packed nodes in other versions of n8n.

  npm run test:versions -- [options] [version…]

  --all               test every version that can be installed
  --install           install the versions, and test none
  --results <folder>  write jest's results of each version to <folder>/<version>.json
  --help              show this help

Without a version, tests the oldest supported n8n and the last one of 1.x.`;

/** The oldest n8n that the README promises, and the last of the major version before. */
const DEFAULT_VERSIONS = ['1.100.1', '1.123.81'];

/** The tests that need nothing but what every supported n8n offers. */
const TESTS = [
  'operations',
  'failures',
  'credential',
  'editor-data',
  'trigger',
  'interrupted/retries',
];

/** Left out: n8n 1.123 saves no credential without its secret, so that there is none to test. */
const TESTS_OF_NEWER_VERSIONS = ['is tested by the trigger: no secret'];

const resultsSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  startTime: z.number(),
});

interface Row {
  version: string;
  passed: number;
  failed: number;
  seconds: number;
}

/** Installs a version of n8n, unless it is installed. */
async function install(version: string): Promise<void> {
  await installHost((line) => console.log(line), installationOf(version));
}

/** Runs the tests in one version of n8n, which is installed first if it is missing. */
async function testIn(version: string, resultsFolder?: string): Promise<Row> {
  const installation = installationOf(version);
  await install(version);
  const resultsFile = join(resultsFolder ?? installation.folder, `${version}.json`);
  await rm(resultsFile, { force: true });
  const started = Date.now();
  console.log(`\nn8n ${version}`);
  const jest = new Child(
    process.execPath,
    [
      require.resolve('jest/bin/jest'),
      ...['--config', 'jest.n8n.config.js', '--json', '--outputFile', resultsFile],
      ...['--testNamePattern', `^(?!.*(${TESTS_OF_NEWER_VERSIONS.join('|')}))`],
      ...TESTS.map((name) => `test/n8n/${name}.test.ts`),
    ],
    {
      cwd: repositoryDir,
      env: { ...process.env, ...environmentFor(version) },
      pidFile: join(installation.folder, 'jest.pid'),
      // With --json, the results are in the file, and what remains is jest's report.
      onLine: (line) => {
        if (!line.startsWith('{"')) console.log(line);
      },
    },
  );
  const code = await jest.ended;
  const seconds = Math.round((Date.now() - started) / 1000);
  const text = await readFile(resultsFile, 'utf8').catch(() => undefined);
  if (text === undefined) return { version, passed: 0, failed: 1, seconds };
  const results = resultsSchema.parse(JSON.parse(text));
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  return {
    version,
    passed: results.numPassedTests,
    failed: code === 0 ? failed : Math.max(failed, 1),
    seconds,
  };
}

function optionsOf(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      install: { type: 'boolean' },
      results: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const known = readdirSync(join(repositoryDir, 'n8n-host', 'versions'));
  const unknown = positionals.filter((version) => !known.includes(version));
  if (unknown.length > 0) {
    throw new SetupError(
      `${unknown.join(', ')} cannot be installed. These versions can: ${known.join(', ')}.`,
    );
  }
  const chosen = positionals.length > 0 ? positionals : DEFAULT_VERSIONS;
  return { ...values, versions: values.all ? known : chosen };
}

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  const { versions, results } = options;
  if (options.help) {
    console.log(USAGE);
    return;
  }
  if (options.install) {
    for (const version of versions) await install(version);
    return;
  }
  const rows: Row[] = [];
  for (const version of versions) rows.push(await testIn(version, results));
  console.table(rows);
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
