import type { FastifyReply } from 'fastify';

import { noQuota, type RateLimit } from './quota';

/** An error response: its status and its JSON body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /**
   * @param status the HTTP status
   * @param code a short identifier, such as invalid_field
   * @param message what happened and what to do
   * @param field the parameter or body field that is wrong, such as variants[0].content
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }

  get body() {
    const { code, field, message } = this;
    return { error: { code, ...(field !== undefined && { field }), message } };
  }
}

/** Sends an error response. Sets the rate limit headers if they aren't set yet. */
export function sendError(error: Error, reply: FastifyReply): void {
  if (!reply.hasHeader('X-RateLimit-Limit')) setRateLimit(reply, noQuota(new Date()));
  const { status, body } = error instanceof ApiError ? error : asApiError(error);
  reply.code(status).send(body);
}

export function setRateLimit(reply: FastifyReply, { limit, remaining, reset }: RateLimit): void {
  reply.headers({
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  });
}

/** Turns an error of Fastify, such as a body that is too large, into an error of the API. */
function asApiError(error: Error & { statusCode?: number }): ApiError {
  const { statusCode = 500, message } = error;
  if (statusCode < 500) return new ApiError(statusCode, 'bad_request', message);
  return new ApiError(statusCode, 'internal_error', 'The sandbox itself failed.');
}
