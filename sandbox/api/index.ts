import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Encounter } from '../faults';
import type { Service } from '../service';
import { accountRoutes } from './accounts';
import { identify, refusalOf } from './admission';
import { agentRoutes } from './agents';
import { analyticsRoutes } from './analytics';
import { ApiError, sendError } from './errors';
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
    request.call = { record, leave, ...identify(record, store, reply), faults: undefined };
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

function strike(faults: Encounter | undefined, reply: FastifyReply, payload: string) {
  if (!faults) return payload;
  const isPage = faults.total.length > 0 && reply.statusCode === 200;
  const counted = isPage ? strikeTotal(faults.total, payload) : payload;
  return faults.answer ? strikeAnswer(faults.answer, reply, counted) : counted;
}
