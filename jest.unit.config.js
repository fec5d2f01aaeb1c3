const tested = ['actions', 'methods', 'shared', 'transport', 'trigger'];

/** The unit tests of the nodes, for mutation testing. @type {import('jest').Config} */
module.exports = {
  ...require('./jest.config.js'),
  roots: tested.map((name) => `<rootDir>/test/unit/${name}`),
};
