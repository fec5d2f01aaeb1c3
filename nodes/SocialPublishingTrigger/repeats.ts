import type { IWebhookFunctions } from 'n8n-workflow';

import { RefusedDelivery } from './refusal';
import { isAcknowledged } from './response';

/** How many accepted deliveries are remembered, across all workflows. */
export const CAPACITY = 50_000;

/** How long an accepted delivery is remembered, in milliseconds. */
export const DURATION_MS = 24 * 60 * 60 * 1000;

/** Remembers accepted deliveries in this process, up to a number and an age. */
export class AcceptedDeliveries {
  /** When each delivery was accepted, in milliseconds since 1970, the earliest first. */
  private readonly acceptedAt = new Map<string, number>();

  /** For each delivery in progress: whether it will be accepted. */
  private readonly pending = new Map<string, Promise<boolean>>();

  /** @param capacity how many are remembered @param durationMs for how long, in milliseconds */
  constructor(
    private readonly capacity: number,
    private readonly durationMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.acceptedAt.size;
  }

  /**
   * Looks for an earlier copy; if there is none, notes this one at once, so that one of several is
   * the first.
   * @param handle whether this copy is accepted; called only if it is the first
   * @returns whether the earlier copy is accepted, once that is known
   */
  findEarlier(key: string, handle: () => Promise<boolean>): Promise<boolean> | undefined {
    this.forget();
    if (this.acceptedAt.has(key)) return Promise.resolve(true);
    const earlier = this.pending.get(key);
    if (earlier) return earlier;
    const accepted = handle().then((isAccepted) => {
      this.pending.delete(key);
      if (isAccepted) {
        this.acceptedAt.set(key, this.now());
        this.forget();
      }
      return isAccepted;
    });
    this.pending.set(key, accepted);
    return undefined;
  }

  /** Forgets deliveries that are too old or too many, the earliest first. */
  private forget(): void {
    const expired = this.now() - this.durationMs;
    for (const [key, acceptedAt] of this.acceptedAt) {
      if (this.acceptedAt.size <= this.capacity && acceptedAt > expired) return;
      this.acceptedAt.delete(key);
    }
  }
}

const accepted = new AcceptedDeliveries(CAPACITY, DURATION_MS);

/**
 * Whether n8n responded with 2xx to an earlier copy, once it has. In a test run, nothing is a
 * repeat.
 * @throws RefusedDelivery with status 500 when it gets no 2xx; the next copy then counts as new
 */
export async function isRepeat(context: IWebhookFunctions, deliveryId: string): Promise<boolean> {
  if (context.getMode() === 'manual') return false;
  const key = [context.getWorkflow().id, context.getNode().id, deliveryId].join(' ');
  const earlier = accepted.findEarlier(key, () => isAcknowledged(context));
  if (earlier === undefined) return false;
  if (await earlier) return true;
  throw new RefusedDelivery(500, {
    code: 'earlierCopyFailed',
    message: 'An earlier copy of this event could not be processed',
    description: 'Wait until the service sends it again.',
  });
}
