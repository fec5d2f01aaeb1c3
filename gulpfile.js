const { execFile } = require('node:child_process');
const { readFile, rm, writeFile } = require('node:fs/promises');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');
const prettier = require('prettier');
const { rollup } = require('rollup');

const { n8n } = require('./package.json');

const run = promisify(execFile);
const MODULES = '.build';

/** Empties dist/, so that nothing of an earlier build is packed. */
const clean = () =>
  Promise.all(['dist', MODULES].map((folder) => rm(folder, { recursive: true, force: true })));

/** Compiles credentials/ and nodes/ into modules; fails on any type error. */
const compile = () =>
  run(process.execPath, [
    require.resolve('typescript/bin/tsc'),
    ...['-p', 'tsconfig.build.json', '--outDir', MODULES],
  ]);

/**
 * Puts the modules of one node or credential type together in the one file that package.json names
 * for it, readable as it is: not minified, and laid out by prettier.
 */
async function bundle(file) {
  const modules = await rollup({
    input: file.replace(/^dist/, MODULES),
    external: /^[^./]/,
    onwarn({ message }) {
      throw new Error(message);
    },
  });
  await modules.write({ file, format: 'cjs', exports: 'named', esModule: false });
  const layout = { parser: 'babel', useTabs: true, singleQuote: true, printWidth: 120 };
  await writeFile(file, await prettier.format(await readFile(file, 'utf8'), layout));
}

const bundles = () => Promise.all([...n8n.credentials, ...n8n.nodes].map(bundle));

/** Copies what n8n reads beside the code: icons, codex files and output schemas. */
const assets = () =>
  src(['{credentials,nodes}/**/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
    base: '.',
    encoding: false,
  }).pipe(dest('dist'));

exports.clean = clean;
exports.build = series(clean, parallel(series(compile, bundles), assets));
exports.default = exports.build;
