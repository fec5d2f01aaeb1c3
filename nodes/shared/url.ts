/**
 * Reads an absolute URL. In Node.js 20, `URL.canParse` begins to refuse letters such as "ü" after many
 * calls, so this parses and catches.
 *
 * @returns the URL, or `undefined` when the text is not one
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

/** Whether a host can be reached only from its own computer or network. */
export const isLocalHost = (host: string): boolean =>
  LOCAL.some((pattern) => pattern.test(host)) || !/[.:]/.test(host);
