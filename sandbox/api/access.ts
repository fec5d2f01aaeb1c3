import type { FastifyReply } from 'fastify';

import { type ApiKey, plans } from '../records';
import type { Store } from '../records/store';
import type { LoggedRequest } from '../request-log';
import { ApiError, setRateLimit } from './errors';
import { countRequest, noQuota } from './quota';
import type { RequestState } from './state';

/**
 * Finds the API key of a request, counts the request toward its quota and sets the rate limit
 * headers (docs/service.md, "Quota").
 */
export function authenticate(logged: LoggedRequest, store: Store, reply: FastifyReply) {
  const { headers, receivedAt } = logged;
  const key = bearerKey(store, headers.authorization);
  if (!key) {
    setRateLimit(reply, noQuota(receivedAt));
    return { key, quotaExceeded: false };
  }
  const { allowed, ...rateLimit } = countRequest(key, receivedAt);
  setRateLimit(reply, rateLimit);
  return { key, quotaExceeded: !allowed };
}

function bearerKey(store: Store, authorization: string | undefined): ApiKey | undefined {
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  return key === undefined ? undefined : store.findKey(key);
}

/** Why a request has no access: no valid key, a plan without API access, or a used-up quota. */
export function accessError(state: RequestState, reply: FastifyReply): ApiError | undefined {
  if (!state.key) {
    return new ApiError(
      401,
      'unauthorized',
      'The API key is missing or not valid. Send it as "Authorization: Bearer <API_KEY>".',
    );
  }
  const plan = plans[state.key.plan];
  if (plan.requestsPerMonth === 0) {
    return new ApiError(403, 'no_api_access', `The ${plan.name} plan has no API access.`);
  }
  if (!state.quotaExceeded) return undefined;
  const reset = Number(reply.getHeader('X-RateLimit-Reset'));
  reply.header('Retry-After', Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  return new ApiError(
    429,
    'quota_exceeded',
    `The ${plan.name} plan's ${plan.requestsPerMonth} requests for this month are used up.`,
  );
}
