import { type IDataObject, sleep } from 'n8n-workflow';

import { type BodyReader, list, type Page, page, record, writtenRecord } from './http/body';
import type { ServiceCredential } from './http/credential';
import type { Exchange, HttpRequest } from './http/request';
import { type ExchangeResult, isSuccess } from './http/response';
import type { Ended } from './limiter/level';
import type { Limiter } from './limiter/limiter';
import {
  CANCELED,
  connectionFailure,
  type Sent,
  shapeFailure,
  statusFailure,
  STOPPED,
} from './messages';
import { failed, type Outcome, succeeded } from './outcome';
import { PAGE_SIZE, walkPages } from './pages/pages';
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

/** What one try came to: an outcome, or how many milliseconds to wait before the next try. */
type Step<T> =
  | { readonly outcome: Outcome<T>; readonly wait?: undefined }
  | { readonly outcome?: undefined; readonly wait: number };

/** A try with what it says about the load of the service. */
type Tried<T> = Step<T> & { readonly ended: Ended };

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
    if (returns === 'list') return await this.get(path, query, list(field));
    if (returns === 'record') {
      const outcome = await this.get(path, query, record(field));
      return outcome.ok ? { ...outcome, value: [outcome.value] } : outcome;
    }
    return await walkPages(
      async (offset, limit, unwanted) => {
        const request = { method: 'GET', path, query: { ...query, limit, offset } } as const;
        const outcome = await this.request(request, page(field), unwanted);
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
  async write({ path, field }: WriteEndpoint, body: IDataObject): Promise<Outcome<IDataObject>> {
    return await this.request({ method: 'POST', path, body }, writtenRecord(field));
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
    unwanted?: AbortSignal,
  ): Promise<Outcome<T>> {
    const { limiter, cancelled } = this.settings;
    const startedAt = Date.now();
    for (let number = 1; ; number++) {
      const turn = await limiter.admit({ unwanted, isRetry: number > 1 });
      if (turn === undefined) return failed(cancelled?.aborted === true ? CANCELED : STOPPED);
      const { outcome, wait, ended } = await this.attempt(request, body, { number, startedAt });
      turn.end(ended);
      if (outcome !== undefined) return outcome;
      // Where the service says how long to wait, nothing gets a turn before.
      if (ended.kind !== 'refused' || ended.asked === undefined) await this.pause(wait);
    }
  }

  /** Sends a request once, unless the budget refuses. */
  private async attempt<T>(
    request: HttpRequest,
    body: BodyReader<T>,
    tried: Pick<Try, 'number' | 'startedAt'>,
  ): Promise<Tried<T>> {
    const spent = await this.settings.budget.spend(async () => {
      const result = await this.exchange(request);
      const ended = loadOf(result, Date.now());
      return { result, ended, ...this.judge(result, body, request.method === 'POST', tried) };
    });
    return 'ok' in spent ? { outcome: spent, ended: { kind: 'lost' } } : spent;
  }

  private judge<T>(
    result: ExchangeResult,
    body: BodyReader<T>,
    writes: boolean,
    { number, startedAt }: Pick<Try, 'number' | 'startedAt'>,
  ): Step<T> & Pick<Spent, 'closing'> {
    const sent: Sent = { credential: this.credential, writes, zone: this.settings.zone };
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
