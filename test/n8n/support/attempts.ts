/**
 * Tests of what is never lost, doubled, forged or leaked: one failure in a hundred runs is a defect
 * there.
 */
const ONE_ATTEMPT = /\/(trigger|load|crash|secrecy|interrupted\/[\w-]+)\.(test|table)\.ts$/;

// All others drive an editor in a browser, or read what n8n has stored a moment ago: they may try a
// second time. `.ci/run` lists those that needed it.
if (!ONE_ATTEMPT.test(expect.getState().testPath ?? '')) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
