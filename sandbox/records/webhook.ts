import type { EventName } from './event';

export interface WebhookEndpoint {
  id: number;
  url: string;
  /** The key that signs each delivery to it. */
  secret: string;
  /** The event kinds it receives; an empty list means all. */
  events: string[];
  createdAt: string;
}

export interface DeliveryAttempt {
  at: string;
  /** The HTTP status of the response, if there was one. */
  status?: number;
  /** Why there was no response. */
  error?: string;
}

export interface Delivery {
  id: number;
  endpointId: number;
  url: string;
  event: EventName | (string & {});
  /** The exact bytes that each attempt sends. */
  body: Buffer;
  /** The value of X-Service-Signature. */
  signature: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  nextAttemptAt: string | null;
  createdAt: string;
}
