/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/queue'],
  maxWorkers: 1,
  testTimeout: 900_000,
};
