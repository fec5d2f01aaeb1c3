import type { IDataObject } from 'n8n-workflow';

import { RequestBudget } from '../../../nodes/SocialPublishing/service/budget';
import { Client } from '../../../nodes/SocialPublishing/service/client';
import type { Exchange, HttpRequest } from '../../../nodes/SocialPublishing/service/http/request';
import type {
  ExchangeResult,
  HttpResponse,
} from '../../../nodes/SocialPublishing/service/http/response';
import { Admission, Limiter } from '../../../nodes/SocialPublishing/service/limiter';
import type { Outcome } from '../../../nodes/SocialPublishing/service/outcome';
import type { ReadEndpoint } from '../../../nodes/SocialPublishing/service/requests';
import { credential } from '../given';
import { broken, leaving, neverMade, response } from './responses';

const analytics: ReadEndpoint = {
  method: 'GET',
  path: '/analytics',
  field: 'analytics',
  answer: 'record',
};

const postList: ReadEndpoint = {
  method: 'GET',
  path: '/posts',
  field: 'posts',
  answer: 'pages',
};

const period = { query: { workspaceId: 1, period: '30d' } };

const posts = { method: 'POST', path: '/posts', field: 'post', answer: 'written' } as const;

const body = { workspaceId: 1 };

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A service that responds when the test says so. */
class ControlledService {
  readonly requests: HttpRequest[] = [];

  mostUnderWay = 0;

  private readonly waiting: Array<(result: ExchangeResult) => void> = [];

  readonly exchange: Exchange = (request) => {
    this.requests.push(request);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.mostUnderWay = Math.max(this.mostUnderWay, this.waiting.length);
    });
  };

  /** Responds to the request that has waited longest, or to one that came after it. */
  async respond(result: ExchangeResult, index = 0): Promise<void> {
    await settled();
    const [respond] = this.waiting.splice(index, 1);
    respond!(result);
    await settled();
  }
}

const at = (service: ControlledService, { width = 8, keep, cancelled }: Settings = {}) =>
  new Client(credential, service.exchange, {
    admission: new Admission(new Limiter(), width, cancelled),
    budget: new RequestBudget(keep),
    zone: 'UTC',
    cancelled,
  });

interface Settings {
  width?: number;
  keep?: number;
  cancelled?: AbortSignal;
}

const ok = (body: IDataObject, headers: HttpResponse['headers'] = {}) =>
  response(200, JSON.stringify(body), headers);

/** A page of the list of posts: those with the IDs from `first` to `last`. */
const postsFrom = (first: number, last: number, total: number) =>
  ok({
    posts: Array.from({ length: last - first + 1 }, (_, index) => ({ id: first + index })),
    total,
  });

const failureOf = (outcome: Outcome<unknown>) => {
  if (outcome.ok) throw new Error('This went well');
  return outcome.failure;
};

describe('a request', () => {
  test('for a paged list that ends early does not take unsent pages for failures', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 3 });
    const writing = [client.write(posts, body), client.write(posts, body)];
    const reading = client.read(postList, { query: {}, range: { limit: Infinity, pageSize: 2 } });
    // A service that answers every offset with its first page; one more may be under way beside the writes.
    for (let count = 0; count < 2; count++) await service.respond(postsFrom(1, 2, 10), 2);

    expect(await reading).toMatchObject({ ok: true, value: [{ id: 1 }, { id: 2 }] });
    expect(service.requests.flatMap(({ query }) => query?.offset ?? [])).toEqual([0, 1]);

    for (let count = 0; count < 2; count++) await service.respond(ok({ post: { id: 7 } }));
    await Promise.all(writing);
  });
});

