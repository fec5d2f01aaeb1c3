import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { page as pageReader } from '../../../../nodes/SocialPublishing/service/http/body';
import { failed, type Failure } from '../../../../nodes/SocialPublishing/service/outcome';
import {
  type FetchPage,
  requestsFor,
  type Walk,
  walkPages,
} from '../../../../nodes/SocialPublishing/service/pages';
import { response } from '../responses';

/** `LISTS=1000 npx jest test/unit/service/pages` reads more of them. */
const LISTS = Number(process.env.LISTS ?? 150);

interface ListOptions {
  /** The longest page. */
  cap?: number;
  /** What `limit` in the answer says: the page size that holds, what was asked for, or nothing. */
  limit?: 'held' | 'asked' | 'none';
  /** What `total` in the answer says, by the number of records at the moment. */
  total?: (length: number) => unknown;
  /** How many turns of the event loop an answer takes. */
  turns?: (offset: number) => number;
  /** Called before the request with this number, from 1, is answered. */
  before?: (request: number) => void;
}

const readPage = (body: IDataObject) => pageReader(response(200, JSON.stringify(body)), 'posts')!;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A list as the service pages it, and what it was asked for. */
class PagedList {
  readonly requests: Array<[offset: number, limit: number]> = [];

  underWay = 0;

  mostUnderWay = 0;

  constructor(
    readonly records: IDataObject[],
    readonly options: ListOptions = {},
  ) {}

  readonly fetch: FetchPage = async (offset, limit) => {
    const number = this.requests.push([offset, limit]);
    this.underWay++;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
    const turns = this.options.turns?.(offset) ?? 1;
    for (let count = 0; count < turns; count++) await turn();
    this.options.before?.(number);
    const body = this.page(offset, limit);
    this.underWay--;
    return { ok: true, value: readPage(body), quota: { remaining: String(1000 - number) } };
  };

  protected page(offset: number, limit: number): IDataObject {
    const {
      cap = Infinity,
      limit: named = 'held',
      total = (length: number) => length,
    } = this.options;
    const held = Math.min(limit, cap);
    return {
      posts: this.records.slice(offset, offset + held),
      total: total(this.records.length) as IDataObject,
      ...(named === 'none' ? {} : { limit: named === 'held' ? held : limit }),
      offset,
    };
  }
}

/** A service that answers every offset with its first page. */
class DeafToOffset extends PagedList {
  protected override page(_offset: number, limit: number): IDataObject {
    return super.page(0, limit);
  }
}

const postsFrom = (from: number, to: number): IDataObject[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));

const posts = (count: number) => postsFrom(1, count);

const numbers = (from: number, to: number) => postsFrom(from, to).map(({ id }) => id);

const all: Walk = { offset: 0, limit: Infinity, pageSize: 100, concurrency: 8 };

const broken: Failure = {
  code: 'noResponse',
  message: 'It broke',
  description: 'Again.',
  certainty: 'failed',
};

