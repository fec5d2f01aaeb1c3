import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { api, apiPath } from './api';
import { sendError } from './api/errors';
import { dashboard } from './dashboard';
import type { Faults } from './faults';
import { startTrickle, type Inbox } from './inbox';
import type { Plan } from './plans';
import type { RecordedRequest } from './requests';
import { seedKeys, seedWorkspace } from './seed';
import { Service, type ServiceOptions } from './service';
import type { NewPost, Post, Store } from './store';
import type { Webhooks } from './webhooks';

export type * from './events';
export type * from './faults';
export type * from './requests';
export type * from './store';
export type { WebhookRetry, Webhooks } from './webhooks';

export interface SandboxOptions extends ServiceOptions {
  /** The address to listen on; 127.0.0.1 unless given. */
  host?: string;
  /** The port to listen on; 0, the default, takes any that is free. */
  port?: number;
  /** Whether workspace 1 has accounts, posts and agents from the start; true unless given. */
  seed?: boolean;
  /** Whether comments, mentions and the like come in by themselves; false unless given. */
  trickle?: boolean;
  /** How often they do, in milliseconds; 60,000 unless given. */
  trickleEveryMs?: number;
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
  /** Adds posts, unless told otherwise scheduled a year ahead for the first account, if there is one. */
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
  const { host = '127.0.0.1', port = 0, seed = true } = options;
  const workspaceId = 1;
  const service = new Service(options);
  const { store, log, publisher, faults, webhooks, inbox, agenda } = service;

  const app = Fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, _request, reply) => sendError(error, reply),
  });
  // Neither of the two faces of the service has the other's hooks.
  app.register(
    (scope, _options, done) => {
      api(scope, service);
      done();
    },
    { prefix: apiPath },
  );
  app.register((scope, _options, done) => {
    dashboard(scope, service, host);
    done();
  });
  await app.listen({ host, port });
  service.origin = `http://${addressToCall(host)}:${(app.server.address() as AddressInfo).port}`;

  const keys = seedKeys(store);
  if (seed) seedWorkspace(service, workspaceId, new Date());
  if (options.trickle) {
    startTrickle(inbox, store, agenda, workspaceId, options.trickleEveryMs ?? 60_000);
  }

  return {
    origin: service.origin,
    baseUrl: service.origin + apiPath,
    keys: {
      creator: keys.creator.key,
      pro: keys.pro.key,
      business: keys.business.key,
      agency: keys.agency.key,
    },
    workspaceId,
    requests: log.requests,
    clearRequests: () => log.clear(),
    get maxInFlight() {
      return log.maxInFlight;
    },
    store,
    addPosts(count, overrides) {
      const [account] = store.accountsOf(overrides?.workspaceId ?? workspaceId);
      return Array.from({ length: count }, (_, index) => {
        const post = store.addPost({
          workspaceId,
          status: 'scheduled',
          scheduledAt: new Date(Date.now() + 365 * 24 * 60 * 60 * 1000).toISOString(),
          variants: account ? [{ socialAccountId: account.id, content: `Post ${index + 1}` }] : [],
          ...overrides,
        });
        publisher.schedule(post);
        return post;
      });
    },
    faults,
    webhooks,
    inbox,
    async close() {
      service.close();
      await app.close();
    },
  };
}

/** The host to put into URLs for a host that is listened on, which may be "every one". */
function addressToCall(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
