/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['unit', 'engine', 'sandbox', 'package'].map((folder) => `<rootDir>/test/${folder}`),
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
  testTimeout: 60_000,
};
