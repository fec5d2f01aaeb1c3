import type { HttpAnswer, NoAnswer } from '../../../nodes/SocialPublishing/transport/http';

/** An answer of the service. */
export const answer = (
  status: number,
  text = '',
  headers: HttpAnswer['headers'] = {},
  statusText = '',
): HttpAnswer => ({ answered: true, status, statusText, headers, text });

/** An answer that names how many requests are left. */
export const leaving = (remaining: string | undefined, status = 200): HttpAnswer =>
  answer(status, '', { 'x-ratelimit-remaining': remaining });

/** A connection that broke after the request had gone out. */
export const broken: NoAnswer = { answered: false, code: 'ECONNRESET', neverSent: false };

/** A connection that was never made. */
export const neverMade: NoAnswer = { answered: false, code: 'ECONNREFUSED', neverSent: true };
