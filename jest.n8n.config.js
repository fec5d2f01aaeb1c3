/** @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: ['<rootDir>/test/n8n'],
  globalSetup: '<rootDir>/test/n8n/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/n8n/support/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/n8n/support/attempts.ts'],
  // Each worker has an n8n of its own, of which each uses about a core.
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/n8n/support/sequencer.js',
  testTimeout: 1_200_000,
};
