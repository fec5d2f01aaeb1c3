import type { FastifyRequest } from 'fastify';
import { isIP } from 'node:net';

/**
 * Why a request to the dashboard is refused; undefined when it isn't. The dashboard asks for no
 * password, so web pages from elsewhere must not reach it: neither through a name of theirs that
 * resolves to this machine, nor with a form that posts here.
 * @param host the address that the sandbox listens on
 */
export function refusalOf(request: FastifyRequest, host: string): string | undefined {
  if (!isOwnName(request.hostname, host)) {
    return `The dashboard is not served as ${request.hostname}. Open it as localhost or by IP address.`;
  }
  if (request.method !== 'GET' && !isSameOrigin(request)) {
    return 'This form was sent from another site. Use the dashboard itself.';
  }
  return undefined;
}

function isOwnName(hostname: string, host: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === host.toLowerCase() || isIP(name) !== 0;
}

/** Browsers send Origin along with every form; what isn't a browser has no form to be tricked into. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host}`;
  return (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
}
