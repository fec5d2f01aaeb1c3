const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** Empties dist/, so that nothing of an earlier build is packed. */
exports.clean = () => rm('dist', { recursive: true, force: true });

/** Copies what n8n reads beside the compiled code: icons, codex files and output schemas. */
exports.assets = () =>
  src(
    [
      'credentials/*.svg',
      'nodes/**/*.svg',
      'nodes/**/*.node.json',
      'nodes/**/__schema__/**/*.json',
    ],
    {
      base: '.',
      encoding: false,
    },
  ).pipe(dest('dist'));
