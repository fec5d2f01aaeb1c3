/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['unit', 'engine', 'sandbox', 'package'].map((folder) => `<rootDir>/test/${folder}`),
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
  testTimeout: 60_000,
  // Half of the tests wait for a server: a core less, as jest would have it, leaves the others idle.
  maxWorkers: '100%',
};
