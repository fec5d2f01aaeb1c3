export const inboxKinds = ['comment', 'mention', 'direct_message', 'reply'] as const;

export type InboxKind = (typeof inboxKinds)[number];

/** A comment, mention, direct message or reply that an account received. */
export interface InboxMessage {
  id: number;
  workspaceId: number;
  kind: InboxKind;
  socialAccountId: number;
  author: { username: string; displayName: string };
  text: string;
  /** The post it is about; null when there is none. */
  postId: number | null;
  receivedAt: string;
}
