const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** What n8n reads beside the compiled code: icons, codex files and output schemas. */
exports.assetFiles = [
  'credentials/*.svg',
  'nodes/**/*.svg',
  'nodes/**/*.node.json',
  'nodes/**/__schema__/**/*.json',
];

exports.copyAssets = (folder) =>
  src(exports.assetFiles, { base: '.', encoding: false }).pipe(dest(folder));

/** Empties dist/, so that nothing of an earlier build is packed. */
exports.clean = () => rm('dist', { recursive: true, force: true });

exports.assets = () => exports.copyAssets('dist');
