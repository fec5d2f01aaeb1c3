import { sleep } from 'n8n-workflow';

import { type Load, SlowStart } from './slowStart';

/** Permission to send one request; call end() when it settles. */
export interface Permission {
  end(load: Load): void;
}

export interface AdmitOptions {
  /** Aborted when the request is no longer wanted. */
  readonly unwanted?: AbortSignal | undefined;
  /** Whether the request was sent before. Retries go to the front of the queue. */
  readonly isRetry?: boolean;
}

/** A request that waits for permission. */
interface Waiting {
  readonly unwanted: AbortSignal | undefined;
  readonly resolve: (permission: Permission | undefined) => void;
}

/**
 * The queue of the requests with one credential. {@link SlowStart} says when the next one may be sent.
 * A wait that the service asks for holds for all of them.
 */
export class Limiter {
  private readonly slowStart: SlowStart;

  private readonly queue: Waiting[] = [];

  private isStopped = false;

  private wakesAt = Infinity;

  /**
   * @param max the most requests under way at once
   * @param cancelled aborted when the execution is canceled
   */
  constructor(
    readonly max: number,
    private readonly cancelled?: AbortSignal,
  ) {
    this.slowStart = new SlowStart(max);
  }

  /**
   * Waits until a request may be sent.
   *
   * @returns `undefined` if the request is no longer wanted, the limiter was stopped, or the execution
   * was canceled
   */
  async admit({ unwanted, isRetry = false }: AdmitOptions = {}): Promise<Permission | undefined> {
    if (this.isUnwanted(unwanted)) return undefined;
    // Added twice, a listener still counts once: so there is one for each signal, however many wait.
    unwanted?.addEventListener('abort', this.drop);
    this.cancelled?.addEventListener('abort', this.drop);
    const permission = await new Promise<Permission | undefined>((resolve) => {
      if (isRetry) this.queue.unshift({ unwanted, resolve });
      else this.queue.push({ unwanted, resolve });
      this.admitNext();
    });
    if (!this.queue.some((waiting) => waiting.unwanted === unwanted)) {
      unwanted?.removeEventListener('abort', this.drop);
    }
    if (this.queue.length === 0) this.cancelled?.removeEventListener('abort', this.drop);
    return permission;
  }

  /** Gives no permission until {@link resume}. */
  stop(): void {
    this.isStopped = true;
    this.drop();
  }

  resume(): void {
    this.isStopped = false;
  }

  /** Gives permission to the requests that may start now. */
  private admitNext(): void {
    const { slowStart, queue } = this;
    const now = Date.now();
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const startsAt = slowStart.startsAt(now);
      if (startsAt > now) {
        this.wakeAt(startsAt, now);
        return;
      }
      queue.shift();
      first.resolve(this.start(now));
    }
  }

  private start(now: number): Permission {
    const started = this.slowStart.start(now);
    return {
      end: (load) => {
        this.slowStart.end(started, Date.now(), load);
        this.admitNext();
      },
    };
  }

  private wakeAt(at: number, now: number): void {
    if (at >= this.wakesAt) return;
    this.wakesAt = at;
    void sleep(at - now).then(() => {
      if (this.wakesAt === at) this.wakesAt = Infinity;
      this.admitNext();
    });
  }

  /** Takes the unwanted requests out of the queue. */
  private readonly drop = (): void => {
    for (const waiting of this.queue.splice(0)) {
      if (this.isUnwanted(waiting.unwanted)) waiting.resolve(undefined);
      else this.queue.push(waiting);
    }
  };

  private isUnwanted(unwanted: AbortSignal | undefined): boolean {
    return this.isStopped || this.cancelled?.aborted === true || unwanted?.aborted === true;
  }
}
