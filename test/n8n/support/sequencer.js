const Sequencer = require('@jest/test-sequencer').default;

/** What takes minutes: begun last, one worker would wait for it. */
const LONG = [
  'interrupted/situations',
  '/trigger.test',
  'interrupted/interrupted',
  'crash',
  'load',
];

const rank = (path) => {
  const found = LONG.findIndex((name) => path.includes(name));
  return found === -1 ? LONG.length : found;
};

/**
 * Sorts the test files by name, those that take minutes first. Jest would take those first that failed or
 * took longest in this folder before, so that each folder has another order.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    const before = (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
    return [...tests].sort((a, b) => before(a.path, b.path));
  }
};
