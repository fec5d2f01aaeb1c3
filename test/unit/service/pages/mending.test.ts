import { Mending, type Walked } from '../../../../nodes/SocialPublishing/service/pages/mending';
import {
  type PageRead,
  PageReads,
} from '../../../../nodes/SocialPublishing/service/pages/pageReads';

let clock = 0;

/** A page of ten posts, read after those before it, with IDs that tell where it was read. */
const pageAt = (offset: number, total: number | undefined, name = offset): PageRead => ({
  offset,
  records: Array.from({ length: 10 }, (_, index) => ({ id: `${name}/${index}` })),
  total,
  asked: ++clock,
  came: ++clock,
});

const readsOf = (...pages: PageRead[]): PageReads => {
  const reads = new PageReads();
  for (const page of pages) reads.add(page);
  return reads;
};

/** The windows that are read again, each with what `found` says. */
async function windows(
  reads: PageReads,
  walked: Partial<Walked> = {},
  found: (request: number, offset: number) => Partial<PageRead> = () => ({}),
): Promise<Array<[offset: number, limit: number]>> {
  const asked: Array<[number, number]> = [];
  await new Mending(reads, {
    offset: 0,
    limit: Infinity,
    pageSize: 10,
    concurrency: 1,
    requests: 2,
    read: (offset, limit, keep) => {
      const request = asked.push([offset, limit]);
      const { total } = reads.latest!;
      keep({ ...pageAt(offset, total), records: [], ...found(request, offset) });
      return Promise.resolve(true);
    },
    ...walked,
  }).run();
  return asked;
}

const first = async (reads: PageReads, walked?: Partial<Walked>) =>
  (await windows(reads, walked)).at(0);

describe('what is read again', () => {
  test.each([
    [100, 12],
    [5, 5],
  ])('is a hole, and no more of it than a page of %i', async (pageSize, limit) => {
    expect(await first(readsOf(pageAt(0, 50), pageAt(22, 50)), { pageSize })).toEqual([10, limit]);
  });

  test('is a page around the place where posts were removed, as far as they may have moved', async () => {
    // Three were removed: what stood at 9 stands at 6, and what stands at 10 stays.
    expect(await first(readsOf(pageAt(0, 50), pageAt(10, 47)))).toEqual([4, 10]);
  });

  test('is a page around the place where posts were added, as far as they may have moved', async () => {
    const later = pageAt(10, 50);
    // Three were added after the second page was read: what stood at 10 stands at 13.
    expect(await first(readsOf(later, pageAt(0, 53)))).toEqual([7, 10]);
  });

  test.each([
    ['first', undefined, 150],
    ['second', 150, undefined],
  ])('where the %s page names no total is a page around what is between', async (_, one, other) => {
    const reads = readsOf(pageAt(100, one), pageAt(120, other));

    expect(await first(reads, { pageSize: 40 })).toEqual([95, 40]);
  });

  test('is nothing before the beginning of the walk', async () => {
    const reads = readsOf(pageAt(5, 50), pageAt(15, 47));

    expect(await first(reads, { offset: 11 })).toEqual([11, 10]);
  });

  test('is the end of the list where the walk was to reach it', async () => {
    const reads = () => readsOf(pageAt(0, 12), pageAt(10, 25));

    expect(await first(reads())).toEqual([15, 10]);
    expect(await windows(reads(), { limit: 20 })).toEqual([]);
  });
});

describe('it ends', () => {
  const moved = () => readsOf(pageAt(0, 50), pageAt(10, 47));

  test('when nothing can be missing any more', async () => {
    const joining = () => ({ records: [{ id: '0/9' }, { id: '10/0' }] });

    expect(await windows(moved(), { limit: 20 }, joining)).toHaveLength(1);
  });

  test('at the second time that finds nothing new', async () => {
    expect(await windows(moved(), { limit: 20 })).toHaveLength(2);
  });

  test('not while it finds something new', async () => {
    const found = (request: number) =>
      request < 4 ? { records: [{ id: `new ${request}` }] } : { records: [] };

    expect((await windows(moved(), { limit: 20 }, found)).length).toBeGreaterThan(4);
  });

  test('at a bound: eight requests, and one for each two of the walk', async () => {
    const many = readsOf(...Array.from({ length: 20 }, (_, page) => pageAt(20 * page, 500)));

    expect(await windows(many, { requests: 2 })).toHaveLength(9);
  });

  test('when a page could not be read', async () => {
    let requests = 0;
    const many = readsOf(...Array.from({ length: 20 }, (_, page) => pageAt(20 * page, 500)));
    await windows(many, { read: () => Promise.resolve(++requests < 3) });

    expect(requests).toBe(3);
  });
});
