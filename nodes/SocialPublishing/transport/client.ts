import { type IDataObject, sleep } from 'n8n-workflow';

import { listBody, recordBody, succeeded } from './answer';
import type { Gate } from './bounded';
import type { RequestBudget } from './budget';
import type { ServiceCredential } from './credential';
import { CANCELED, connectionFailure, shapeFailure, statusFailure, type Sent } from './failures';
import type { Exchange, HttpAnswer, HttpRequest } from './http';
import { failed, type Outcome } from './outcome';
import { pageOf, walkPages } from './pages';
import { quotaOf } from './rateLimit';
import type { ReadList, ReadPages, ReadRecord, Write } from './requests';
import { type Try, waitBeforeRetry } from './retry';

export interface ClientSettings {
  /** Bounds how many requests are under way at once. */
  readonly gate: Gate;
  readonly budget: RequestBudget;
  /** Aborted when the execution is cancelled. */
  readonly cancelled: AbortSignal | undefined;
}

type Read = (answer: HttpAnswer, field: string) => IDataObject | undefined;

function success(answer: HttpAnswer, field: string, read: Read, sent: Sent): Outcome<IDataObject> {
  const body = read(answer, field);
  return body === undefined
    ? failed(shapeFailure(answer, field, sent))
    : { ok: true, value: body, quota: quotaOf(answer) };
}

/** Requests to the service with one credential: retries, quota and the shape of answers. */
export class Client {
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
      { ...read, concurrency: this.settings.gate.width },
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
    read: Read,
  ): Promise<Outcome<IDataObject>> {
    const startedAt = Date.now();
    for (let number = 1; ; number++) {
      const step = await this.settings.gate.pass(
        async () => await this.attempt(request, field, read, { number, startedAt }),
      );
      if (typeof step !== 'number') return step;
      await this.pause(step);
    }
  }

  /** Sends a request once; gives the outcome, or how many milliseconds to wait before the next try. */
  private async attempt(
    request: HttpRequest,
    field: string,
    read: Read,
    tried: Pick<Try, 'number' | 'startedAt'>,
  ): Promise<Outcome<IDataObject> | number> {
    const { budget, cancelled } = this.settings;
    if (cancelled?.aborted === true) return failed(CANCELED);
    const refused = await budget.admit();
    if (refused !== undefined) return refused;
    const result = await this.exchange(request);
    const sent: Sent = {
      credential: this.credential,
      writes: request.method === 'POST',
    };
    const step =
      result.answered && succeeded(result)
        ? success(result, field, read, sent)
        : this.failureOrWait({ ...tried, result, writes: sent.writes }, sent);
    budget.spent(result);
    return step;
  }

  private failureOrWait(tried: Try, sent: Sent): Outcome<never> | number {
    const { result, number } = tried;
    const now = Date.now();
    const wait = waitBeforeRetry(tried, now, Math.random());
    if (wait !== undefined && this.settings.cancelled?.aborted !== true) return wait;
    const failure = result.answered
      ? statusFailure(result, sent, now)
      : connectionFailure(result, sent);
    if (failure.closesCredential === true) this.settings.budget.close(failure);
    return failed(
      number === 1
        ? failure
        : { ...failure, description: `${failure.description} It was tried ${number} times.` },
    );
  }

  private async pause(milliseconds: number): Promise<void> {
    const { cancelled } = this.settings;
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    cancelled?.addEventListener('abort', wake);
    await Promise.race([sleep(milliseconds), woken]);
    cancelled?.removeEventListener('abort', wake);
  }
}
