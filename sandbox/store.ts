import { randomBytes } from 'node:crypto';
import type { EventKind, InboxKind } from './events';
import { monthOf } from './quota';
import type { Plan } from './plans';

export type Platform =
  'bluesky' | 'facebook' | 'instagram' | 'linkedin' | 'mastodon' | 'tiktok' | 'x' | 'youtube';

export interface Workspace {
  id: number;
  name: string;
}

export interface ApiKey {
  id: number;
  name: string;
  plan: Plan;
  /** What goes behind "Bearer ". */
  key: string;
  isActive: boolean;
  createdAt: string;
  /** Requests in the month `month` (YYYY-MM, UTC). */
  usage: { month: string; used: number };
}

/** Why something is made to fail: what the event about it carries as `error`. */
export interface Failure {
  code: string;
  message: string;
}

export interface SocialAccount {
  id: number;
  workspaceId: number;
  platform: string;
  platformUsername: string;
  displayName: string;
  isActive: boolean;
  /** Secrets of the connection. They exist so that a leak could be seen. */
  accessToken: string;
  refreshToken: string;
  /** When set, publishing to this account fails with it. */
  failure?: Failure | undefined;
}

export interface Variant {
  id: number;
  socialAccountId: number;
  content: string;
  mediaUrls: string[];
  status: 'pending' | 'published' | 'failed';
  failure?: Failure;
  /** Fields of the request beyond the documented ones. */
  extra: Record<string, unknown>;
}

export interface Post {
  id: number;
  workspaceId: number;
  status: string;
  scheduledAt: string | null;
  createdAt: string;
  variants: Variant[];
  /** Fields of the request beyond the documented ones. */
  extra: Record<string, unknown>;
}

/** One variant as it stands on its make-believe platform. */
export interface Publication {
  id: number;
  workspaceId: number;
  postId: number;
  variantId: number;
  socialAccountId: number;
  platform: string;
  content: string;
  mediaUrls: string[];
  platformUrl: string;
  platformPostId: string;
  publishedAt: string;
  impressions: number;
  engagements: number;
}

export interface Agent {
  id: number;
  workspaceId: number;
  name: string;
  type: string;
  isActive: boolean;
  schedule: string;
  lastRunAt: string | null;
  /** When the schedule falls due next. An agent that is not active does not run then. */
  nextRunAt: string;
  config: Record<string, unknown>;
  /** When set, a run of this agent fails with it. */
  failure?: Failure | undefined;
  /** Fields of the request beyond the documented ones. */
  extra: Record<string, unknown>;
}

/** A comment, mention, direct message or reply that came in. */
export interface InboxMessage {
  id: number;
  workspaceId: number;
  kind: InboxKind;
  socialAccountId: number;
  author: { username: string; displayName: string };
  text: string;
  /** The post it belongs to; null for what belongs to none. */
  postId: number | null;
  receivedAt: string;
}

export interface WebhookEndpoint {
  id: number;
  url: string;
  /** The key of the signatures of what is sent to it. */
  secret: string;
  /** The event kinds it receives; an empty list means all. */
  events: string[];
  createdAt: string;
}

export interface DeliveryAttempt {
  at: string;
  /** The receiver's status, when it answered. */
  status?: number;
  /** Why there was none. */
  error?: string;
}

export interface Delivery {
  id: number;
  endpointId: number;
  url: string;
  event: EventKind | (string & {});
  /** The exact bytes of every attempt. */
  body: Buffer;
  /** The value of X-Service-Signature. */
  signature: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  nextAttemptAt: string | null;
  createdAt: string;
}

type New<Record extends { id: number }, Optional extends keyof Record = never> = Omit<
  Record,
  'id' | Optional
> &
  Partial<Pick<Record, Optional>>;

export interface NewPost {
  workspaceId: number;
  status: string;
  scheduledAt?: string | null;
  createdAt?: string;
  variants: Array<
    Pick<Variant, 'socialAccountId'> &
      Partial<Pick<Variant, 'content' | 'mediaUrls' | 'status' | 'extra'>>
  >;
  extra?: Record<string, unknown>;
}

/**
 * Everything the sandbox knows, in memory. The lists are in the order of creation, ids count from 1,
 * and records are changed in place; adding goes through the methods, which keep the indexes.
 */
export class Store {
  readonly workspaces: Workspace[] = [];
  readonly keys: ApiKey[] = [];
  readonly accounts: SocialAccount[] = [];
  readonly posts: Post[] = [];
  readonly publications: Publication[] = [];
  readonly agents: Agent[] = [];
  readonly inbox: InboxMessage[] = [];
  readonly webhookEndpoints: WebhookEndpoint[] = [];
  readonly deliveries: Delivery[] = [];

  readonly #keysByText = new Map<string, ApiKey>();
  readonly #postsByWorkspace = new Map<number, Post[]>();
  readonly #publicationsByPlatformPostId = new Map<string, Publication>();
  readonly #publicationsByVariantId = new Map<number, Publication>();
  #lastVariantId = 0;
  #lastEndpointId = 0;

