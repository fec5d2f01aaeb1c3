import type { IDataObject } from 'n8n-workflow';

import {
  CANCELED,
  connectionFailure,
  type SentRequest,
  shapeFailure,
  statusFailure,
  STOPPED,
} from './failures';
import { type BodyReader, list, type Page, page, record, writtenRecord } from './http/body';
import type { ServiceCredential } from './http/credential';
import type { Exchange, HttpRequest } from './http/request';
import { type ExchangeResult, isSuccess } from './http/response';
import type { Limiter, Load } from './limiter';
import { failed, type Failure, type Outcome, succeeded } from './outcome';
import { PAGE_SIZE, walkPages } from './pages/pages';
import { pause } from './pause';
import type { RequestBudget, Spent } from './quota/budget';
import { quotaOf } from './quota/headers';
import type { ReadEndpoint, ReadRequest, WriteEndpoint } from './requests';
import { loadOf, type Try, waitBeforeRetry } from './retry';

export interface ClientSettings {
  /** Says when a request may start. */
  readonly limiter: Limiter;
  readonly budget: RequestBudget;
  /** The time zone of the workflow, for times in failures. */
  readonly zone: string;
  /** Aborted when the execution is cancelled. */
  readonly cancelled: AbortSignal | undefined;
}

/**
 * Asked before a write goes out, each time that it does.
 *
 * @returns why it must not; `undefined` when it may
 */
export type WriteGuard = () => Promise<Failure | undefined>;

/** What one try came to: an outcome, or how many milliseconds to wait before the next try. */
type NextStep<T> =
  | { readonly outcome: Outcome<T>; readonly wait?: undefined }
  | { readonly outcome?: undefined; readonly wait: number };

/** A try with what it says about the load of the service, and when the first one was sent. */
type Tried<T> = NextStep<T> & { readonly load: Load; readonly sentAt?: number };

/** Whether a request was not sent because it was not wanted any more or the run was stopped. */
export const isStopped = (outcome: Outcome<unknown>): boolean =>
  !outcome.ok && outcome.failure === STOPPED;

/** Requests to the service with one credential: retries, quota and the shape of responses. */
export class Client {
  constructor(
    private readonly credential: ServiceCredential,
    private readonly exchange: Exchange,
    private readonly settings: ClientSettings,
  ) {}

  /** Gets the records of an endpoint, page by page where the service pages them. */
  async read(
    { path, returns, field }: ReadEndpoint,
    { query, range }: ReadRequest,
  ): Promise<Outcome<IDataObject[]>> {
    if (returns === 'list') {
      const outcome = await this.get(path, query, list(field));
      return outcome.ok ? { ...outcome, total: outcome.value.length } : outcome;
    }
    if (returns === 'record') {
      const outcome = await this.get(path, query, record(field));
      return outcome.ok ? { ...outcome, value: [outcome.value] } : outcome;
    }
    return await walkPages(
      async (offset, limit, unwanted) => {
        const request = { method: 'GET', path, query: { ...query, limit, offset } } as const;
        const outcome = await this.request(request, page(field), { unwanted });
        return isStopped(outcome) && unwanted.aborted ? undefined : outcome;
      },
      {
        offset: range?.offset ?? 0,
        limit: range?.limit ?? Infinity,
        pageSize: range?.pageSize ?? PAGE_SIZE,
        concurrency: this.settings.limiter.max,
      },
    );
  }

  /** Gets one page of a list. */
  async readPage(
    path: HttpRequest['path'],
    field: string,
    query: IDataObject,
  ): Promise<Outcome<Page>> {
    return await this.get(path, query, page(field));
  }

  /** Posts a body. The response holds the written record. */
  async write(
    { path, field }: WriteEndpoint,
    body: IDataObject,
    guard?: WriteGuard,
  ): Promise<Outcome<IDataObject>> {
    return await this.request({ method: 'POST', path, body }, writtenRecord(field), { guard });
  }

  private get<T>(
    path: HttpRequest['path'],
    query: IDataObject,
    body: BodyReader<T>,
  ): Promise<Outcome<T>> {
    return this.request({ method: 'GET', path, query }, body);
  }

  private async request<T>(
    request: HttpRequest,
    body: BodyReader<T>,
    {
      unwanted,
      guard,
    }: { unwanted?: AbortSignal | undefined; guard?: WriteGuard | undefined } = {},
  ): Promise<Outcome<T>> {
    const { limiter, cancelled } = this.settings;
    let sentAt: number | undefined;
    for (let number = 1; ; number++) {
      const permission = await limiter.admit({ unwanted, isRetry: number > 1 });
      if (permission === undefined) return failed(cancelled?.aborted === true ? CANCELED : STOPPED);
      const refused = await guard?.();
      if (refused !== undefined) {
        permission.end({ kind: 'lost' });
        return failed(refused);
      }
      const tried = await this.attempt(request, body, { number, sentAt });
      permission.end(tried.load);
      if (tried.outcome !== undefined) return tried.outcome;
      sentAt = tried.sentAt;
      // After a refusal, the limiter gives no permission before the wait is over.
      if (tried.load.kind !== 'refused') await pause(tried.wait, cancelled);
    }
  }

  /**
   * Sends a request once, unless the budget refuses.
   *
   * @param earlier which try this is, and when the first one was sent
   */
  private async attempt<T>(
    request: HttpRequest,
    body: BodyReader<T>,
    earlier: { readonly number: number; readonly sentAt: number | undefined },
  ): Promise<Tried<T>> {
    const spent = await this.settings.budget.spend(async () => {
      const tried = { number: earlier.number, sentAt: earlier.sentAt ?? Date.now() };
      const result = await this.exchange(request);
      const step = this.judge(result, body, request.method === 'POST', tried);
      return { result, load: loadOf(result, Date.now()), sentAt: tried.sentAt, ...step };
    });
    return 'ok' in spent ? { outcome: spent, load: { kind: 'lost' } } : spent;
  }

  private judge<T>(
    result: ExchangeResult,
    body: BodyReader<T>,
    writes: boolean,
    { number, sentAt }: Pick<Try, 'number' | 'sentAt'>,
  ): NextStep<T> & Pick<Spent, 'closing'> {
    const sent: SentRequest = { credential: this.credential, writes, zone: this.settings.zone };
    if (result.responded && isSuccess(result)) {
      const value = body.read(result);
      return {
        outcome:
          value === undefined
            ? failed(shapeFailure(result, body.field, sent))
            : succeeded(value, quotaOf(result)),
      };
    }
    const now = Date.now();
    const wait = waitBeforeRetry({ number, sentAt, result, writes }, now, Math.random());
    if (wait !== undefined && this.settings.cancelled?.aborted !== true) return { wait };
    const failure = result.responded
      ? statusFailure(result, sent, now)
      : connectionFailure(result, sent);
    const tries = number === 1 ? '' : ` It was tried ${number} times.`;
    return {
      outcome: failed({ ...failure, description: `${failure.description}${tries}` }),
      closing: failure.closesCredential === true ? failure : undefined,
    };
  }
}
