const tested = [
  'idempotency',
  'methods',
  'operations',
  'parameters',
  'run',
  'service',
  'shared',
  'trigger',
];

/** The unit tests of the nodes, for mutation testing. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  testEnvironment: 'node',
  roots: tested.map((name) => `<rootDir>/test/unit/${name}`),
};
