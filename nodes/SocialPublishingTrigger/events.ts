import type { IDataObject } from 'n8n-workflow';

import { decodeUtf8, isObject, parseJson } from '../shared/json';
import { RefusedDelivery } from './refusal';

/** An event kind, as an option of a parameter and as an output. */
export interface EventKind {
  value: string;
  name: string;
  /** The name of its output, short enough for the canvas. */
  output: string;
  description: string;
}

/** The event kinds (docs/service.md, "Event kinds"). A new kind needs one entry here. */
export const eventKinds: EventKind[] = [
  {
    value: 'account.disconnected',
    name: 'Account Disconnected',
    output: 'Disconnected',
    description: 'A social account was disconnected, or its token expired',
  },
  {
    value: 'agent.action',
    name: 'Agent Action',
    output: 'Agent Action',
    description: 'An AI agent completed a task: content creation, engagement or SEO',
  },
  {
    value: 'agent.error',
    name: 'Agent Error',
    output: 'Agent Error',
    description: 'An AI agent ran into an error',
  },
  {
    value: 'inbox.new',
    name: 'New Inbox Item',
    output: 'Inbox',
    description: 'A comment, mention, direct message or reply came in',
  },
  {
    value: 'post.failed',
    name: 'Post Failed',
    output: 'Failed',
    description: 'A scheduled post could not be published. The event says why.',
  },
  {
    value: 'post.published',
    name: 'Post Published',
    output: 'Published',
    description: 'A scheduled post was published to a platform',
  },
];

/** The envelope of an event (docs/service.md, "Envelope"). `timestamp` is ISO 8601 UTC. */
export interface EventEnvelope extends IDataObject {
  event: string;
  data: IDataObject;
  timestamp: string;
}

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && ISO_UTC.test(value) && !Number.isNaN(Date.parse(value));
}

const malformed = (code: string, problem: string) =>
  new RefusedDelivery(
    400,
    {
      code,
      message: 'An event came with the right signature, but it is not in the documented form',
      description: `${problem}. Tell the operator of the service.`,
    },
    problem,
  );

/**
 * Reads the envelope from the bytes of a verified delivery, with fields beyond the documented
 * three.
 * @throws RefusedDelivery with status 400 that names the problem
 */
export function readEvent(body: Uint8Array): EventEnvelope {
  const envelope = parseJson(decodeUtf8(body) ?? '');
  if (!isObject(envelope)) throw malformed('notAnObject', 'The body is not a JSON object in UTF-8');
  const { event, data, timestamp } = envelope;
  if (typeof event !== 'string' || event === '') {
    throw malformed('noEvent', 'The field "event" must be the name of an event');
  }
  if (!isObject(data)) throw malformed('noData', 'The field "data" must be an object');
  if (!isTimestamp(timestamp)) {
    throw malformed('noTimestamp', 'The field "timestamp" must be an ISO 8601 time in UTC');
  }
  return { ...envelope, event, data, timestamp };
}

/**
 * Refuses an event too far from now in either direction, so that nobody can replay it later. Not
 * with 401, which would send people to check the secret, nor 200, which would drop it without a
 * trace.
 * @param maxAgeMinutes 0 for no limit
 * @param now Unix milliseconds
 * @throws RefusedDelivery with status 400, or Error for minutes that are no number
 */
export function assertFresh(event: EventEnvelope, maxAgeMinutes: number, now: number): void {
  if (maxAgeMinutes === 0) return;
  if (Number.isNaN(maxAgeMinutes)) {
    throw new Error('Maximum Age (Minutes) is not a number. Enter one, or 0 for no limit.');
  }
  const age = (now - Date.parse(event.timestamp)) / 60_000;
  if (Math.abs(age) <= maxAgeMinutes) return;
  const direction = age > 0 ? 'in the past' : 'in the future';
  const problem = `The event's timestamp is more than ${maxAgeMinutes} minutes ${direction}: ${event.timestamp}`;
  throw new RefusedDelivery(400, {
    code: age > 0 ? 'tooOld' : 'tooEarly',
    message: problem,
    description: 'Raise Maximum Age (Minutes), or correct the clock of this n8n.',
  });
}
