const Sequencer = require('@jest/test-sequencer').default;

/**
 * Sorts the test files by name, those that take long first: begun last, the other workers would wait for
 * them. Jest would take those first that failed or took longest in this folder before, so that each folder
 * has another order.
 *
 * @param {string[]} long parts of the paths of what takes long, the longest first
 */
const longFirst = (long) => {
  const rank = (path) => {
    const found = long.findIndex((name) => path.includes(name));
    return found === -1 ? long.length : found;
  };
  const before = (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
  return class extends Sequencer {
    sort(tests) {
      return [...tests].sort((a, b) => before(a.path, b.path));
    }
  };
};

module.exports = longFirst(['/test/engine/', '/worlds/', '/limiter/', '/lint/', '/sandbox/']);
module.exports.longFirst = longFirst;
