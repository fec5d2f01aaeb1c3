/** Random runs on n8n's engine, and the package as npm packs and installs it. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/engine/load', '<rootDir>/test/package'],
  testPathIgnorePatterns: [],
  testTimeout: 180_000,
};
