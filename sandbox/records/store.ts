import { randomBytes } from 'node:crypto';

import type { SocialAccount } from './account';
import type { Agent } from './agent';
import { type ApiKey, monthOf } from './key';
import type { InboxMessage } from './message';
import type { Plan } from './plan';
import type { NewPost, PlatformPost, Post, PostVariant } from './post';
import type { Delivery, WebhookEndpoint } from './webhook';
import type { Workspace } from './workspace';

type New<Record extends { id: number }, Optional extends keyof Record = never> = Omit<
  Record,
  'id' | Optional
> &
  Partial<Pick<Record, Optional>>;

/**
 * All records of the sandbox, in memory. Lists are in order of creation and IDs count from 1. Change
 * records in place, but add and remove them through the methods, which keep the indexes.
 */
export class Store {
  readonly workspaces: Workspace[] = [];
  readonly keys: ApiKey[] = [];
  readonly accounts: SocialAccount[] = [];
  readonly posts: Post[] = [];
  readonly platformPosts: PlatformPost[] = [];
  readonly agents: Agent[] = [];
  readonly inbox: InboxMessage[] = [];
  readonly webhookEndpoints: WebhookEndpoint[] = [];
  readonly deliveries: Delivery[] = [];

  readonly #keys = new Map<string, ApiKey>();
  readonly #postsByWorkspace = new Map<number, Post[]>();
  readonly #platformPostsById = new Map<string, PlatformPost>();
  readonly #platformPostsByVariantId = new Map<number, PlatformPost>();
  #lastVariantId = 0;
  #lastEndpointId = 0;

  addWorkspace(name: string): Workspace {
    return append(this.workspaces, (id) => ({ id, name }));
  }

  workspace(id: number): Workspace | undefined {
    return this.workspaces[id - 1];
  }

  /** Adds an API key; without `key` it is random. */
  addKey(options: { name: string; plan: Plan; key?: string }): ApiKey {
    const now = new Date();
    const added = append<ApiKey>(this.keys, (id) => ({
      id,
      key: `sandbox_${randomBytes(24).toString('hex')}`,
      ...options,
      isActive: true,
      createdAt: now.toISOString(),
      usage: { month: monthOf(now), used: 0 },
    }));
    this.#keys.set(added.key, added);
    return added;
  }

  /** Finds an active API key by the key itself. */
  findKey(key: string): ApiKey | undefined {
    const found = this.#keys.get(key);
    return found?.isActive ? found : undefined;
  }

  addAccount(account: New<SocialAccount, 'isActive' | 'accessToken' | 'refreshToken'>) {
    return append<SocialAccount>(this.accounts, (id) => ({
      id,
      isActive: true,
      accessToken: `access-token-${randomBytes(12).toString('hex')}`,
      refreshToken: `refresh-token-${randomBytes(12).toString('hex')}`,
      ...account,
    }));
  }

  account(id: number): SocialAccount | undefined {
    return this.accounts[id - 1];
  }

  /** The accounts of a workspace, oldest first. */
  accountsOf(workspaceId: number): SocialAccount[] {
    return this.accounts.filter((account) => account.workspaceId === workspaceId);
  }

  addPost(post: NewPost): Post {
    const added = append<Post>(this.posts, (id) => ({
      id,
      workspaceId: post.workspaceId,
      status: post.status,
      scheduledAt: post.scheduledAt,
      createdAt: post.createdAt ?? new Date().toISOString(),
      variants: post.variants.map((variant) => ({
        content: '',
        mediaUrls: [],
        status: 'pending',
        extra: {},
        ...variant,
        id: ++this.#lastVariantId,
      })),
      extra: post.extra ?? {},
    }));
    this.#postsIn(post.workspaceId).push(added);
    return added;
  }

  /** The posts of a workspace in order of creation, which is also the order of their IDs. */
  postsOf(workspaceId: number): readonly Post[] {
    return this.#postsIn(workspaceId);
  }

  /** Takes a post off the list of its workspace. */
  removePost(workspaceId: number, id: number): void {
    const posts = this.#postsIn(workspaceId);
    const index = posts.findIndex((post) => post.id === id);
    if (index !== -1) posts.splice(index, 1);
  }

  addPlatformPost(platformPost: New<PlatformPost>): PlatformPost {
    const added = append<PlatformPost>(this.platformPosts, (id) => ({ id, ...platformPost }));
    this.#platformPostsById.set(added.platformPostId, added);
    this.#platformPostsByVariantId.set(added.variantId, added);
    return added;
  }

  /** A variant as its platform published it; undefined when it isn't published. */
  platformPostOf(variant: PostVariant): PlatformPost | undefined {
    return this.#platformPostsByVariantId.get(variant.id);
  }

  platformPost(platformPostId: string): PlatformPost | undefined {
    return this.#platformPostsById.get(platformPostId);
  }

  addAgent(agent: New<Agent, 'config' | 'extra'>): Agent {
    const defaults = { config: {}, extra: {} };
    return append<Agent>(this.agents, (id) => ({ id, ...defaults, ...agent }));
  }

  agent(id: number): Agent | undefined {
    return this.agents[id - 1];
  }

  agentsOf(workspaceId: number): Agent[] {
    return this.agents.filter((agent) => agent.workspaceId === workspaceId);
  }

  addInboxMessage(message: New<InboxMessage>): InboxMessage {
    return append<InboxMessage>(this.inbox, (id) => ({ id, ...message }));
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

  /** Removes an endpoint. Returns whether it existed. */
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
    return append<Delivery>(this.deliveries, (id) => ({
      id,
      status: 'pending',
      attempts: [],
      nextAttemptAt: null,
      createdAt: new Date().toISOString(),
      ...delivery,
    }));
  }

  #postsIn(workspaceId: number): Post[] {
    let posts = this.#postsByWorkspace.get(workspaceId);
    if (!posts) this.#postsByWorkspace.set(workspaceId, (posts = []));
    return posts;
  }
}

/** Adds a record with the next ID to a list. */
function append<Record>(list: Record[], create: (id: number) => Record): Record {
  const added = create(list.length + 1);
  list.push(added);
  return added;
}