describe('with retries', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Lets the wait before the next try pass. */
  const waited = () => jest.advanceTimersByTimeAsync(31_000);

  test('a read is sent four times, and the failure says so', async () => {
    const service = new ControlledService();
    const reading = at(service).read(analytics, period);
    for (const result of [response(500), broken, response(503), response(502)]) {
      await service.respond(result);
      await waited();
    }

    expect(failureOf(await reading)).toMatchObject({
      code: 'serviceFailed',
      description: expect.stringMatching(/\b4 times/) as string,
      certainty: 'failed',
      httpCode: 502,
    });
    expect(service.requests).toHaveLength(4);
  });

  test('a write is sent again only as long as the service cannot have acted', async () => {
    const service = new ControlledService();
    const writing = at(service).write(posts, body);
    for (const result of [response(429), neverMade, broken]) {
      await service.respond(result);
      await waited();
    }

    expect(failureOf(await writing)).toMatchObject({
      certainty: 'uncertain',
      description: expect.stringMatching(/\b3 times/) as string,
    });
    expect(service.requests).toHaveLength(3);
  });

  test('while one request waits after a failure, others go out', async () => {
    const service = new ControlledService();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const client = at(service, { width: 1 });
    const first = client.read(analytics, period);
    const second = client.write(posts, body);
    await service.respond(response(500));
    await service.respond(ok({ post: { id: 7 } }));
    expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);

    await jest.advanceTimersByTimeAsync(499);
    expect(service.requests).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    await service.respond(ok({ analytics: {} }));

    expect([(await first).ok, (await second).ok]).toEqual([true, true]);
  });

  test('after a 429 that asks for no wait, nothing goes out for a second', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 2 });
    const all = Array.from({ length: 3 }, () => client.read(analytics, period));
    await service.respond(response(429));
    await service.respond(ok({ analytics: {} }));
    await jest.advanceTimersByTimeAsync(999);
    expect(service.requests).toHaveLength(2);

    await jest.advanceTimersByTimeAsync(1);
    for (let count = 0; count < 2; count++) await service.respond(ok({ analytics: {} }));

    expect((await Promise.all(all)).every(({ ok: went }) => went)).toBe(true);
  });

  test('the time for retries counts from the first sending, not from joining the queue', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 1 });
    const first = client.read(analytics, period);
    const second = client.read(analytics, period);
    await jest.advanceTimersByTimeAsync(200_000);
    await service.respond(ok({ analytics: {} }));
    await service.respond(response(500));
    await waited();
    await service.respond(ok({ analytics: {} }));

    expect([(await first).ok, (await second).ok]).toEqual([true, true]);
  });

  test('the wait for the first response of the quota does not count either', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 2, keep: 5 });
    const first = client.read(analytics, period);
    const second = client.read(analytics, period);
    await jest.advanceTimersByTimeAsync(200_000);
    await service.respond(ok({ analytics: {} }, { 'x-ratelimit-remaining': '100' }));
    await service.respond(response(500, '', { 'x-ratelimit-remaining': '99' }));
    await waited();
    await service.respond(ok({ analytics: {} }, { 'x-ratelimit-remaining': '98' }));

    expect([(await first).ok, (await second).ok]).toEqual([true, true]);
  });

  test('two minutes after the first sending it is not sent again', async () => {
    const service = new ControlledService();
    const reading = at(service).read(analytics, period);
    await service.respond(response(500));
    await waited();
    await jest.advanceTimersByTimeAsync(120_000);
    await service.respond(response(500));

    expect(failureOf(await reading)).toMatchObject({ httpCode: 500 });
    expect(service.requests).toHaveLength(2);
  });

  test('a retry is admitted before new requests', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 1 });
    const all = [1, 2, 3].map((page) => client.read(analytics, { query: { page } }));
    await service.respond(response(500));
    await waited();
    for (let count = 0; count < 3; count++) await service.respond(ok({ analytics: {} }));
    await Promise.all(all);

    expect(service.requests.map(({ query }) => query?.page)).toEqual([1, 2, 1, 3]);
  });

  test('a stopped execution ends the wait without a further request', async () => {
    const service = new ControlledService();
    const stop = new AbortController();
    const writing = at(service, { cancelled: stop.signal }).write(posts, body);
    await service.respond(response(429, '', { 'retry-after': '25' }));
    stop.abort();

    expect(failureOf(await writing)).toMatchObject({
      code: 'canceled',
      certainty: 'notSent',
    });
    expect(service.requests).toHaveLength(1);
  });

  test('a stopped execution ends a wait that the service did not ask for', async () => {
    const service = new ControlledService();
    const stop = new AbortController();
    const reading = at(service, { cancelled: stop.signal }).read(analytics, period);
    await service.respond(response(500));
    stop.abort();

    expect(failureOf(await reading)).toMatchObject({ code: 'canceled' });
    expect(service.requests).toHaveLength(1);
  });

  test('after the execution was stopped, a failure is returned without a wait', async () => {
    const service = new ControlledService();
    const stop = new AbortController();
    const reading = at(service, { cancelled: stop.signal }).read(analytics, period);
    await settled();
    stop.abort();
    await service.respond(response(500));

    expect(failureOf(await reading)).toMatchObject({ httpCode: 500, certainty: 'failed' });
  });

  test('waits leave no listener on the signal of the execution', async () => {
    const service = new ControlledService();
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...of: Parameters<typeof add>) => {
      if (of[0] === 'abort') listeners++;
      add(...of);
    };
    signal.removeEventListener = (...of: Parameters<typeof remove>) => {
      if (of[0] === 'abort') listeners--;
      remove(...of);
    };
    const reading = at(service, { cancelled: signal }).read(analytics, period);
    await service.respond(response(503));

    expect(listeners).toBe(1);

    await waited();
    await service.respond(ok({ analytics: {} }));
    await reading;

    expect(listeners).toBe(0);
  });
});

describe('at the same time', () => {
  test.each([undefined, 5])(
    'after a wrong key none that waits goes out (%p to keep)',
    async (keep) => {
      const service = new ControlledService();
      const client = at(service, { width: 1, ...(keep === undefined ? {} : { keep }) });
      const all = Array.from({ length: 5 }, () => client.write(posts, body));
      await settled();
      await service.respond(leaving('900', 401));
      const failures = (await Promise.all(all)).map(failureOf);

      expect(service.requests).toHaveLength(1);
      expect(failures.map(({ certainty }) => certainty)).toEqual([
        'refused',
        'notSent',
        'notSent',
        'notSent',
        'notSent',
      ]);
      expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    },
  );

  test('with requests to keep, a wrong key costs one request at any concurrency', async () => {
    const service = new ControlledService();
    const client = at(service, { width: 8, keep: 5 });
    const all = Array.from({ length: 8 }, () => client.write(posts, body));
    await settled();
    await service.respond(leaving('900', 401));

    expect((await Promise.all(all)).map(({ ok: went }) => went)).toEqual(Array(8).fill(false));
    expect(service.requests).toHaveLength(1);
  });

  test('after the execution was stopped, nothing goes out', async () => {
    const service = new ControlledService();
    const stop = new AbortController();
    const client = at(service, { width: 1, cancelled: stop.signal });
    const all = Array.from({ length: 3 }, () => client.write(posts, body));
    await settled();
    stop.abort();
    await service.respond({ responded: false, code: 'ERR_CANCELED', neverSent: false });
    const failures = (await Promise.all(all)).map(failureOf);

    expect(service.requests).toHaveLength(1);
    expect(failures.map(({ certainty }) => certainty)).toEqual(['uncertain', 'notSent', 'notSent']);
  });
});
