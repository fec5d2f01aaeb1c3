/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/n8n'],
  globalSetup: '<rootDir>/test/n8n/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/n8n/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/n8n/support/attempts.ts'],
  maxWorkers: 1,
  testSequencer: '<rootDir>/test/n8n/support/sequencer.js',
  testTimeout: 1_200_000,
};
