import type { Agenda } from './agenda';
import type { Emit } from './events';
import { pick, seededRandom } from './random';
import type { Failure, Post, SocialAccount, Store, Variant } from './store';

/** What an account that is set to fail reports, unless told otherwise. */
export const publishingFailure: Failure = {
  code: 'rejected_by_platform',
  message: 'The platform rejected the post: its content violates the community guidelines.',
};

/** Publishes posts at their time to make-believe platforms, whose pages the sandbox serves itself. */
export class Publisher {
  readonly #random = seededRandom(20);

  constructor(
    private readonly store: Store,
    private readonly agenda: Agenda,
    private readonly emit: Emit,
    private readonly origin: () => string,
  ) {}

  /** Has a post published at its time if it is to be: a post of another status stays what it is. */
  schedule(post: Post): void {
    if (post.status !== 'scheduled' || post.scheduledAt === null) return;
    this.agenda.at(Date.parse(post.scheduledAt), () => this.publish(post));
  }

  /**
   * Publishes the variants of a scheduled post and reports each. The post is `published` when all of
   * them are, else `failed`. Does nothing for a post that has been published already.
   */
  publish(post: Post): void {
    if (post.status !== 'scheduled') return;
    for (const variant of post.variants) this.#publishVariant(post, variant);
    const allPublished = post.variants.every((variant) => variant.status === 'published');
    post.status = allPublished ? 'published' : 'failed';
  }

  #publishVariant(post: Post, variant: Variant): void {
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
    const { platformUrl, platformPostId } = this.record(post, variant, account, new Date());
    this.emit('post.published', { ...about, platformUrl, platformPostId });
  }

  /** Puts a variant on its platform as of a time, with the attention it will have got. */
  record(post: Post, variant: Variant, account: SocialAccount, publishedAt: Date) {
    variant.status = 'published';
    const platformPostId = `${account.platform}-${String(variant.id).padStart(8, '0')}`;
    const impressions = 200 + Math.floor(this.#random() * 4_800);
    return this.store.addPublication({
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

/** Why nothing can be published to an account at present; undefined when it can. */
function failureOf(account: SocialAccount): Failure | undefined {
  if (account.isActive) return account.failure;
  return {
    code: 'account_disconnected',
    message: `The account @${account.platformUsername} is disconnected. Connect it again and repeat the post.`,
  };
}
