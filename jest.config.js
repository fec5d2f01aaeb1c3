const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/support/environment.js',
  roots: ['unit', 'engine', 'sandbox'].map((folder) => `<rootDir>/test/${folder}`),
  testMatch: ['**/*.test.ts'],
  testSequencer: '<rootDir>/test/support/sequencer.js',
  testPathIgnorePatterns: ['/test/engine/load/'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
  testTimeout: 60_000,
  restoreMocks: true,
  // Half of the tests wait for a server: a worker more than cores leaves none of these idle.
  maxWorkers: availableParallelism() + 1,
  // Each file leaves what n8n's packages hold on to, some 20 MB. A new worker has to read and compile
  // all of n8n's packages anew.
  workerIdleMemoryLimit: '1GB',
};
