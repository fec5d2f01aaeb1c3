import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';

import { appliesAfterProcessing, applyToResponse } from '../faults/apply';
import { Crossing } from '../faults/crossing';
import type { SandboxService } from '../service';
import { accessError, authenticate } from './access';
import { accountRoutes } from './accounts';
import { agentRoutes } from './agents';
import { analyticsRoutes } from './analytics';
import { ApiError, sendError } from './errors';
import { postRoutes } from './posts';

/** The path of the API, which includes its version (docs/service.md, "Addresses"). */
export const apiPath = '/api/v1';

const allowedMethods: Record<string, string[]> = {
  '/posts': ['GET', 'POST'],
  '/accounts': ['GET'],
  '/analytics': ['GET'],
  '/agents': ['GET', 'POST'],
};

/** The API of the specification. Register it under `apiPath`. */
export function api(app: FastifyInstance, service: SandboxService): void {
  const { store, log, faults, latencyMs, closing } = service;

  app.decorateRequest('state');
  app.setErrorHandler((error: FastifyError, _request, reply) => sendError(error, reply));

  // The log needs the exact bytes of a body, and a request without access must not be parsed.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.state.logged.body = body;
    done(null, body);
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { logged, finish } = log.start(request.method, request.raw.url ?? '', request.headers);
    reply.header('Date', service.now().toUTCString());
    reply.raw.once('close', () => request.state.finish());
    request.state = { logged, finish, ...authenticate(logged, store, reply), faults: undefined };
    done();
  });

  app.addHook('preValidation', async ({ method, state }, reply) => {
    const error = accessError(state, reply);
    if (!error) state.faults = faults.forRequest(method, state.logged.path.slice(apiPath.length));
    const delay = latencyMs + (state.faults?.latencyMs ?? 0);
    if (delay > 0) await sleep(delay, undefined, { signal: closing }).catch(() => undefined);
    if (delay > 0 && closing.aborted) return cutConnection(reply);
    if (error) throw error;
    const fault = state.faults?.response;
    if (fault && !appliesAfterProcessing(fault)) return reply.send({ message: 'Not processed.' });
  });

  const crossing = new Crossing();
  app.addHook('onSend', async ({ method, state }, reply, payload) => {
    const fault = state.faults?.response;
    if (fault?.kind !== 'crossed') return payload;
    const among = [fault.id, method, fault.among === 'method' ? '' : state.logged.path].join(' ');
    const own = { status: reply.statusCode, payload: String(payload) };
    const other = await crossing.exchange(among, own);
    reply.code(other.status);
    return other.payload;
  });

  app.addHook('onSend', ({ state }, reply, payload, done) => {
    const fault = state.faults?.response;
    const sent = fault ? applyToResponse(fault, reply, String(payload)) : (payload ?? '');
    if (!(sent instanceof Readable)) state.finish(); // A stream finishes when it closes.
    if (sent === undefined) {
      reply.hijack(); // The fault has ended the connection. Fastify must not send anything.
      return;
    }
    state.logged.status = reply.statusCode;
    done(null, sent);
  });

  postRoutes(app, service);
  accountRoutes(app, service);
  analyticsRoutes(app, service);
  agentRoutes(app, service);

  for (const [url, allowed] of Object.entries(allowedMethods)) {
    const others = app.supportedMethods.filter((method) => !allowed.includes(method));
    app.route({
      method: others,
      url,
      handler: (request, reply) => {
        reply.header('Allow', allowed.join(', '));
        throw new ApiError(
          405,
          'method_not_allowed',
          `${request.method} is not allowed here. Use ${allowed.join(' or ')}.`,
        );
      },
    });
  }

  app.setNotFoundHandler((request) => {
    throw new ApiError(404, 'not_found', `There is no ${request.state.logged.path}.`);
  });
}

/** Ends the connection of a request that is in flight while the sandbox closes. */
function cutConnection(reply: FastifyReply): FastifyReply {
  reply.raw.destroy();
  return reply.hijack();
}
