import type { FastifyReply } from 'fastify';
import { plans } from '../plans';
import { noQuota, spend } from '../quota';
import type { RecordedRequest } from '../requests';
import type { ApiKey, Store } from '../store';
import type { ApiCall } from './call';
import { ApiError, setRateLimit } from './errors';

/**
 * Finds the key that a request carries, counts the request against its quota and puts the rate
 * limit on the answer (specification, "Limits").
 */
export function identify(record: RecordedRequest, store: Store, reply: FastifyReply) {
  const { headers, receivedAt } = record;
  const key = bearerKey(store, headers.authorization);
  if (!key) {
    setRateLimit(reply, noQuota(receivedAt));
    return { key, quotaExceeded: false };
  }
  const { allowed, ...rateLimit } = spend(key, receivedAt);
  setRateLimit(reply, rateLimit);
  return { key, quotaExceeded: !allowed };
}

function bearerKey(store: Store, authorization: string | undefined): ApiKey | undefined {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return text === undefined ? undefined : store.keyByText(text);
}

/** Why a request isn't let in: no valid key, no API access, nothing left of the quota. */
export function refusalOf(call: ApiCall, reply: FastifyReply): ApiError | undefined {
  if (!call.key) {
    return new ApiError(
      401,
      'unauthorized',
      'The API key is missing or not valid. Send it as "Authorization: Bearer <API_KEY>".',
    );
  }
  const plan = plans[call.key.plan];
  if (plan.requestsPerMonth === 0) {
    return new ApiError(403, 'no_api_access', `The ${plan.name} plan has no API access.`);
  }
  if (!call.quotaExceeded) return undefined;
  const reset = Number(reply.getHeader('X-RateLimit-Reset'));
  reply.header('Retry-After', Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  return new ApiError(
    429,
    'quota_exceeded',
    `The ${plan.requestsPerMonth} requests a month of the ${plan.name} plan are used up.`,
  );
}
