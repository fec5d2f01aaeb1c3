import type { IDataObject } from 'n8n-workflow';

import { EndsFirstWalk, MAX_PAGES } from '../../../nodes/SocialPublishing/idempotency/walk';
import { failed, succeeded } from '../../../nodes/SocialPublishing/service/outcome';

const records = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    createdAt: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
  }));

/** A walk through a list, with the offsets that it requests. */
function walkThrough(list: IDataObject[], total: number | 'none' = list.length, cap = 100) {
  const offsets: number[] = [];
  const walk = new EndsFirstWalk((offset, limit) => {
    offsets.push(offset);
    const page = list.slice(offset, offset + Math.min(limit, cap));
    return Promise.resolve(
      succeeded({ records: page, limit: cap, total: total === 'none' ? undefined : total }, {}),
    );
  });
  return { walk, offsets };
}

const always = () => true;

test('takes the first page and the last one, then those between from the newer end', async () => {
  const oldestFirst = walkThrough(records(450));
  await oldestFirst.walk.run(always);
  expect(oldestFirst.offsets).toEqual([0, 400, 300, 200, 100]);

  const newestFirst = walkThrough(records(450).reverse());
  await newestFirst.walk.run(always);
  expect(newestFirst.offsets).toEqual([0, 400, 100, 200, 300]);
  expect(newestFirst.walk).toMatchObject({ complete: true });
  expect(newestFirst.walk.records).toHaveLength(450);
});

test.each([1, 2])('ends after %i pages when nothing is looked for any more', async (pages) => {
  const { walk, offsets } = walkThrough(records(450));
  await walk.run(() => offsets.length < pages);
  expect(offsets).toHaveLength(pages);
  expect(walk.complete).toBe(false);
});

test.each([
  ['an empty list', 0, 0, 100, 1],
  ['one page that is not full', 30, 30, 100, 1],
  ['no total', 250, 'none', 100, 4],
  ['a lower page cap', 100, 100, 40, 3],
  ['a total that is too low, at the end of a page', 250, 100, 100, 4],
  ['a total that is too low, at the end of a later page', 450, 300, 100, 6],
] as const)('sees all of %s', async (_, count, total, cap, requests) => {
  const { walk, offsets } = walkThrough(records(count), total, cap);
  await walk.run(always);
  expect(walk.complete).toBe(true);
  expect(walk.records).toHaveLength(count);
  expect(offsets).toHaveLength(requests);
});

test('sees all where the service names neither a total nor how long its pages are', async () => {
  const list = records(100);
  const walk = new EndsFirstWalk((offset) =>
    Promise.resolve(
      succeeded(
        { records: list.slice(offset, offset + 40), limit: undefined, total: undefined },
        {},
      ),
    ),
  );
  await walk.run(always);

  expect(walk).toMatchObject({ complete: true, records: list });
});

test('sees all records without an id', async () => {
  const named = records(250).map(({ createdAt }) => ({ createdAt }));
  const { walk } = walkThrough(named);
  await walk.run(always);

  expect(walk).toMatchObject({ complete: true });
  expect(walk.records).toHaveLength(250);
});

test('a record without a time does not hide which end is newer', async () => {
  const list = records(450);
  delete list.at(-1)!.createdAt;
  const { walk, offsets } = walkThrough(list);
  await walk.run(always);

  expect(offsets).toEqual([0, 400, 300, 200, 100]);
});

test('an empty first page ends it, whatever the total says', async () => {
  const { walk, offsets } = walkThrough([], 250);
  await walk.run(always);

  expect(offsets).toEqual([0]);
  expect(walk.complete).toBe(false);
});

test.each([1, 2])(
  'without a total, ends after %i pages when nothing is looked for any more',
  async (pages) => {
    const { walk, offsets } = walkThrough(records(450), 'none');
    await walk.run(() => offsets.length < pages);

    expect(offsets).toHaveLength(pages);
    expect(walk.complete).toBe(false);
  },
);

describe.each([
  ['with a total', 450],
  ['without one', undefined],
])('%s, a request that fails', (_, total) => {
  const failure = { message: 'No', description: 'Look.', certainty: 'failed' } as const;

  test.each([1, 2, 3])('as number %i breaks the walk off', async (number) => {
    const list = records(450);
    let requests = 0;
    const walk = new EndsFirstWalk((offset, limit) => {
      const page = { records: list.slice(offset, offset + limit), limit: 100, total };
      const quota = { remaining: String(1000 - requests) };
      return Promise.resolve(++requests === number ? failed(failure) : succeeded(page, quota));
    });
    await walk.run(always);

    expect(walk).toMatchObject({ complete: false, failure });
    expect(requests).toBe(number);
    // The quota is that of the last response: none came, or that of the request before.
    expect(walk.quota).toEqual(number === 1 ? {} : { remaining: String(1002 - number) });
  });
});

test('a total that is too high, or more pages than are requested, leave it incomplete', async () => {
  const tooHigh = walkThrough(records(150), 170);
  await tooHigh.walk.run(always);
  expect(tooHigh.walk.complete).toBe(false);

  const many = walkThrough(records(100 * (MAX_PAGES + 1)));
  await many.walk.run(always);
  expect(many.walk.complete).toBe(false);
  expect(many.offsets).toHaveLength(MAX_PAGES);
});

test('a service that ignores the offset is not asked for ever', async () => {
  let requests = 0;
  const walk = new EndsFirstWalk(() => {
    requests++;
    return Promise.resolve(succeeded({ records: records(100), limit: 100, total: undefined }, {}));
  });
  await walk.run(always);
  expect(walk.complete).toBe(false);
  expect(requests).toBe(2);
});
