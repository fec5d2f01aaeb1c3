import type { Agenda } from './agenda';
import { inboxKinds, type Emit, type InboxKind } from './events';
import { pick, seededRandom } from './random';
import type { InboxMessage, SocialAccount, Store } from './store';

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

/** What happens to a workspace's accounts from outside: messages come in, connections end. */
export class Inbox {
  readonly #random = seededRandom(3);

  constructor(
    private readonly store: Store,
    private readonly emit: Emit,
  ) {}

  /**
   * Has a message of a kind, or of any, come in for one of the active accounts of a workspace.
   * @returns undefined when there is no active account
   */
  receive(workspaceId: number, kind = pick(inboxKinds, this.#random)): InboxMessage | undefined {
    const accounts = this.store.accountsOf(workspaceId).filter(({ isActive }) => isActive);
    if (accounts.length === 0) return undefined;
    const account = pick(accounts, this.#random);
    const publication = this.store.publications.findLast(
      ({ socialAccountId }) => socialAccountId === account.id,
    );
    const belongsToPost = kind === 'comment' || kind === 'reply';
    const message = this.store.addInboxMessage({
      workspaceId,
      kind,
      socialAccountId: account.id,
      author: pick(authors, this.#random),
      text: pick(texts[kind], this.#random),
      postId: belongsToPost ? (publication?.postId ?? null) : null,
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

  /** Ends the connection to an account: nothing can be published to it until it is connected again. */
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

/** How many messages come in between two expired tokens. */
const messagesPerExpiry = 10;

/**
 * Has a message come in every so often, and after ten of them the token of the workspace's last
 * active account expire, which is connected again with the next message.
 */
export function startTrickle(
  inbox: Inbox,
  store: Store,
  agenda: Agenda,
  workspaceId: number,
  everyMs: number,
): void {
  let messages = 0;
  let expired: SocialAccount | undefined;
  const drop = () => {
    if (expired) expired.isActive = true;
    expired = undefined;
    if (messages > 0 && messages % messagesPerExpiry === 0) {
      expired = store.accountsOf(workspaceId).findLast(({ isActive }) => isActive);
      if (expired) inbox.disconnect(expired, 'token_expired');
      messages = 0;
    } else {
      inbox.receive(workspaceId);
      messages += 1;
    }
    agenda.at(Date.now() + everyMs, drop);
  };
  agenda.at(Date.now() + everyMs, drop);
}
