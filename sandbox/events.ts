import type { Failure } from './store';

/**
 * The `data` of each event kind. That of `post.published` is the specification's; it doesn't show
 * the other five, which are the sandbox's own (see README.md).
 */
export interface EventData {
  'post.published': {
    postId: number;
    variantId: number;
    platform: string;
    content: string;
    platformUrl: string;
    platformPostId: string;
  };
  'post.failed': {
    postId: number;
    variantId: number;
    platform: string;
    content: string;
    error: Failure;
  };
  'agent.action': {
    agentId: number;
    agentName: string;
    agentType: string;
    action: string;
    summary: string;
  };
  'agent.error': { agentId: number; agentName: string; agentType: string; error: Failure };
  'inbox.new': {
    messageId: number;
    kind: InboxKind;
    platform: string;
    socialAccountId: number;
    author: { username: string; displayName: string };
    text: string;
    /** The post it belongs to; null for what belongs to none. */
    postId: number | null;
  };
  'account.disconnected': {
    socialAccountId: number;
    platform: string;
    platformUsername: string;
    reason: 'disconnected' | 'token_expired';
  };
}

export type EventKind = keyof EventData;

export type InboxKind = 'comment' | 'mention' | 'direct_message' | 'reply';

/** The event kinds in the specification's order (specification, "Event kinds"). */
export const eventKinds: readonly EventKind[] = [
  'post.published',
  'post.failed',
  'agent.action',
  'agent.error',
  'inbox.new',
  'account.disconnected',
];

export const inboxKinds: readonly InboxKind[] = ['comment', 'mention', 'direct_message', 'reply'];

/** Reports an event of the service to whoever listens. */
export type Emit = <Kind extends EventKind>(event: Kind, data: EventData[Kind]) => void;
