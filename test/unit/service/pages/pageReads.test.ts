import {
  type PageRead,
  PageReads,
} from '../../../../nodes/SocialPublishing/service/pages/pageReads';

let clock = 0;

type Id = number | null | undefined;

/** A page with posts of these IDs, read after those before it unless it says when. */
const page = (
  offset: number,
  ids: Id[],
  total?: number,
  times: Pick<PageRead, 'asked' | 'came'> = { asked: ++clock, came: ++clock },
): PageRead => ({ offset, records: ids.map((id) => ({ id: id as number })), total, ...times });

const from = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

const readsOf = (...pages: PageRead[]): PageReads => {
  const reads = new PageReads();
  for (const one of pages) reads.add(one);
  return reads;
};

/** The offsets of the two pages of each gap. */
const gapsOf = (reads: PageReads, toTheEnd = false) =>
  reads.gaps(toTheEnd).map(({ before, after }) => [before.offset, after.offset]);

describe('what has been read', () => {
  test('counts each ID once, and each post without one', () => {
    const reads = readsOf(page(0, [1, 2, null, undefined]), page(4, [2, 3, null, undefined]));

    expect(reads.count).toBe(7);
  });

  test('counts a post once that was changed meanwhile', () => {
    const changed = page(1, [1]);
    const records = changed.records.map((record) => ({ ...record, content: 'Changed' }));

    expect(readsOf(page(0, [1]), { ...changed, records }).count).toBe(1);
  });

  test('counts of a page that was read again what is new', () => {
    const reads = readsOf(page(0, [1, 2, null]), page(3, [5]));
    reads.mend(page(1, [2, null, 3, 4, 5]));
    reads.mend(page(1, [3]));

    expect(reads.count).toBe(6);
  });

  test('has the highest total of all pages', () => {
    expect(readsOf(page(0, [1])).highestTotal).toBeUndefined();
    expect(readsOf(page(0, [1], 3), page(1, [2], 5), page(2, [3], 4)).highestTotal).toBe(5);
  });

  test.each([
    [[undefined, undefined], false],
    [[5, undefined], false],
    [[5, 5], false],
    [[5, 4], true],
  ])('with the totals %j says that the list has moved: %p', (totals, moved) => {
    expect(readsOf(...totals.map((total, index) => page(index, [index], total))).hasMoved).toBe(
      moved,
    );
  });

  test('tells the page that came last, whichever was added last', () => {
    const last = page(0, [1], 3, { asked: 1, came: 9 });

    expect(readsOf(last, page(1, [2], 3, { asked: 2, came: 8 })).latest).toBe(last);
    expect(readsOf(page(1, [2], 3, { asked: 2, came: 8 }), last).latest).toBe(last);
  });
});

describe('whether the whole list was read, by a number of posts that is', () => {
  test.each([
    ['as many as there are', [page(0, [1, 2], 2)], 0, true],
    ['fewer', [page(0, [1, 2], 3)], 0, false],
    ['as many as there are from the offset on', [page(4, [5, 6], 6)], 4, true],
    ['unknown to be enough, as no total is told', [page(0, [1, 2])], 0, false],
    ['as many as there were at most', [page(0, [1, 2], 2), page(2, [3], 3)], 0, true],
    [
      'as many, when some were added and the total then stayed',
      [page(0, [1], 2), page(1, [2], 3), page(2, [3], 3)],
      0,
      true,
    ],
    ['as many, when some were removed', [page(0, [1, 2], 3), page(1, [3], 2)], 0, false],
    [
      'as many, when it is not certain which total was first',
      [page(0, [1, 2], 3, { asked: 1, came: 4 }), page(2, [3], 2, { asked: 2, came: 3 })],
      0,
      true,
    ],
  ])('%s', (_, pages, offset, whole) => {
    expect(readsOf(...pages).isWhole(offset)).toBe(whole);
  });
});

