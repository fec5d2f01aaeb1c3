import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { RequestBudget } from './budget';
import { Client, type Guard } from './client';
import { ServiceClock } from './clock';
import { otherWorkspaceFailure } from './failures';
import { keyOf, type ServiceCredential } from './http/credential';
import { exchangeWith } from './http/request';
import { Admission, limiterFor } from './limiter';
import { failed, type Outcome, type Quota } from './outcome';
import {
  ACCOUNTS,
  POSTS,
  type ReadEndpoint,
  type ReadRequest,
  type WriteEndpoint,
} from './requests';
import { ScheduledPosts } from './scheduledPosts';

/** What the user chose for all requests of one run of the node. */
export interface ServiceSettings {
  readonly concurrency: number;
  /** How many requests of the quota must be left; `undefined` for no bound. */
  readonly keepRequests: number | undefined;
}

/** The same for two requests that get the same records. */
const keyOfRead = (
  { path, answer, field }: ReadEndpoint,
  { query, range }: ReadRequest,
): string => {
  const { limit = Infinity, offset, pageSize } = range ?? {};
  // Without pages, all records come, however many are wanted.
  const pages = answer === 'pages' ? [String(limit), offset, pageSize] : [];
  return JSON.stringify([path, query, field, pages]);
};

/** The service in one run with one credential: each read is requested once for all items. */
export class Service {
  readonly clock = new ServiceClock();

  private readonly client: Client;

  private readonly admission: Admission;

  quota: Quota = {};

  private readonly posts = new Map<number, ScheduledPosts>();

  private readonly reads = new Map<string, Promise<Outcome<IDataObject[]>>>();

  /** @param store keeps the quota that the service reported, for later runs of the execution */
  constructor(
    context: IExecuteFunctions,
    readonly credential: ServiceCredential,
    { concurrency, keepRequests }: ServiceSettings,
    store: IDataObject,
  ) {
    const cancelled = context.getExecutionCancelSignal();
    const exchange = exchangeWith(context, credential);
    this.admission = new Admission(limiterFor(credential), concurrency, cancelled);
    this.client = new Client(
      credential,
      async (request) => {
        const sentAt = Date.now();
        const result = await exchange(request);
        if (result.responded) this.clock.observe(result.headers.date, sentAt, Date.now());
        return result;
      },
      {
        admission: this.admission,
        // n8n saves the store with the execution, and the key must not be in there.
        budget: new RequestBudget(keepRequests, store, `quota:${keyOf(credential).slice(0, 16)}`),
        zone: context.getTimezone(),
        cancelled,
      },
    );
  }

  /** Reads what one item asks for; records are never shared between items. */
  async read(endpoint: ReadEndpoint, request: ReadRequest): Promise<Outcome<IDataObject[]>> {
    const isFirst = !this.reads.has(keyOfRead(endpoint, request));
    const outcome = await this.readOnce(endpoint, request);
    if (!outcome.ok) return outcome;
    const records = isFirst ? outcome.value : structuredClone(outcome.value);
    return { ...outcome, value: records.slice(0, request.range?.limit) };
  }

  /** Reads a list once for all items. They share its records, and none changes them. */
  private async readOnce(
    endpoint: ReadEndpoint,
    request: ReadRequest,
  ): Promise<Outcome<IDataObject[]>> {
    const key = keyOfRead(endpoint, request);
    const reading = this.reads.get(key) ?? this.readAgain(endpoint, request);
    this.reads.set(key, reading);
    const outcome = await reading;
    if (outcome.ok) this.quota = outcome.quota;
    return outcome;
  }

  /** The accounts of a workspace, read once for all items. */
  async accounts(workspaceId: number): Promise<Outcome<IDataObject[]>> {
    return await this.readOnce(ACCOUNTS, { query: { workspaceId } });
  }

  /** All posts of a workspace, read once for all items: the service has no filter by time. */
  async scheduledPosts(workspaceId: number): Promise<Outcome<ScheduledPosts>> {
    const outcome = await this.readOnce(POSTS, { query: { workspaceId } });
    if (!outcome.ok) return outcome;
    const posts = this.posts.get(workspaceId) ?? new ScheduledPosts(outcome.value);
    this.posts.set(workspaceId, posts);
    return { ...outcome, value: posts };
  }

  /** Reads again, whatever was read before. */
  async readAgain(endpoint: ReadEndpoint, request: ReadRequest): Promise<Outcome<IDataObject[]>> {
    const outcome = await this.client.read(endpoint, request);
    const asked = Number(request.query.workspaceId);
    // Of the records, only posts name their workspace.
    const other = (outcome.ok ? outcome.value : [])
      .map(({ workspaceId }) => Number(workspaceId ?? NaN))
      .find((workspaceId) => workspaceId > 0 && workspaceId !== asked);
    return other === undefined ? outcome : failed(otherWorkspaceFailure(other, asked));
  }

  /** Sends a body, if the guard allows it each time. The response holds the written record. */
  async write(
    endpoint: WriteEndpoint,
    body: IDataObject,
    guard: Guard,
  ): Promise<Outcome<IDataObject>> {
    return await this.client.write(endpoint, body, guard);
  }

  /** Sends nothing more. Requests that are under way still end. */
  stop(): void {
    this.admission.stop();
  }

  resume(): void {
    this.admission.resume();
  }
}
