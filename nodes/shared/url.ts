/**
 * Reads an absolute URL. Not done by `URL.canParse`, which in Node.js 20 comes to refuse letters such
 * as "ü" once it has been called often.
 *
 * @returns the URL, or `undefined` when the text is none
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