/** The records that a walk gives. */
async function walked(list: PagedList, walk: Partial<Walk> = {}): Promise<IDataObject[]> {
  const outcome = await walkPages(list.fetch, { ...all, ...walk });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

const idsOf = async (list: PagedList, walk: Partial<Walk> = {}) =>
  (await walked(list, walk)).map(({ id }) => id);

const unknown = () => undefined;

test.each([
  [0, 1],
  [100, 1],
  [101, 2],
  [199, 2],
  [200, 3],
  [1000, 11],
])('%i posts take %i requests, as requestsFor says', async (count, requests) => {
  const list = new PagedList(posts(count));
  await walked(list);

  expect(list.requests).toHaveLength(requests);
  expect(requestsFor(count)).toBe(requests);
});

describe('a wrong total', () => {
  test('because it is far too large wastes no more than one request for each lane', async () => {
    const list = new PagedList(posts(1234), { total: () => 1_000_000_000 });

    expect(await idsOf(list, { concurrency: 8 })).toEqual(numbers(1, 1234));
    expect(list.requests.length).toBeLessThanOrEqual(15 + 7);
  });

  test('because it grows with each answer ends with the list', async () => {
    let seen = 0;
    const list = new PagedList(posts(1234), { total: () => (seen += 100) + 1 });

    expect(await idsOf(list, { concurrency: 1 })).toEqual(numbers(1, 1234));
    expect(list.requests.length).toBeLessThanOrEqual(18);
  });

  test('because it is missing costs no request more where the page is shorter than its named size', async () => {
    const list = new PagedList(posts(34), { cap: 50, total: unknown });

    expect(await idsOf(list)).toEqual(numbers(1, 34));
    expect(list.requests).toHaveLength(1);
  });

  test('because it is missing is found out one page after the other', async () => {
    const list = new PagedList(posts(1234), { total: unknown });

    await walked(list);

    expect(list.mostUnderWay).toBe(1);
  });
});

describe('a service that answers every offset with its first page', () => {
  test.each([
    ['a total', posts(1234), undefined],
    ['no total', posts(1234), unknown],
    ['records without an id', numbers(1, 1234).map((name) => ({ name })), unknown],
  ])('and with %s is asked once more, and a hint says so', async (_, records, total) => {
    const list = new DeafToOffset(records, total === undefined ? {} : { total });
    const outcome = await walkPages(list.fetch, { ...all, concurrency: 1 });

    expect(outcome).toMatchObject({ ok: true, value: records.slice(0, 100), complete: false });
    expect(outcome).toHaveProperty('hint', expect.any(String));
    expect(list.requests).toHaveLength(2);
  });

  test.each([0, 1])(
    'is not called complete where the second page would reach the total (%i added)',
    async (added) => {
      const list: DeafToOffset = new DeafToOffset(posts(199 - added), {
        before: (request) => {
          if (request === 2) list.records.unshift(...postsFrom(1001, 1000 + added));
        },
      });

      expect(await walkPages(list.fetch, all)).toMatchObject({ ok: true, complete: false });
    },
  );

  test('while posts are added is not called complete', async () => {
    let last = 2000;
    const list: DeafToOffset = new DeafToOffset(posts(1234), {
      before: () => list.records.unshift({ id: ++last }),
    });

    expect(await walkPages(list.fetch, all)).toMatchObject({ ok: true, complete: false });
    expect(list.requests.length).toBeLessThanOrEqual(9);
  });
});

/** A service that ignores the limit. */
class OwnSteps extends PagedList {
  protected override page(offset: number): IDataObject {
    return super.page(offset, 250);
  }
}

test.each([{}, { limit: 100 }, { limit: 120 }, { offset: 900, limit: 250 }, { offset: 5000 }])(
  'a walk that gives all that is wanted has no hint: %j',
  async (walk) => {
    const outcome = await walkPages(new PagedList(posts(1234)).fetch, { ...all, ...walk });

    expect(outcome.ok).toBe(true);
    expect(outcome).toMatchObject({ complete: true });
    expect(outcome).not.toHaveProperty('hint');
  },
);

test('a service that ignores the limit gives no more than is wanted', async () => {
  const list = new OwnSteps(posts(1234));

  expect(await idsOf(list, { limit: 120 })).toEqual(numbers(1, 120));
  expect(list.requests).toHaveLength(1);
});

test('a service that ignores the limit sets the page size', async () => {
  const list = new OwnSteps(posts(1234));

  expect(await idsOf(list)).toEqual(numbers(1, 1234));
  expect(list.requests.map(([offset]) => offset)).toEqual([0, 249, 498, 747, 996]);
});

describe('posts that are added during the walk', () => {
  test.each([1, 20])(
    'at the front, %i of them, are made up for where a limit is wanted',
    async (added) => {
      const list: PagedList = new PagedList(posts(1234), {
        before: (request) => {
          if (request === 2) list.records.unshift(...postsFrom(10_001, 10_000 + added));
        },
      });
      const outcome = await walkPages(list.fetch, { ...all, limit: 120 });

      expect(outcome).toMatchObject({ ok: true, value: posts(120) });
      expect(outcome).toMatchObject({ complete: true });
      expect(outcome).not.toHaveProperty('hint');
      expect(list.requests).toEqual([
        [0, 100],
        [99, 21],
        [119, added + 1],
      ]);
    },
  );

  test('at the front before each page: not mistaken for a service that ignores the offset', async () => {
    const list: PagedList = new PagedList(posts(700), {
      before: (request) => {
        if (request > 1 && request < 5) {
          list.records.unshift(...postsFrom(10_000 * request, 10_000 * request + 99));
        }
      },
    });

    const ids = await idsOf(list, { concurrency: 1 });

    expect(ids.filter((id) => Number(id) < 10_000)).toEqual(numbers(1, 700));
  });

  test('at the end are found', async () => {
    const list: PagedList = new PagedList(posts(250), {
      before: (request) => {
        if (request === 2) list.records.push(...postsFrom(251, 460));
      },
    });

    expect(await idsOf(list)).toEqual(numbers(1, 460));
    expect(list.requests).toHaveLength(5);
  });
});

describe('posts that are removed during the walk', () => {
  test('posts removed so that fewer pages are left: ends at the first empty page', async () => {
    const list: PagedList = new PagedList(posts(1234), {
      before: (request) => {
        if (request === 2) list.records.splice(300);
      },
    });

    expect(await idsOf(list, { concurrency: 1 })).toEqual(numbers(1, 300));
    expect(list.requests).toEqual([
      [0, 100],
      [99, 100],
      [198, 100],
      [297, 100],
      // Planned for the 1,234 posts that there were.
      [396, 100],
    ]);
  });
});

test('a total that rises although no more are listed is a hint that posts were added', async () => {
  const list: PagedList = new PagedList(posts(250), {
    total: (length) => (list.requests.length > 1 ? length + 10 : length),
  });
  const outcome = await walkPages(list.fetch, { ...all, concurrency: 1 });

  expect(outcome).toMatchObject({ ok: true, value: posts(250) });
  expect(outcome).toHaveProperty('hint', expect.any(String));
});

test('a list that grows as fast as it is read ends the walk with a hint', async () => {
  let last = 20;
  const list: PagedList = new PagedList(posts(last), {
    before: () => list.records.push({ id: ++last }, { id: ++last }),
  });

  const outcome = await walkPages(list.fetch, { ...all, pageSize: 1 });

  expect(outcome).toHaveProperty('hint', expect.any(String));
  expect(list.requests.length).toBeLessThan(3000);
});

describe('an empty page in the middle', () => {
  const emptyAt = (list: PagedList, times: number, ...offsets: number[]): FetchPage => {
    const left = new Map(offsets.map((offset) => [offset, times]));
    return async (offset, limit, isWanted) => {
      const page = await list.fetch(offset, limit, isWanted);
      const count = left.get(offset) ?? 0;
      left.set(offset, count - 1);
      return count > 0 && page?.ok === true
        ? { ...page, value: { ...page.value, records: [] } }
        : page;
    };
  };

  test('is taken for the end, but the list is not called complete', async () => {
    const list = new PagedList(posts(1234));
    const outcome = await walkPages(emptyAt(list, 1, 396), { ...all, concurrency: 8 });

    expect(outcome).toMatchObject({ ok: true, complete: false });
    expect(outcome).toHaveProperty('hint', expect.any(String));
    expect(list.requests.length).toBeLessThanOrEqual(15);
  });
});

test('a total that is too high has a hint', async () => {
  const list = new PagedList(posts(250), { total: () => 251 });

  expect(await walkPages(list.fetch, all)).toMatchObject({
    ok: true,
    value: posts(250),
    complete: false,
    hint: expect.any(String) as string,
  });
});

test('a post that is on a page twice comes once', async () => {
  expect(await idsOf(new PagedList([{ id: 1 }, { id: 2 }, { id: 1 }]))).toEqual([1, 2]);
});

describe('records whose IDs are not compared', () => {
  test.each<[string, (name: number) => IDataObject]>([
    ['without an id', (name) => ({ name })],
    ['with null as id', (name) => ({ id: null, name })],
    ['with the same ID beyond 2^53', (name) => ({ id: 2 ** 53, name })],
    ['with neighbouring IDs beyond 2^53', (name) => ({ id: 2 ** 53 + name })],
  ])('%s: all come, but are not called complete', async (_, record) => {
    const records = numbers(1, 1234).map((number) => record(Number(number)));
    const list = new PagedList(records, { cap: 50 });
    const outcome = await walkPages(list.fetch, all);

    expect(outcome).toMatchObject({ ok: true, value: records, complete: false });
    expect(outcome).toHaveProperty('hint', expect.any(String));
    expect(list.requests).toHaveLength(26);
  });

  test('are complete if one page has them all', async () => {
    const records = numbers(1, 100).map((name) => ({ name }));
    const outcome = await walkPages(new PagedList(records).fetch, all);

    expect(outcome).toMatchObject({ ok: true, value: records, complete: true });
    expect(outcome).not.toHaveProperty('hint');
  });

  test('come once each among records with IDs', async () => {
    const records = numbers(1, 450).map((id) => (Number(id) % 7 === 0 ? { name: id } : { id }));

    expect(await walkPages(new PagedList(records).fetch, all)).toMatchObject({
      value: records,
      complete: false,
    });
  });

  test('IDs that are texts are compared', async () => {
    const records = numbers(1, 450).map((id) => ({ id: `9007199254740993${Number(id)}` }));

    expect(await walkPages(new PagedList(records).fetch, all)).toMatchObject({
      value: records,
      complete: true,
    });
  });
});

test('from a service with one post per page all posts come, but are not called complete', async () => {
  const list = new PagedList(posts(40), { cap: 1 });
  const outcome = await walkPages(list.fetch, all);

  expect(outcome).toMatchObject({ ok: true, value: posts(40), complete: false });
  expect(list.requests).toHaveLength(40);
});

describe('pages that are shorter than the service said', () => {
  /** Leaves out the records with these ids after a page was cut out of the list. */
  class Filtered extends PagedList {
    constructor(
      records: IDataObject[],
      private readonly hidden: ReadonlySet<unknown>,
      options: ListOptions,
    ) {
      super(records, options);
    }

    protected override page(offset: number, limit: number): IDataObject {
      const page = super.page(offset, limit);
      const shown = (page.posts as IDataObject[]).filter(({ id }) => !this.hidden.has(id));
      return { ...page, posts: shown };
    }
  }

  test('lose no post', async () => {
    const list = new Filtered(posts(1234), new Set([3, 250, 251, 1234]), {});

    expect(await idsOf(list)).toEqual(
      numbers(1, 1234).filter((id) => ![3, 250, 251, 1234].includes(id as number)),
    );
  });
});

test.each([8, 1])(
  'a cap that is lowered in the middle of the walk loses nothing (%i at the same time)',
  async (concurrency) => {
    const list: PagedList = new PagedList(posts(1234), {
      cap: 100,
      before: (request) => {
        if (request > 5) list.options.cap = 30;
      },
    });

    expect(await idsOf(list, { concurrency })).toEqual(numbers(1, 1234));
  },
);

test.each<[string, (length: number) => unknown]>([
  ['with a total', (length) => length],
  ['without a total', unknown],
])('a page size that changes from request to request loses nothing %s', async (_, total) => {
  const list: PagedList = new PagedList(posts(400), {
    total,
    before: (request) => (list.options.cap = [100, 10, 60, 25][request % 4]!),
  });

  expect(await idsOf(list)).toEqual(numbers(1, 400));
});

describe('a failure', () => {
  const failingAt = (list: PagedList, ...offsets: number[]): FetchPage => {
    return async (offset, limit, isWanted) => {
      const page = await list.fetch(offset, limit, isWanted);
      return offsets.includes(offset) ? failed({ ...broken, description: `At ${offset}.` }) : page;
    };
  };

  test('of the first page is the outcome', async () => {
    const list = new PagedList(posts(1234));

    expect(await walkPages(failingAt(list, 0), all)).toEqual(
      failed({ ...broken, description: 'At 0.' }),
    );
    expect(list.requests).toHaveLength(1);
  });

  test('in the middle ends the walk; what is under way is waited for', async () => {
    const list = new PagedList(posts(1234));

    expect(await walkPages(failingAt(list, 396), { ...all, concurrency: 3 })).toEqual(
      failed({ ...broken, description: 'At 396.' }),
    );
    expect(list.requests.length).toBeLessThanOrEqual(7);
    expect(list.underWay).toBe(0);
  });

  test('is the first of several', async () => {
    const list = new PagedList(posts(1234), { turns: (offset) => (offset === 99 ? 9 : 1) });

    expect(await walkPages(failingAt(list, 99, 198, 297), all)).toEqual(
      failed({ ...broken, description: 'At 198.' }),
    );
  });
});

describe('a page that is no longer wanted', () => {
  /** A client that lets later pages wait, and does not ask for them when they are unwanted by then. */
  const waiting = (fetch: FetchPage): FetchPage => {
    return async (offset, limit, isWanted) => {
      for (let count = 0; count < offset / 100; count++) await turn();
      return isWanted() ? await fetch(offset, limit, isWanted) : undefined;
    };
  };

  test('because the list has ended is not asked for', async () => {
    const list = new PagedList(posts(250), { total: () => 1_000_000_000 });
    const outcome = await walkPages(waiting(list.fetch), all);

    expect(outcome).toMatchObject({ ok: true, value: posts(250) });
    // Eight would be under way behind the first page: those behind the third empty one are not asked for.
    expect(list.requests.length).toBeLessThan(9);
  });

  test('because another one failed is not asked for, and that failure is the outcome', async () => {
    const list = new PagedList(posts(1234));
    const fetch: FetchPage = async (offset, limit, isWanted) =>
      offset === 99 ? failed(broken) : await list.fetch(offset, limit, isWanted);

    expect(await walkPages(waiting(fetch), all)).toEqual(failed(broken));
    expect(list.requests).toEqual([[0, 100]]);
  });
});

test('a failure while a part is read again ends the walk', async () => {
  const list: PagedList = new PagedList(posts(1000), {
    before: (request) => {
      if (request === 3 || request === 6) list.records.shift();
    },
  });
  const outcome = await walkPages(
    async (...asked) => {
      const page = await list.fetch(...asked);
      return list.requests.length > 11 ? failed(broken) : page;
    },
    { ...all, concurrency: 1 },
  );

  expect(outcome).toEqual(failed(broken));
  // Ten pages, an empty one for what was removed, and the first of the two places.
  expect(list.requests).toHaveLength(12);
});

test('the quota is the one of the last answer', async () => {
  const outcome = await walkPages(new PagedList(posts(1234)).fetch, { ...all, concurrency: 1 });

  expect(outcome).toMatchObject({ ok: true, quota: { remaining: '987' } });
});

test('any list comes whole, in order and with as few requests as its pages allow', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        length: fc.nat(400),
        cap: fc.integer({ min: 1, max: 150 }),
        offset: fc.nat(420),
        limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 450 })),
        pageSize: fc.integer({ min: 1, max: 150 }),
        concurrency: fc.integer({ min: 1, max: 10 }),
        named: fc.constantFrom('held' as const, 'asked' as const, 'none' as const),
        turns: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
      }),
      async ({ length, cap, offset, limit, pageSize, concurrency, named, turns }) => {
        const list = new PagedList(posts(length), {
          cap,
          limit: named,
          turns: (at) => turns[at % turns.length]!,
        });

        const ids = await idsOf(list, { offset, limit, pageSize, concurrency });

        const wanted = numbers(1, length).slice(offset, offset + limit);
        expect(ids).toEqual(wanted);
        // Each page but the first brings one record that is known already.
        const size = Math.min(cap, Math.max(2, pageSize));
        expect(list.requests).toHaveLength(
          size === 1
            ? Math.max(1, wanted.length)
            : 1 + Math.max(0, Math.ceil((wanted.length - size) / (size - 1))),
        );
        expect(list.mostUnderWay).toBeLessThanOrEqual(concurrency);
      },
    ),
    { numRuns: LISTS },
  );
});

test('any list comes whole and in order without a total', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(300),
      fc.integer({ min: 2, max: 60 }),
      fc.integer({ min: 1, max: 60 }),
      fc.constantFrom('held' as const, 'none' as const),
      async (length, cap, pageSize, limit) => {
        const list = new PagedList(posts(length), { cap, limit, total: unknown });

        expect(await idsOf(list, { pageSize })).toEqual(numbers(1, length));
        const size = Math.min(cap, Math.max(2, pageSize));
        expect(list.requests.length).toBeLessThanOrEqual(
          2 + Math.max(0, Math.ceil((length - size) / (size - 1))),
        );
      },
    ),
    { numRuns: LISTS },
  );
});
