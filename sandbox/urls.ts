/**
 * The origin of a server on this machine, without a port that http implies.
 *
 * @param host the address to listen on, which may stand for all addresses
 */
export function originOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return new URL(`http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`).origin;
}

/** Whether a text is an absolute http or https URL. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  try {
    // After many calls, URL.canParse in Node.js 20 starts to refuse letters such as "ü".
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
