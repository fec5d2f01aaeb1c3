const { TestEnvironment } = require('jest-environment-node');

// Without this, Node.js frees the hundreds of MB of n8n's packages one by one when a worker ends: that takes
// longer than the half second after which Jest kills it.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

module.exports = TestEnvironment;
