import type { AddressInfo } from 'node:net';

import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import Fastify from 'fastify';

import type { Inbox } from './activity/inbox';
import { simulateTraffic } from './activity/traffic';
import { api, apiPath } from './api';
import { sendError } from './api/errors';
import { dashboard } from './dashboard';
import type { Faults } from './faults/faults';
import type { NewPost, Plan, Post } from './records';
import type { Store } from './records/store';
import type { LoggedRequest } from './request-log';
import { seedKeys, seedWorkspace } from './seed';
import { SandboxService, type SandboxServiceOptions } from './service';
import { originOf } from './urls';
import type { Webhooks } from './webhooks/webhooks';

export type * from './faults/faults';
export type * from './faults/rules';
export type * from './records';
export type * from './records/store';
export type * from './request-log';
export type { WebhookRetry } from './webhooks/delivery-queue';
export type * from './webhooks/webhooks';

export interface SandboxOptions extends SandboxServiceOptions {
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** The port to listen on; 0, the default, takes any free one. */
  port?: number;
  /** Whether workspace 1 starts with accounts, posts and agents; true by default. */
  seed?: boolean;
  /** Whether messages arrive and tokens expire on their own; false by default. */
  traffic?: boolean;
  /** The time between two messages of that traffic, in milliseconds; 60,000 by default. */
  trafficIntervalMs?: number;
}

export interface Sandbox {
  /** The address of the dashboard, such as http://127.0.0.1:4010. */
  origin: string;
  /** The {base_url} of the specification. */
  baseUrl: string;
  /** The demo API keys, one for each plan. */
  keys: Record<Plan, string>;
  /** The workspace that exists from the start. */
  workspaceId: number;
  /** The requests to the API, in order of arrival. */
  requests: LoggedRequest[];
  clearRequests(): void;
  /** The highest number of API requests in flight at once since clearRequests. */
  readonly maxInFlight: number;
  store: Store;
  /** Adds posts. By default they are a year ahead and for the first account, if there is one. */
  addPosts(count: number, overrides?: Partial<NewPost>): Post[];
  /** Adds one post every `intervalMs` milliseconds until the function that it returns is called. */
  addPostEvery(intervalMs: number, overrides?: Partial<NewPost>): () => void;
  faults: Faults;
  webhooks: Webhooks;
  inbox: Inbox;
  /** Stops the server. Ends its connections and whatever is in flight. */
  close(): Promise<void>;
}

/**
 * Starts a local Social Publishing Service that follows the specification. Its state is in memory.
 * @throws Error with code EADDRINUSE when the port is in use
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, seed = true } = options;
  const workspaceId = 1;
  const service = new SandboxService(options);
  const { store, log, faults, webhooks, inbox, scheduler, postGenerator } = service;

  const app = Fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, _request, reply) => sendError(error, reply),
  });
  // Each in a scope of its own, so that the hooks of one don't apply to the other.
  app.register(
    part('api', (scope) => api(scope, service)),
    { prefix: apiPath },
  );
  app.register(part('dashboard', (scope) => dashboard(scope, service, host)));
  await app.listen({ host, port });
  service.origin = originOf(host, (app.server.address() as AddressInfo).port);

  const keys = seedKeys(store);
  if (seed) seedWorkspace(service, workspaceId, new Date());
  if (options.traffic) {
    simulateTraffic(inbox, store, scheduler, workspaceId, options.trafficIntervalMs ?? 60_000);
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
    addPosts: (count, overrides) => postGenerator.add(count, { workspaceId, ...overrides }),
    addPostEvery: (intervalMs, overrides) =>
      postGenerator.addEvery(intervalMs, { workspaceId, ...overrides }),
    faults,
    webhooks,
    inbox,
    async close() {
      service.close();
      await app.close();
    },
  };
}

/** A part of the server. Fastify looks through every loaded module for the name of one that has none. */
function part(name: string, addTo: (scope: FastifyInstance) => void): FastifyPluginCallback {
  const plugin: FastifyPluginCallback = (scope, _options, done) => {
    addTo(scope);
    done();
  };
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });
}
