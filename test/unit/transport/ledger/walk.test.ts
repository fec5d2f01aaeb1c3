import type { IDataObject } from 'n8n-workflow';

import { EndsFirstWalk, MAX_PAGES } from '../../../../nodes/SocialPublishing/transport/ledger/walk';
import { succeeded } from '../../../../nodes/SocialPublishing/transport/outcome';

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
] as const)('sees all of %s', async (_, count, total, cap, requests) => {
  const { walk, offsets } = walkThrough(records(count), total, cap);
  await walk.run(always);
  expect(walk.complete).toBe(true);
  expect(walk.records).toHaveLength(count);
  expect(offsets).toHaveLength(requests);
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
  const walk = new EndsFirstWalk(() =>
    Promise.resolve(succeeded({ records: records(100), limit: 100, total: undefined }, {})),
  );
  await walk.run(always);
  expect(walk.complete).toBe(false);
});