describe('whether posts may be missing between two pages', () => {
  test.each([
    ['that do not meet', [page(0, from(1, 5), 20), page(6, from(7, 5), 20)], true],
    ['that meet', [page(0, from(1, 5), 20), page(5, from(6, 5), 20)], false],
    ['that meet, where no total is told', [page(0, [1]), page(1, [2])], false],
    ['that meet, where the first tells no total', [page(0, [1]), page(1, [2], 20)], false],
    ['that meet, where the second tells no total', [page(0, [1], 20), page(1, [2])], false],
    ['between which posts were removed', [page(0, [1], 20), page(1, [2], 19)], true],
    ['between which posts were added', [page(0, [1], 20), page(1, [2], 21)], false],
    ['that share a post', [page(0, [1, 2], 20), page(2, [2, 3], 19)], false],
    ['that share a post and do not meet', [page(0, [1, 2], 20), page(5, [2, 3], 20)], false],
  ])('%s', (_, pages, missing) => {
    expect(gapsOf(readsOf(...pages))).toEqual(missing ? [[0, pages[1]!.offset]] : []);
  });

  test('with a higher total in the second, once posts were added and removed', () => {
    const pages = [page(40, [5], 50), page(50, [6], 49), page(0, [1], 49), page(1, [2], 51)];

    expect(gapsOf(readsOf(...pages))).toContainEqual([0, 1]);
  });

  test('not with a higher total in the second, while posts were only removed', () => {
    const pages = [page(1, [2], 50), page(40, [5], 49), page(0, [1], 49)];

    expect(gapsOf(readsOf(...pages))).toEqual([[1, 40]]);
  });

  test('not where a page that was read again shares a post with both', () => {
    const reads = readsOf(page(0, [1, 2], 20), page(2, [4, 5], 19));
    reads.mend(page(1, [2, 3, 4], 19));

    expect(gapsOf(reads)).toEqual([]);
  });

  test('not where one of the six pages before shares a post', () => {
    const holes = (count: number) => from(1, count).map((n) => page(10 * n, [10 * n], 999));
    const sharing = [page(0, [7], 999), ...holes(5), page(60, [7], 999)];
    const tooFar = [page(0, [7], 999), ...holes(6), page(70, [7], 999)];

    expect(gapsOf(readsOf(...sharing))).not.toContainEqual([50, 60]);
    expect(gapsOf(readsOf(...tooFar))).toContainEqual([60, 70]);
  });

  test('begins behind the page that reaches furthest', () => {
    const pages = [page(0, from(1, 10), 50), page(2, from(3, 3), 50), page(20, [21], 50)];

    expect(gapsOf(readsOf(...pages))).toEqual([[0, 20]]);
  });

  test('an empty page proves nothing and misses nothing', () => {
    expect(gapsOf(readsOf(page(0, [1], 9), page(5, [], 9)))).toEqual([]);
  });
});

describe('whether posts may be missing at the end', () => {
  const moved = [page(0, from(1, 5), 9), page(4, from(5, 4), 10)];

  test.each([
    ['as in a list that moved and was not read to its end', moved, true, [[4, 8]]],
    ['unless the end is not asked for', moved, false, []],
    ['unless the list stood still', [page(0, from(1, 5), 9)], true, []],
    ['unless the end was read', [...moved, page(8, [9, 10], 10)], true, []],
  ])('%s', (_, pages, toTheEnd, gaps) => {
    expect(gapsOf(readsOf(...pages), toTheEnd)).toEqual(gaps);
  });

  test('by the total that came last', () => {
    const [end] = readsOf(...moved).gaps(true);

    expect(end?.after).toMatchObject({ offset: 8, records: [], total: 10 });
  });
});

describe('the order of the list', () => {
  const idsOf = (reads: PageReads) => reads.inOrder().map(({ id }) => id);

  test('is that of the offsets, whichever page came first', () => {
    expect(idsOf(readsOf(page(2, [3, 4]), page(0, [1, 2])))).toEqual([1, 2, 3, 4]);
  });

  test('has no ID twice, and all posts without one', () => {
    expect(idsOf(readsOf(page(0, [1, 2, null]), page(2, [2, null, 3])))).toEqual([
      1,
      2,
      null,
      null,
      3,
    ]);
  });

  test('takes a post that was pushed between two others from the page that shows it there', () => {
    expect(idsOf(readsOf(page(0, [1, 2, 4]), page(2, [2, 3, 4, 5])))).toEqual([1, 2, 3, 4, 5]);
  });

  test.each([
    ['behind the post that it follows', [2, 3, 4], [1, 2, 3, 4, 5]],
    ['behind the last', [5, 6], [1, 2, 4, 5, 6]],
    ['before the one that follows it', [0, 1], [0, 1, 2, 4, 5]],
    ['in a row', [7, 8, 4], [1, 2, 7, 8, 4, 5]],
    ['at the end when nothing tells where', [7, 8], [1, 2, 4, 5, 7, 8]],
    ['nowhere when it is known', [4, 5], [1, 2, 4, 5]],
  ])('puts what was read again %s', (_, again, order) => {
    const reads = readsOf(page(0, [1, 2]), page(2, [4, 5]));
    reads.mend(page(1, again));

    expect(idsOf(reads)).toEqual(order);
  });

  test('holds for several pages that were read again', () => {
    const reads = readsOf(page(0, [1, 2]), page(2, [6, 7]));
    for (const ids of [
      [2, 3],
      [3, 4, 6],
      [5, 6],
    ])
      reads.mend(page(1, ids));

    expect(idsOf(reads)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
