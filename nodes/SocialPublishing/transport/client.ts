import { type IDataObject, sleep } from 'n8n-workflow';

import type { Gate } from './bounded';
import { CANCELED, connectionFailure, type Sent, shapeFailure, statusFailure } from './failures';
import { type BodyReader, list, page, record } from './http/body';
import type { ServiceCredential } from './http/credential';
import type { Exchange, HttpRequest } from './http/request';
import { type ExchangeResult, isSuccess } from './http/response';
import { failed, type Outcome, succeeded } from './outcome';
import { walkPages } from './pages';
import type { RequestBudget, Spent } from './quota/budget';
import { quotaOf } from './quota/headers';
import type { ReadEndpoint, ReadRequest, WriteEndpoint } from './requests';
import { type Try, waitBeforeRetry } from './retry';

/** How many records to ask for in one request (docs/service.md, "Paging"). */
export const DEFAULT_PAGE_SIZE = 100;

export interface ClientSettings {
  /** Bounds how many requests are under way at once. */
  readonly gate: Gate;
  readonly budget: RequestBudget;
  /** Aborted when the execution is cancelled. */
  readonly cancelled: AbortSignal | undefined;
}

/** What one try came to: an outcome, or how many milliseconds to wait before the next try. */
type Step<T> =
  | { readonly outcome: Outcome<T>; readonly wait?: undefined }
  | { readonly outcome?: undefined; readonly wait: number };

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
    if (returns === 'list') return await this.get(path, query, list(field));
    if (returns === 'record') {
      const outcome = await this.get(path, query, record(field));
      return outcome.ok ? { ...outcome, value: [outcome.value] } : outcome;
    }
    return await walkPages(
      (offset, limit) => this.get(path, { ...query, limit, offset }, page(field)),
      {
        offset: range?.offset ?? 0,
        take: range?.limit ?? Infinity,
        pageSize: range?.pageSize ?? DEFAULT_PAGE_SIZE,
        concurrency: this.settings.gate.width,
      },
    );
  }

  /** Posts a body. The response holds the written record. */
  async write({ path, field }: WriteEndpoint, body: IDataObject): Promise<Outcome<IDataObject>> {
    return await this.request({ method: 'POST', path, body }, record(field));
  }

  private get<T>(
    path: HttpRequest['path'],
    query: IDataObject,
    body: BodyReader<T>,
  ): Promise<Outcome<T>> {
    return this.request({ method: 'GET', path, query }, body);
  }

  private async request<T>(request: HttpRequest, body: BodyReader<T>): Promise<Outcome<T>> {
    const startedAt = Date.now();
    for (let number = 1; ; number++) {
      const { outcome, wait } = await this.settings.gate.pass(
        async () => await this.attempt(request, body, { number, startedAt }),
      );
      if (outcome !== undefined) return outcome;
      await this.pause(wait);
    }
  }

  /** Sends a request once, unless the budget refuses. */
  private async attempt<T>(
    request: HttpRequest,
    body: BodyReader<T>,
    tried: Pick<Try, 'number' | 'startedAt'>,
  ): Promise<Step<T>> {
    if (this.settings.cancelled?.aborted === true) return { outcome: failed(CANCELED) };
    const spent = await this.settings.budget.spend(async () => {
      const result = await this.exchange(request);
      return { result, ...this.judge(result, body, request.method === 'POST', tried) };
    });
    return 'ok' in spent ? { outcome: spent } : spent;
  }

  private judge<T>(
    result: ExchangeResult,
    body: BodyReader<T>,
    writes: boolean,
    { number, startedAt }: Pick<Try, 'number' | 'startedAt'>,
  ): Step<T> & Pick<Spent, 'closing'> {
    const sent: Sent = { credential: this.credential, writes };
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
    const wait = waitBeforeRetry({ number, startedAt, result, writes }, now, Math.random());
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
