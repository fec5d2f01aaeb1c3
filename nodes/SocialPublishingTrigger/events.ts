import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { isObject } from '../shared/json';
import { Refusal } from './refusal';

/** The event kinds of the interface (specification: Events, Event kinds), as options of a parameter. */
export const eventKinds: INodePropertyOptions[] = [
  {
    name: 'Account Disconnected',
    value: 'account.disconnected',
    description: 'A social account was disconnected or its token expired',
  },
  {
    name: 'Agent Action',
    value: 'agent.action',
    description: 'An AI agent completed a task (content creation, engagement or SEO)',
  },
  {
    name: 'Agent Error',
    value: 'agent.error',
    description: 'An AI agent met an error during execution',
  },
  {
    name: 'New Inbox Item',
    value: 'inbox.new',
    description: 'A new comment, mention, direct message or reply was received',
  },
  {
    name: 'Post Failed',
    value: 'post.failed',
    description: 'A scheduled post failed to publish. The payload includes error details.',
  },
  {
    name: 'Post Published',
    value: 'post.published',
    description: 'A scheduled post was successfully published to a platform',
  },
];

/** The webhook event envelope (specification: Events, Envelope). `timestamp` is ISO 8601 UTC. */
export interface SocialEvent extends IDataObject {
  event: string;
  data: IDataObject;
  timestamp: string;
}

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && ISO_UTC.test(value) && !Number.isNaN(Date.parse(value));
}

/** @returns the value that the bytes hold as JSON in UTF-8, or undefined when they hold none */
function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/**
 * Reads the envelope from the bytes of a verified delivery, whatever its content type says. A byte
 * order mark is skipped; fields beyond the documented three are kept.
 *
 * @param body the raw request body
 * @throws Refusal with status 400 that names what is wrong, when the body is not a well-formed envelope
 */
export function readEvent(body: Uint8Array): SocialEvent {
  const envelope = parseJson(body);
  if (!isObject(envelope)) throw new Refusal(400, 'The body is not a JSON object in UTF-8');
  const { event, data, timestamp } = envelope;
  if (typeof event !== 'string' || event === '') {
    throw new Refusal(400, 'The field "event" must be the name of an event');
  }
  if (!isObject(data)) throw new Refusal(400, 'The field "data" must be an object');
  if (!isTimestamp(timestamp)) {
    throw new Refusal(400, 'The field "timestamp" must be an ISO 8601 time in UTC');
  }
  return { ...envelope, event, data, timestamp };
}

/**
 * Refuses an event whose signed timestamp is too far from now, in either direction, so that a
 * recorded delivery cannot be played back later. The status is 400: the signature is right, so 401
 * would send people to check the secret; and a 2xx would drop the event without a trace.
 *
 * @param maxAgeMinutes how many minutes the timestamp may lie before or after now; 0 for no limit
 * @param now milliseconds since 1970
 * @throws Refusal with status 400 when the timestamp lies outside
 */
export function assertFresh(event: SocialEvent, maxAgeMinutes: number, now: number): void {
  if (maxAgeMinutes === 0) return;
  const age = (now - Date.parse(event.timestamp)) / 60_000;
  if (Math.abs(age) <= maxAgeMinutes) return;
  const where = age > 0 ? 'ago' : 'in the future';
  throw new Refusal(
    400,
    `The event's timestamp lies more than ${maxAgeMinutes} minutes ${where}: ${event.timestamp}`,
  );
}
