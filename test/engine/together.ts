/**
 * Runs the tests of several files of this folder as one file of jest, each in a `describe` of its own: every
 * file of jest loads n8n's engine anew, which takes seconds.
 *
 * @param files without their ending. What one of them mocks must be mocked before by the file that calls
 */
export function together(...files: readonly string[]): void {
  describe.each(files)('%s', (file) => {
    jest.requireActual<object>(`./${file}`);
  });
}
