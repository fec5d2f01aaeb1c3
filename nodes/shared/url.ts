/**
 * Reads an absolute URL. `URL.canParse` of Node.js 20 begins to refuse letters such as "ü" after
 * many calls.
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
