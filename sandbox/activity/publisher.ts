import { pick, seededRandom } from '../random';
import type { Emit, ErrorDetails, Post, PostVariant, SocialAccount } from '../records';
import type { Store } from '../records/store';
import type { Scheduler } from '../time/scheduler';

/** The default failure of an account that is set to fail. */
export const publishingFailure: ErrorDetails = {
  code: 'rejected_by_platform',
  message: 'The platform rejected the post: its content violates the community guidelines.',
};

/** Publishes posts at their time to simulated platforms. The dashboard serves their pages. */
export class Publisher {
  readonly #random = seededRandom(20);

  constructor(
    private readonly store: Store,
    private readonly scheduler: Scheduler,
    private readonly emit: Emit,
    private readonly origin: () => string,
  ) {}

  /** Publishes a post at its time if its status is `scheduled`. Leaves any other post alone. */
  schedule(post: Post): void {
    if (post.status !== 'scheduled' || post.scheduledAt === undefined) return;
    this.scheduler.at(Date.parse(post.scheduledAt), () => this.publish(post));
  }

  /**
   * Publishes the variants of a scheduled post now and sends an event for each. The post becomes
   * `published` when every variant is, else `failed`. A post that isn't scheduled stays as it is.
   */
  publish(post: Post): void {
    if (post.status !== 'scheduled') return;
    for (const variant of post.variants) this.#publishVariant(post, variant);
    const allPublished = post.variants.every((variant) => variant.status === 'published');
    post.status = allPublished ? 'published' : 'failed';
  }

  #publishVariant(post: Post, variant: PostVariant): void {
    const account = this.store.account(variant.socialAccountId);
    if (!account) throw new RangeError(`There is no account ${variant.socialAccountId}.`);
    const { platform } = account;
    const about = { postId: post.id, variantId: variant.id, platform, content: variant.content };
    const failure = failureOf(account);
    if (failure) {
      variant.status = 'failed';
      variant.failure = failure;
      this.emit('post.failed', { ...about, error: failure });
      return;
    }
    const { platformUrl, platformPostId } = this.addPlatformPost(
      post,
      variant,
      account,
      new Date(),
    );
    this.emit('post.published', { ...about, platformUrl, platformPostId });
  }

  /** Marks a variant as published at a time, with random impressions and engagements. */
  addPlatformPost(post: Post, variant: PostVariant, account: SocialAccount, publishedAt: Date) {
    variant.status = 'published';
    const platformPostId = `${account.platform}-${String(variant.id).padStart(8, '0')}`;
    const impressions = 200 + Math.floor(this.#random() * 4_800);
    return this.store.addPlatformPost({
      workspaceId: post.workspaceId,
      postId: post.id,
      variantId: variant.id,
      socialAccountId: account.id,
      platform: account.platform,
      content: variant.content,
      mediaUrls: variant.mediaUrls,
      platformUrl: `${this.origin()}/platforms/${encodeURIComponent(account.platform)}/${platformPostId}`,
      platformPostId,
      publishedAt: publishedAt.toISOString(),
      impressions,
      engagements: Math.round(impressions * pick([0.01, 0.02, 0.035, 0.05, 0.08], this.#random)),
    });
  }
}

/** Why publishing to an account fails; undefined when it doesn't. */
function failureOf(account: SocialAccount): ErrorDetails | undefined {
  if (account.isActive) return account.failure;
  return {
    code: 'account_disconnected',
    message: `The account @${account.platformUsername} is disconnected. Connect it and schedule the post again.`,
  };
}
