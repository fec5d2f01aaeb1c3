import { isIP } from 'node:net';

import type { FastifyRequest } from 'fastify';

/**
 * Why the dashboard rejects a request; undefined when it doesn't. The dashboard has no password, so
 * other web pages must not reach it: neither through a host name of theirs that resolves to this
 * machine, nor with a form that posts here.
 * @param host the address that the sandbox listens on
 */
export function rejectionReason(request: FastifyRequest, host: string): string | undefined {
  if (!isOwnHost(request.hostname, host)) {
    return `The dashboard is not available as ${request.hostname}. Open it as localhost or by IP address.`;
  }
  if (request.method !== 'GET' && !isSameOrigin(request)) {
    return 'This form comes from another site. Use the dashboard instead.';
  }
  return undefined;
}

function isOwnHost(hostname: string, host: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === host.toLowerCase() || isIP(name) !== 0;
}

/** Browsers send Origin with every form. Other clients can't be tricked into sending one. */
function isSameOrigin({ headers }: FastifyRequest): boolean {
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host}`;
  return (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
}
