/** The version of n8n that the tests run in; undefined for the one that the package is developed with. */
const version = process.env['SOCIAL_PUBLISHING_N8N_VERSION'];

const numbersOf = (text: string): number[] => text.split('.').map(Number);

/**
 * Whether the tests run in this version of n8n or in a later one. A test may ask for what the
 * documents promise for some versions only; the client of n8n looks for what it needs instead.
 *
 * @param wanted the major and the minor version, such as `2.28`
 */
export function isSince(wanted: string): boolean {
  if (version === undefined) return true;
  const [major = 0, minor = 0] = numbersOf(version);
  const [wantedMajor = 0, wantedMinor = 0] = numbersOf(wanted);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
