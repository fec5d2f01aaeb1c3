import type { ErrorDetails } from './error-details';
import type { InboxKind } from './message';

/**
 * The `data` of each event kind. The specification documents that of `post.published`. The others
 * are the sandbox's own (see README.md).
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
    error: ErrorDetails;
  };
  'agent.action': {
    agentId: number;
    agentName: string;
    agentType: string;
    action: string;
    summary: string;
  };
  'agent.error': { agentId: number; agentName: string; agentType: string; error: ErrorDetails };
  'inbox.new': {
    messageId: number;
    kind: InboxKind;
    platform: string;
    socialAccountId: number;
    author: { username: string; displayName: string };
    text: string;
    /** The post it is about; null when there is none. */
    postId: number | null;
  };
  'account.disconnected': {
    socialAccountId: number;
    platform: string;
    platformUsername: string;
    reason: 'disconnected' | 'token_expired';
  };
}

export type EventName = keyof EventData;

/** The names of the event kinds, in the order of the specification (docs/service.md, "Event kinds"). */
export const eventNames: readonly EventName[] = [
  'post.published',
  'post.failed',
  'agent.action',
  'agent.error',
  'inbox.new',
  'account.disconnected',
];

/** Sends an event to the webhook endpoints. */
export type Emit = <Kind extends EventName>(event: Kind, data: EventData[Kind]) => void;