  addWorkspace(name: string): Workspace {
    return append(this.workspaces, { name });
  }

  workspace(id: number): Workspace | undefined {
    return this.workspaces[id - 1];
  }

  addKey(options: { name: string; plan: Plan; key?: string }): ApiKey {
    const now = new Date();
    const key = append(this.keys, {
      key: `sandbox_${randomBytes(24).toString('hex')}`,
      ...options,
      isActive: true,
      createdAt: now.toISOString(),
      usage: { month: monthOf(now), used: 0 },
    });
    this.#keysByText.set(key.key, key);
    return key;
  }

  /** The active key with this text, if there is one. */
  keyByText(text: string): ApiKey | undefined {
    const key = this.#keysByText.get(text);
    return key?.isActive ? key : undefined;
  }

  addAccount(account: New<SocialAccount, 'isActive' | 'accessToken' | 'refreshToken'>) {
    return append(this.accounts, {
      isActive: true,
      accessToken: `access-token-${randomBytes(12).toString('hex')}`,
      refreshToken: `refresh-token-${randomBytes(12).toString('hex')}`,
      ...account,
    });
  }

  account(id: number): SocialAccount | undefined {
    return this.accounts[id - 1];
  }

  /** The accounts of a workspace, oldest first. */
  accountsOf(workspaceId: number): SocialAccount[] {
    return this.accounts.filter((account) => account.workspaceId === workspaceId);
  }

  addPost(post: NewPost): Post {
    const added = append(this.posts, {
      workspaceId: post.workspaceId,
      status: post.status,
      scheduledAt: post.scheduledAt ?? null,
      createdAt: post.createdAt ?? new Date().toISOString(),
      variants: post.variants.map((variant) => ({
        content: '',
        mediaUrls: [],
        status: 'pending' as const,
        extra: {},
        ...variant,
        id: ++this.#lastVariantId,
      })),
      extra: post.extra ?? {},
    });
    this.#listOf(post.workspaceId).push(added);
    return added;
  }

  /** The posts of a workspace, oldest first, so that posts added during a walk come at its end. */
  postsOf(workspaceId: number): readonly Post[] {
    return this.#listOf(workspaceId);
  }

  addPublication(publication: New<Publication>): Publication {
    const added = append(this.publications, publication);
    this.#publicationsByPlatformPostId.set(added.platformPostId, added);
    this.#publicationsByVariantId.set(added.variantId, added);
    return added;
  }

  /** A variant as it stands on its platform; undefined when it isn't published. */
  publicationOf(variant: Variant): Publication | undefined {
    return this.#publicationsByVariantId.get(variant.id);
  }

  publicationByPlatformPostId(platformPostId: string): Publication | undefined {
    return this.#publicationsByPlatformPostId.get(platformPostId);
  }

  addAgent(agent: New<Agent, 'lastRunAt' | 'config' | 'extra'>): Agent {
    return append(this.agents, { lastRunAt: null, config: {}, extra: {}, ...agent });
  }

  agent(id: number): Agent | undefined {
    return this.agents[id - 1];
  }

  agentsOf(workspaceId: number): Agent[] {
    return this.agents.filter((agent) => agent.workspaceId === workspaceId);
  }

  addInboxMessage(message: New<InboxMessage>): InboxMessage {
    return append(this.inbox, message);
  }

  addWebhookEndpoint(endpoint: Pick<WebhookEndpoint, 'url' | 'secret' | 'events'>) {
    const added: WebhookEndpoint = {
      id: ++this.#lastEndpointId,
      ...endpoint,
      createdAt: new Date().toISOString(),
    };
    this.webhookEndpoints.push(added);
    return added;
  }

  /** Takes an endpoint away and says whether there was one. */
  removeWebhookEndpoint(id: number): boolean {
    const index = this.webhookEndpoints.findIndex((endpoint) => endpoint.id === id);
    if (index === -1) return false;
    this.webhookEndpoints.splice(index, 1);
    return true;
  }

  webhookEndpoint(id: number): WebhookEndpoint | undefined {
    return this.webhookEndpoints.find((endpoint) => endpoint.id === id);
  }

  addDelivery(delivery: New<Delivery, 'status' | 'attempts' | 'nextAttemptAt' | 'createdAt'>) {
    return append(this.deliveries, {
      status: 'pending',
      attempts: [],
      nextAttemptAt: null,
      createdAt: new Date().toISOString(),
      ...delivery,
    });
  }

  #listOf(workspaceId: number): Post[] {
    let list = this.#postsByWorkspace.get(workspaceId);
    if (!list) this.#postsByWorkspace.set(workspaceId, (list = []));
    return list;
  }
}

function append<Entry extends { id: number }>(list: Entry[], entry: Omit<Entry, 'id'>): Entry {
  const added = { id: list.length + 1, ...entry } as Entry;
  list.push(added);
  return added;
}
