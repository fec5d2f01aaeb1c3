/** What grows faster than its input. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/scripts/bench'],
  testMatch: ['**/*.bench.ts'],
  testTimeout: 120_000,
};
