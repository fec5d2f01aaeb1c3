/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/n8n'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
