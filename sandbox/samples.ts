import { createHash } from 'node:crypto';

import { type EventData, type EventName, eventNames } from './records';
import { encodeEnvelope } from './webhooks/envelope';

/** An event as the trigger node emits it. */
export interface EventItem<Kind extends EventName = EventName> {
  event: Kind;
  data: EventData[Kind];
  timestamp: string;
  /** The lowercase hex SHA-256 of the body that would carry this event. */
  deliveryId: string;
}

export interface EventSample {
  /** Whether the specification documents the `data` of this event. */
  dataDocumented: boolean;
  /** Why the data may differ, when the specification doesn't document it. */
  note?: string;
  /** What to pin to the trigger node. */
  pinData: [EventItem];
}

const data: EventData = {
  'post.published': {
    postId: 42,
    variantId: 97,
    platform: 'instagram',
    content: 'Fresh sourdough, straight from the oven.',
    platformUrl: 'https://instagram.example/p/instagram-00000097',
    platformPostId: 'instagram-00000097',
  },
  'post.failed': {
    postId: 43,
    variantId: 98,
    platform: 'linkedin',
    content: 'Our cinnamon rolls are back for the season.',
    error: {
      code: 'rejected_by_platform',
      message: 'The platform rejected the post: its content violates the community guidelines.',
    },
  },
  'agent.action': {
    agentId: 1,
    agentName: 'Morning Ideas',
    agentType: 'content',
    action: 'content_created',
    summary: 'Drafted 3 posts from the latest trends.',
  },
  'agent.error': {
    agentId: 2,
    agentName: 'Friendly Replies',
    agentType: 'engagement',
    error: {
      code: 'ai_provider_unavailable',
      message: 'The AI provider did not respond in time.',
    },
  },
  'inbox.new': {
    messageId: 7,
    kind: 'comment',
    platform: 'instagram',
    socialAccountId: 1,
    author: { username: 'mara.k', displayName: 'Mara Kowalski' },
    text: 'This looks delicious! 😍',
    postId: 42,
  },
  'account.disconnected': {
    socialAccountId: 3,
    platform: 'linkedin',
    platformUsername: 'blue-door-bakery',
    reason: 'token_expired',
  },
};

const note =
  'The specification does not document this data. These fields are those of the sandbox. Check them against the first real event.';

/**
 * A sample of each event kind, to pin to the trigger node. The samples never change, so that
 * documents and workflows can contain them.
 */
export const samples = Object.fromEntries(
  eventNames.map((kind): [EventName, EventSample] => [kind, sampleOf(kind)]),
) as Record<EventName, EventSample>;

function sampleOf(kind: EventName): EventSample {
  const pinData: EventSample['pinData'] = [eventItem(kind)];
  return kind === 'post.published'
    ? { dataDocumented: true, pinData }
    : { dataDocumented: false, note, pinData };
}

function eventItem<Kind extends EventName>(event: Kind): EventItem<Kind> {
  const minute = String(eventNames.indexOf(event)).padStart(2, '0');
  const timestamp = `2026-03-02T09:${minute}:00.000Z`;
  const body = encodeEnvelope(event, data[event], timestamp);
  const deliveryId = createHash('sha256').update(body).digest('hex');
  return { event, data: data[event], timestamp, deliveryId };
}
