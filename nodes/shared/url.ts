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

const LOCAL = [
  /^localhost$/,
  /\.(localhost|local|internal|lan|home)$/,
  /^(127|10|0)\./,
  /^192\.168\./,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^\[(::1?|f[cd].*|fe80:.*)\]$/,
];

/** Whether a host is one that only its own computer or network can reach. */
export const isLocalHost = (host: string): boolean =>
  LOCAL.some((pattern) => pattern.test(host)) || !/[.:]/.test(host);
