import type { NoResponse } from '../../../nodes/SocialPublishing/service/http/connectionError';
import type { HttpResponse } from '../../../nodes/SocialPublishing/service/http/response';

/** A response of the service. */
export const response = (
  status: number,
  text = '',
  headers: HttpResponse['headers'] = {},
  statusText = '',
): HttpResponse => ({ responded: true, status, statusText, headers, text });

/** A response that names how many requests are left. */
export const leaving = (remaining: string | undefined, status = 200): HttpResponse =>
  response(status, '', { 'x-ratelimit-remaining': remaining });

/** A connection that broke after the request had gone out. */
export const broken: NoResponse = { responded: false, code: 'ECONNRESET', neverSent: false };

/** A connection that was never made. */
export const neverMade: NoResponse = { responded: false, code: 'ECONNREFUSED', neverSent: true };
