const { rm } = require('node:fs/promises');
const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { dest, parallel, series, src } = require('gulp');

const run = promisify(execFile);

/** Empties dist/, so that nothing of an earlier build is packed. */
const clean = () => rm('dist', { recursive: true, force: true });

/** Compiles credentials/ and nodes/ into dist/; fails on any type error. */
const compile = () =>
  run(process.execPath, [require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.build.json']);

/** Copies what n8n reads beside the compiled files: icons, codex files and output schemas. */
const assets = () =>
  src(
    ['{credentials,nodes}/**/*.{svg,png}', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'],
    {
      base: '.',
      encoding: false,
    },
  ).pipe(dest('dist'));

exports.clean = clean;
exports.build = series(clean, parallel(compile, assets));
exports.default = exports.build;
