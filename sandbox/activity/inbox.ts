import { pick, seededRandom } from '../random';
import type { Emit, InboxKind, InboxMessage, SocialAccount } from '../records';
import { inboxKinds } from '../records';
import type { Store } from '../records/store';

const authors = [
  { username: 'mara.k', displayName: 'Mara Kowalski' },
  { username: 'juno_reads', displayName: 'Juno' },
  { username: 'theo.bikes', displayName: 'Theo Anders' },
  { username: 'ines_m', displayName: 'Inês Moreira' },
];

const texts: Record<InboxKind, readonly string[]> = {
  comment: ['This looks delicious! 😍', 'Do you have this without nuts?'],
  mention: ['Best breakfast in town at @bluedoorbakery.', 'Queueing at @bluedoorbakery again.'],
  direct_message: ['Hi! Can I order a cake for Saturday?', 'Are you open on Monday?'],
  reply: ['Thanks for the quick answer!', 'See you tomorrow then.'],
};

/** What the outside world does to a workspace's accounts: messages arrive, connections end. */
export class Inbox {
  readonly #random = seededRandom(3);

  constructor(
    private readonly store: Store,
    private readonly emit: Emit,
  ) {}

  /**
   * Receives a message for one of the active accounts of a workspace. Without a kind, it is random.
   * @returns undefined when no account is active
   */
  receive(workspaceId: number, kind = pick(inboxKinds, this.#random)): InboxMessage | undefined {
    const accounts = this.store.accountsOf(workspaceId).filter(({ isActive }) => isActive);
    if (accounts.length === 0) return undefined;
    const account = pick(accounts, this.#random);
    const platformPost = this.store.platformPosts.findLast(
      ({ socialAccountId }) => socialAccountId === account.id,
    );
    const belongsToPost = kind === 'comment' || kind === 'reply';
    const message = this.store.addInboxMessage({
      workspaceId,
      kind,
      socialAccountId: account.id,
      author: pick(authors, this.#random),
      text: pick(texts[kind], this.#random),
      postId: belongsToPost ? (platformPost?.postId ?? null) : null,
      receivedAt: new Date().toISOString(),
    });
    this.emit('inbox.new', {
      messageId: message.id,
      kind,
      platform: account.platform,
      socialAccountId: account.id,
      author: message.author,
      text: message.text,
      postId: message.postId,
    });
    return message;
  }

  /** Ends the connection to an account. Publishing to it fails until it is active again. */
  disconnect(account: SocialAccount, reason: 'disconnected' | 'token_expired'): void {
    account.isActive = false;
    this.emit('account.disconnected', {
      socialAccountId: account.id,
      platform: account.platform,
      platformUsername: account.platformUsername,
      reason,
    });
  }
}
