/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['unit', 'engine', 'sandbox'].map((folder) => `<rootDir>/test/${folder}`),
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/test/engine/load/'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
  testTimeout: 60_000,
  // Half of the tests wait for a server: a core less, as jest would have it, leaves the others idle.
  maxWorkers: '100%',
  // Each file leaves what n8n's packages hold on to, some 20 MB: a worker as large as all of that takes
  // too long to end, and jest says that it failed to. A new one goes on with the next file.
  workerIdleMemoryLimit: '400MB',
};
