import Fastify, { type FastifyError } from 'fastify';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Agenda } from './agenda';
import { AgentRunner } from './agents';
import { api, apiPath } from './api';
import { ApiError } from './api/errors';
import type { Emit } from './events';
import { Faults } from './faults';
import { Inbox, startTrickle } from './inbox';
import type { Plan } from './plans';
import { Publisher } from './publisher';
import { RequestLog, type RecordedRequest } from './requests';
import { seedKeys, seedWorkspace } from './seed';
import { Webhooks, defaultWebhookRetry, type WebhookRetry } from './webhooks';
import { Store, type NewPost, type Post } from './store';

export type * from './events';
export type * from './faults';
export type * from './requests';
export type * from './store';
export type { WebhookRetry, Webhooks } from './webhooks';

export interface SandboxOptions {
  /** The address to listen on; 127.0.0.1 unless given. */
  host?: string;
  /** The port to listen on; 0, the default, takes any that is free. */
  port?: number;
  /** Whether workspace 1 has accounts, posts and agents from the start; true unless given. */
  seed?: boolean;
  /** How many posts a page holds at most; 100 unless given. */
  maxPageSize?: number;
  /** How long every API request takes at least, in milliseconds; 0 unless given. */
  latencyMs?: number;
  /** Whether comments, mentions and the like come in by themselves; false unless given. */
  trickle?: boolean;
  /** How often they do, in milliseconds; 60,000 unless given. */
  trickleEveryMs?: number;
  /** How webhook deliveries are repeated. */
  webhookRetry?: Partial<WebhookRetry>;
  /** How many of the latest requests to the API are kept at least; all of them unless given. */
  keepRequests?: number;
}

export interface Sandbox {
  /** Such as http://127.0.0.1:4010, where the dashboard is. */
  origin: string;
  /** The {base_url} of the specification. */
  baseUrl: string;
  /** The demo API keys, one of each plan. */
  keys: Record<Plan, string>;
  /** The workspace that exists from the start. */
  workspaceId: number;
  /** The requests to the API in the order of their arrival. */
  requests: RecordedRequest[];
  clearRequests(): void;
  /** The highest number of API requests under way at once since clearRequests. */
  readonly maxInFlight: number;
  store: Store;
  /** Adds posts scheduled a year ahead for the first account, if there is one. */
  addPosts(count: number, overrides?: Partial<NewPost>): Post[];
  faults: Faults;
  webhooks: Webhooks;
  inbox: Inbox;
  /** Ends the server, whatever it waits for, and its connections. */
  close(): Promise<void>;
}

/**
 * Starts a local Social Publishing Service as its specification describes it, with its state in
 * memory.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, seed = true, maxPageSize = 100, latencyMs = 0 } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const store = new Store();
  const agenda = new Agenda();
  const log = new RequestLog(options.keepRequests);
  const faults = new Faults();
  const retry = { ...defaultWebhookRetry, ...options.webhookRetry };
  const webhooks = new Webhooks(store, agenda, retry, closing.signal);
  const emit: Emit = (event, data) => void webhooks.emit(event, data);
  const inbox = new Inbox(store, emit);
  const agentRunner = new AgentRunner(agenda, emit);
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false });
  const publisher = new Publisher(store, agenda, emit, () => origin());

  app.decorateRequest('call');
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const refusal = error instanceof ApiError ? error : asApiError(error);
    return reply.code(refusal.status).send(refusal.body);
  });
  app.register(
    (instance, _options, done) => {
      api(instance, {
        store,
        publisher,
        agentRunner,
        faults,
        log,
        maxPageSize,
        latencyMs,
        closing: closing.signal,
      });
      done();
    },
    { prefix: apiPath },
  );

  const keys = seedKeys(store);
  await app.listen({ host, port });
  function origin() {
    const address = app.server.address() as AddressInfo;
    return `http://${addressToCall(host)}:${address.port}`;
  }
  if (seed) seedWorkspace(store, publisher, agentRunner, new Date());
  if (options.trickle) startTrickle(inbox, store, agenda, 1, options.trickleEveryMs ?? 60_000);

  return {
    origin: origin(),
    baseUrl: origin() + apiPath,
    keys: {
      creator: keys.creator.key,
      pro: keys.pro.key,
      business: keys.business.key,
      agency: keys.agency.key,
    },
    workspaceId: 1,
    requests: log.requests,
    clearRequests: () => log.clear(),
    get maxInFlight() {
      return log.maxInFlight;
    },
    store,
    addPosts: (count, overrides) =>
      Array.from({ length: count }, (_, index) => addPost(store, publisher, index, overrides)),
    faults,
    webhooks,
    inbox,
    async close() {
      closing.abort();
      agenda.close();
      await app.close();
    },
  };
}

/** The host to put into URLs for a host that is listened on, which may be "every one". */
function addressToCall(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function addPost(
  store: Store,
  publisher: Publisher,
  index: number,
  overrides: Partial<NewPost> = {},
): Post {
  const workspaceId = overrides.workspaceId ?? 1;
  const account = store.accountsOf(workspaceId)[0];
  const post = store.addPost({
    workspaceId,
    status: 'scheduled',
    scheduledAt: new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString(),
    variants: account ? [{ socialAccountId: account.id, content: `Post ${index + 1}` }] : [],
    ...overrides,
  });
  publisher.schedule(post);
  return post;
}

/** What Fastify refuses by itself, such as a body that is too large, in the API's words. */
function asApiError(error: FastifyError): ApiError {
  const status = error.statusCode ?? 500;
  if (status >= 500) return new ApiError(status, 'internal_error', 'Something went wrong.');
  return new ApiError(status, 'bad_request', error.message);
}
