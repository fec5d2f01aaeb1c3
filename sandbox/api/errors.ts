import type { FastifyReply } from 'fastify';
import { noQuota, type RateLimit } from '../quota';

/** A refusal: its status and what its JSON body says. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /**
   * @param status the HTTP status
   * @param code a short identifier such as invalid_field
   * @param message what happened and what to do
   * @param field the parameter or body field at fault, such as variants[0].content
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

/** Answers with what went wrong, and with the rate limit of no key unless one is set already. */
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

/** What Fastify refuses by itself, such as a body that is too large, in the API's words. */
function asApiError(error: Error & { statusCode?: number }): ApiError {
  const { statusCode = 500, message } = error;
  if (statusCode < 500) return new ApiError(statusCode, 'bad_request', message);
  return new ApiError(statusCode, 'internal_error', 'Something went wrong in the sandbox itself.');
}
