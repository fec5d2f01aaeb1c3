const { longFirst } = require('../../support/sequencer');

module.exports = longFirst([
  '/editor.test',
  'interrupted/situations',
  '/trigger.test',
  'interrupted/interrupted',
  'crash',
  'examples/canvas',
  'examples/main-button',
  'warnings',
  'load',
]);
