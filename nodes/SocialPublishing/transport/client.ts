import { type IDataObject, sleep } from 'n8n-workflow';

import { type Body, listBody, recordBody, succeeded } from './answer';
import type { RequestBudget } from './budget';
import type { ServiceCredential } from './credential';
import { connectionFailure, shapeFailure, statusFailure, type Sent } from './failures';
import type { Exchange, HttpRequest } from './http';
import { failed, type Failure, type Outcome } from './outcome';
import { pageOf, walkPages } from './pages';
import { quotaOf } from './rateLimit';
import type { ReadList, ReadPages, ReadRecord, Write } from './requests';
import { waitBeforeRetry } from './retry';

export interface ClientSettings {
  /** How many requests may be under way at once. */
  readonly concurrency: number;
  readonly budget: RequestBudget;
  /** Aborted when the execution is cancelled. */
  readonly cancelled: AbortSignal | undefined;
}

const CANCELLED: Failure = {
  message: 'The execution was cancelled',
  description: 'No further request was sent.',
  certainty: 'notSent',
};

/** Requests to the service with one credential: retries, quota and the shape of answers. */
export class Client {
  /** Set when every further request would meet the same end, so that none is wasted on it. */
  private closed: Failure | undefined;

  constructor(
    private readonly credential: ServiceCredential,
    private readonly exchange: Exchange,
    private readonly settings: ClientSettings,
  ) {}

  /** Gets one record. */
  async readRecord({ path, query, field }: ReadRecord): Promise<Outcome<IDataObject>> {
    const body = await this.request({ method: 'GET', path, query }, field, recordBody);
    return body.ok ? { ...body, value: body.value[field] as IDataObject } : body;
  }

  /** Gets a list that the service does not page. */
  async readList({ path, query, field }: ReadList): Promise<Outcome<IDataObject[]>> {
    const body = await this.request({ method: 'GET', path, query }, field, listBody);
    return body.ok ? { ...body, value: body.value[field] as IDataObject[] } : body;
  }

  /** Gets a list page by page. */
  async readPages(read: ReadPages): Promise<Outcome<IDataObject[]>> {
    const { path, query, field } = read;
    return await walkPages(
      async (offset, limit) => {
        const page = { method: 'GET', path, query: { ...query, limit, offset } } as const;
        const body = await this.request(page, field, listBody);
        return body.ok ? { ...body, value: pageOf(body.value, field) } : body;
      },
      { ...read, concurrency: this.settings.concurrency },
    );
  }

  /** Writes one record. */
  async write({ path, body, field }: Write): Promise<Outcome<IDataObject>> {
    const answer = await this.request({ method: 'POST', path, body }, field, recordBody);
    return answer.ok ? { ...answer, value: answer.value[field] as IDataObject } : answer;
  }

  private async request(
    request: HttpRequest,
    field: string,
    read: (
      answer: Extract<Awaited<ReturnType<Exchange>>, { answered: true }>,
      field: string,
    ) => Body,
  ): Promise<Outcome<IDataObject>> {
    const sent: Sent = {
      credential: this.credential,
      path: request.path,
      writes: request.method === 'POST',
    };
    const startedAt = Date.now();
    for (let number = 1; ; number++) {
      const refused = await this.admit();
      if (refused !== undefined) return refused;
      const result = await this.exchange(request);
      this.settings.budget.spent(result.answered ? quotaOf(result) : undefined);
      if (result.answered && succeeded(result)) {
        const body = read(result, field);
        return 'body' in body
          ? { ok: true, value: body.body, quota: quotaOf(result) }
          : failed(shapeFailure(result, body.cameInstead, sent));
      }
      const now = Date.now();
      const wait = waitBeforeRetry(
        { number, startedAt, result, writes: sent.writes },
        now,
        Math.random(),
      );
      const failure = result.answered
        ? statusFailure(result, sent, now)
        : connectionFailure(result, sent);
      if (wait === undefined || this.settings.cancelled?.aborted === true) {
        return this.giveUp(failure, number);
      }
      await this.pause(wait);
    }
  }

  private async admit(): Promise<{ ok: false; failure: Failure } | undefined> {
    if (this.settings.cancelled?.aborted === true) return failed(CANCELLED);
    if (this.closed === undefined) {
      const refused = await this.settings.budget.admit();
      if (refused === undefined) return undefined;
      this.closed = refused.failure;
    }
    return failed({ ...this.closed, certainty: 'notSent' });
  }

  private giveUp(failure: Failure, tries: number): { ok: false; failure: Failure } {
    if (failure.closesCredential === true) this.closed = failure;
    return failed(
      tries === 1
        ? failure
        : { ...failure, description: `${failure.description} It was tried ${tries} times.` },
    );
  }

  private async pause(milliseconds: number): Promise<void> {
    const { cancelled } = this.settings;
    if (cancelled === undefined) return await sleep(milliseconds);
    await Promise.race([
      sleep(milliseconds),
      new Promise<void>((resolve) => {
        cancelled.addEventListener('abort', () => resolve(), { once: true });
      }),
    ]);
  }
}
