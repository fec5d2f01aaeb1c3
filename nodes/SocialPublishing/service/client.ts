import type { IDataObject } from 'n8n-workflow';

import type { RequestBudget } from './budget';
import {
  CANCELED,
  connectionFailure,
  type SentRequest,
  shapeFailure,
  statusFailure,
  STOPPED,
} from './failures';
import { type BodyReader, list, page, record, writtenRecord } from './http/body';
import type { ServiceCredential } from './http/credential';
import type { Exchange, HttpRequest } from './http/request';
import { isSuccess } from './http/response';
import type { Admission, Load } from './limiter';
import { failed, type Failure, type Outcome, succeeded } from './outcome';
import { PAGE_SIZE, walkPages } from './pages';
import { pause } from './pause';
import { quotaOf } from './quota';
import type { ReadEndpoint, ReadRequest, WriteEndpoint } from './requests';
import { loadOf, type Try, waitBeforeRetry } from './retry';

export interface ClientSettings {
  readonly admission: Admission;
  readonly budget: RequestBudget;
  /** The time zone of the workflow, for times in failures. */
  readonly zone: string;
  /** Aborted when the execution is cancelled. */
  readonly cancelled: AbortSignal | undefined;
}

/** Asked before a request goes out, each time. @returns why it must not; `undefined` when it may */
export type Guard = () => Failure | undefined;

/** Whether a request was not sent because it was no longer wanted or the run was stopped. */
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
    endpoint: ReadEndpoint,
    { query, range }: ReadRequest,
  ): Promise<Outcome<IDataObject[]>> {
    const { answer } = endpoint;
    if (answer !== 'pages') {
      const outcome = await this.request(endpoint, { query }, answer === 'list' ? list : record);
      return outcome.ok ? { ...outcome, total: outcome.value.length } : outcome;
    }
    return await walkPages(
      async (offset, limit, isWanted) => {
        const guard = () => (isWanted() ? undefined : STOPPED);
        const asked = { query: { ...query, limit, offset } };
        const outcome = await this.request(endpoint, asked, page, guard);
        return isStopped(outcome) && !isWanted() ? undefined : outcome;
      },
      {
        offset: range?.offset ?? 0,
        limit: range?.limit ?? Infinity,
        pageSize: range?.pageSize ?? PAGE_SIZE,
        concurrency: this.settings.admission.max,
      },
    );
  }

  /** Sends a body. The response holds the written record. */
  async write(
    endpoint: WriteEndpoint,
    body: IDataObject,
    guard?: Guard,
  ): Promise<Outcome<IDataObject>> {
    return await this.request(endpoint, { body }, writtenRecord, guard);
  }

  /** Sends a request, and again where `retry`, the limiter, the guard and the budget allow it. */
  private async request<T>(
    endpoint: ReadEndpoint | WriteEndpoint,
    asked: Pick<HttpRequest, 'query' | 'body'>,
    read: BodyReader<T>,
    guard?: Guard,
  ): Promise<Outcome<T>> {
    const { admission, budget, cancelled } = this.settings;
    const { method, path } = endpoint;
    const writes = method !== 'GET';
    let sentAt: number | undefined;
    for (let number = 1; ; number++) {
      const permission = await admission.admit(number > 1);
      if (permission === undefined) return failed(cancelled?.aborted === true ? CANCELED : STOPPED);
      let load: Load = { kind: 'lost' };
      let wait: number | undefined;
      try {
        const refused = guard?.() ?? (await budget.admit());
        if (refused !== undefined) return failed(refused);
        sentAt ??= performance.now();
        const result = await this.exchange({ method, path, ...asked });
        const one = { number, since: performance.now() - sentAt, result, writes };
        const now = Date.now();
        load = loadOf(result, now);
        wait = cancelled?.aborted === true ? undefined : waitBeforeRetry(one, now, Math.random());
        const outcome = wait === undefined ? this.outcomeOf(one, endpoint.field, read) : undefined;
        budget.learn(result, outcome);
        if (outcome !== undefined) return outcome;
      } finally {
        permission.end(load);
      }
      // After a refusal, the limiter gives no permission before the wait is over.
      if (load.kind !== 'refused') await pause(wait ?? 0, cancelled);
    }
  }

  private outcomeOf<T>(
    { number, result, writes }: Try,
    field: string,
    read: BodyReader<T>,
  ): Outcome<T> {
    const sent: SentRequest = { credential: this.credential, writes, zone: this.settings.zone };
    if (result.responded && isSuccess(result)) {
      const value = read(result, field);
      return value === undefined
        ? failed(shapeFailure(result, field, sent))
        : succeeded(value, quotaOf(result));
    }
    const failure = result.responded
      ? statusFailure(result, sent, Date.now())
      : connectionFailure(result, sent);
    const tries = number === 1 ? '' : ` It was tried ${number} times.`;
    return failed({ ...failure, description: `${failure.description}${tries}` });
  }
}
