import type { Entry } from '../../../nodes/SocialPublishing/idempotency/ledger';
import { describeProgress } from '../../../nodes/SocialPublishing/run/report';

const done = (id?: unknown): Entry => ({
  state: 'done',
  record: id === undefined ? {} : { id },
  quota: {},
});

const uncertain: Entry = { state: 'uncertain' };

test.each<[string, number, Array<[number, Entry]>, string]>([
  ['nothing', 1, [], 'Not created: item 0.'],
  ['nothing of several', 4, [], 'Not created: item 0 to 3.'],
  [
    'all',
    2,
    [
      [0, done(7)],
      [1, done('p-8')],
    ],
    'Created: item 0 (ID 7), item 1 (ID p-8).',
  ],
  [
    'something of each',
    8,
    [
      [1, done(7)],
      [2, uncertain],
      [5, uncertain],
      [6, uncertain],
    ],
    'Created: item 1 (ID 7). May or may not have been created: item 2, 5 to 6. Not created: item 0, 3 to 4, 7.',
  ],
  [
    'items whose answers came in another order',
    3,
    [
      [2, done(5)],
      [0, done(6)],
    ],
    'Created: item 0 (ID 6), item 2 (ID 5). Not created: item 1.',
  ],
  ['a record without an ID', 1, [[0, done()]], 'Created: item 0 (without an ID).'],
  ['a record with an ID that is none', 1, [[0, done({})]], 'Created: item 0 (without an ID).'],
  [
    'what an earlier try wrote for items that are there no more',
    1,
    [
      [0, done(7)],
      [1, done(8)],
    ],
    'Created: item 0 (ID 7).',
  ],
])('of a run that created %s', (_, count, written, expected) => {
  expect(describeProgress('created', count, new Map(written))).toBe(expected);
});

test('says what the operation does', () => {
  const written = new Map([
    [0, done(7)],
    [1, uncertain],
  ]);

  expect(describeProgress('created or updated', 3, written)).toBe(
    'Created or updated: item 0 (ID 7). May or may not have been created or updated: item 1. Not created or updated: item 2.',
  );
});
