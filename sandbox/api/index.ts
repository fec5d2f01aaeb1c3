import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Encounter } from '../faults';
import { plans } from '../plans';
import { noQuota, spend, type RateLimit } from '../quota';
import type { Service } from '../service';
import type { ApiKey, Store } from '../store';
import { accountRoutes } from './accounts';
import { agentRoutes } from './agents';
import { analyticsRoutes } from './analytics';
import type { ApiCall } from './call';
import { ApiError } from './errors';
import { postRoutes } from './posts';
import { strikeAnswer, strikesAfterActing, strikeTotal } from './strike';

/** The path of the API: its version is part of it (specification, "Versioning"). */
export const apiPath = '/api/v1';

const methods: Record<string, string[]> = {
  '/posts': ['GET', 'POST'],
  '/accounts': ['GET'],
  '/analytics': ['GET'],
  '/agents': ['GET', 'POST'],
};

/** The API of the specification, to be registered under /api/v1. */
export function api(app: FastifyInstance, service: Service): void {
  const { store, log, faults, latencyMs, closing } = service;

  app.decorateRequest('call');
  app.setErrorHandler((error: FastifyError, _request, reply) => sendError(error, reply));

  // A body stays the bytes it came as: it is recorded, and read only when the request is let in.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.call.record.body = body;
    done(null, body);
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { record, leave } = log.arrive(request.method, request.raw.url ?? '', request.headers);
    reply.raw.once('close', leave);
    const key = bearerKey(store, request.headers.authorization);
    const rateLimit = key ? spend(key, record.receivedAt) : noQuota(record.receivedAt);
    const quotaExceeded = 'allowed' in rateLimit && !rateLimit.allowed;
    request.call = { record, leave, key, quotaExceeded, faults: undefined };
    setRateLimit(reply, rateLimit);
    done();
  });

  app.addHook('preValidation', async ({ method, call }, reply) => {
    const refusal = refusalOf(call, reply);
    if (!refusal) call.faults = faults.meet(method, call.record.path.slice(apiPath.length));
    const delay = latencyMs + (call.faults?.latencyMs ?? 0);
    if (delay > 0 && !(await waited(delay, closing))) return cutOff(reply);
    if (refusal) throw refusal;
    const fault = call.faults?.answer;
    if (fault && !strikesAfterActing(fault)) return reply.send({ message: 'Nothing was done.' });
  });

  app.addHook('onSend', ({ call }, reply, payload, done) => {
    const sent = strike(call.faults, reply, String(payload));
    call.leave();
    if (sent === undefined) {
      reply.hijack(); // A fault has ended the connection: nothing is left to send, or to act on.
      return;
    }
    call.record.status = reply.statusCode;
    done(null, sent);
  });

  postRoutes(app, service);
  accountRoutes(app, service);
  analyticsRoutes(app, service);
  agentRoutes(app, service);

  for (const [url, allowed] of Object.entries(methods)) {
    const others = app.supportedMethods.filter((method) => !allowed.includes(method));
    app.route({
      method: others,
      url,
      handler: (request, reply) => {
        reply.header('Allow', allowed.join(', '));
        throw new ApiError(
          405,
          'method_not_allowed',
          `${request.method} is not possible here. Use ${allowed.join(' or ')}.`,
        );
      },
    });
  }

  app.setNotFoundHandler((request) => {
    throw new ApiError(404, 'not_found', `There is no ${request.call.record.path}.`);
  });
}

/** Waits, and says whether it was to the end. */
async function waited(delay: number, closing: AbortSignal): Promise<boolean> {
  await sleep(delay, undefined, { signal: closing }).catch(() => undefined);
  return !closing.aborted;
}

/** Ends the connection of a request that the sandbox closes over. */
function cutOff(reply: FastifyReply): FastifyReply {
  reply.raw.destroy();
  return reply.hijack();
}

function bearerKey(store: Store, authorization: string | undefined): ApiKey | undefined {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return text === undefined ? undefined : store.keyByText(text);
}

/** Why a request isn't let in: no valid key, no API access, nothing left of the quota. */
function refusalOf(call: ApiCall, reply: FastifyReply): ApiError | undefined {
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

function strike(faults: Encounter | undefined, reply: FastifyReply, payload: string) {
  if (!faults) return payload;
  const isPage = faults.total.length > 0 && reply.statusCode === 200;
  const counted = isPage ? strikeTotal(faults.total, payload) : payload;
  return faults.answer ? strikeAnswer(faults.answer, reply, counted) : counted;
}

/** Answers with what went wrong, and with the rate limit of no key unless one is set already. */
export function sendError(error: Error, reply: FastifyReply): void {
  if (!reply.hasHeader('X-RateLimit-Limit')) setRateLimit(reply, noQuota(new Date()));
  const { status, body } = error instanceof ApiError ? error : asApiError(error);
  reply.code(status).send(body);
}

function setRateLimit(reply: FastifyReply, { limit, remaining, reset }: RateLimit): void {
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
