const Sequencer = require('@jest/test-sequencer').default;

/** What takes long: begun last, the other workers would wait for it. */
const LONG = ['/test/engine/', '/worlds/', '/limiter/', '/lint/', '/sandbox/'];

const rank = (path) => {
  const found = LONG.findIndex((name) => path.includes(name));
  return found === -1 ? LONG.length : found;
};

/** Sorts the test files by name, those that take long first; in a fresh folder, Jest goes by their size. */
module.exports = class extends Sequencer {
  sort(tests) {
    const before = (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
    return [...tests].sort((a, b) => before(a.path, b.path));
  }
};
