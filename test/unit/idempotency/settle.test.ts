import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { type OpenWrite, settle } from '../../../nodes/SocialPublishing/idempotency/settle';

const T0 = Date.UTC(2035, 0, 1);
const at = (minute: number): string => new Date(T0 + minute * 60_000).toISOString();
const NOW = Date.UTC(2026, 10, 21);

const open = (item: number, minute: number | undefined, since = NOW): OpenWrite => ({
  item,
  workspaceId: 1,
  scheduledAt: minute === undefined ? undefined : at(minute),
  since,
});

const post = (id: number, minute: number, createdAt = NOW, workspaceId = 1): IDataObject => ({
  id,
  workspaceId,
  status: 'scheduled',
  scheduledAt: at(minute),
  createdAt: new Date(createdAt).toISOString(),
});

const find = (writes: OpenWrite[], posts: IDataObject[], accounted: number[] = [], begin = NOW) =>
  Object.fromEntries(
    [...settle(writes, { posts, accounted: new Set(accounted), begin })].map(([item, finding]) => [
      item,
      finding.kind === 'found' ? finding.post.id : finding.kind,
    ]),
  );

test('one post for the time of one write is its result', () => {
  expect(find([open(0, 5)], [post(12, 5), post(13, 6)])).toEqual({ 0: 12 });
});

test('times are compared as moments, not as texts', () => {
  const other = { ...post(12, 5), scheduledAt: '2035-01-01T01:05:00+01:00' };
  expect(find([open(0, 5)], [other])).toEqual({ 0: 12 });
});

test('a time that is no text is no time', () => {
  // 2035 alone would be read as the first moment of that year.
  expect(find([open(0, 0)], [{ ...post(12, 0), scheduledAt: 2035 }])).toEqual({ 0: 'absent' });
});

test('no post for the time is told apart from a time that is not known', () => {
  expect(find([open(0, 5), open(1, undefined)], [post(12, 6, NOW - 1)])).toEqual({
    0: 'absent',
    1: 'unknown',
  });
});

test('a post of another workspace, or one that is the result of another item, does not count', () => {
  expect(find([open(0, 5)], [post(12, 5, NOW, 2)])).toEqual({ 0: 'absent' });
  expect(find([open(0, 5)], [post(12, 5)], [12])).toEqual({ 0: 'absent' });
});

test('a post that was created before the write was sent does not count', () => {
  expect(find([open(0, 5, NOW)], [post(12, 5, NOW - 1)])).toEqual({ 0: 'absent' });
  expect(find([open(0, 5, NOW)], [post(12, 5, NOW - 1), post(13, 5, NOW)])).toEqual({ 0: 13 });
});

test('as many posts as writes of a time are their results, in the order of sending', () => {
  const writes = [open(0, 5, NOW + 20), open(1, 5, NOW)];
  expect(find(writes, [post(12, 5, NOW + 30), post(13, 5, NOW + 10)])).toEqual({ 0: 12, 1: 13 });
});

test('fewer or more posts than writes settle nothing', () => {
  expect(find([open(0, 5), open(1, 5)], [post(12, 5)])).toEqual({ 0: 'tooFew', 1: 'tooFew' });
  expect(find([open(0, 5)], [post(12, 5), post(13, 5)])).toEqual({ 0: 'tooMany' });
});

test('a post that is older than the write that it would fall to settles nothing', () => {
  const writes = [open(0, 5, NOW), open(1, 5, NOW + 20)];
  const posts = [post(12, 5, NOW + 5), post(13, 5, NOW + 10)];

  expect(find(writes, posts)).toEqual({ 0: 'tooMany', 1: 'tooMany' });
});

test('more posts than writes settle nothing, also where some are older than the execution', () => {
  const posts = [post(12, 5, NOW - 50), post(13, 5, NOW + 1)];

  expect(find([open(0, 5, NOW - 100)], posts)).toEqual({ 0: 'tooMany' });
});

test('somebody else who schedules for the time of one write makes what is found of others doubtful', () => {
  const writes = [open(0, 5), open(1, 6), open(2, 7)];
  const posts = [post(12, 5), post(13, 5), post(14, 6)];
  const findings = settle(writes, { posts, accounted: new Set(), begin: NOW });

  expect(findings.get(0)).toEqual({ kind: 'tooMany', posts: [posts[0], posts[1]] });
  expect(findings.get(1)).toEqual({ kind: 'tooMany', posts: [posts[2]] });
  expect(findings.get(2)).toEqual({ kind: 'absent' });
});

test('what was created in the moment in which the execution began is a sign of somebody else', () => {
  const posts = [post(10, 1), post(11, 1, NOW), post(12, 5, NOW + 9)];

  expect(find([open(0, 5, NOW)], posts, [10])).toEqual({ 0: 'tooMany' });
});

test('somebody else who schedules for a time of this run makes every result doubtful', () => {
  const posts = [post(10, 1), post(11, 1, NOW + 5), post(12, 5, NOW + 9)];
  expect(find([open(0, 5, NOW)], posts, [10])).toEqual({ 0: 'tooMany' });
  // What was there before the run began is no sign of it.
  const older = [post(9, 1, NOW - 60_000), post(10, 1), post(12, 5, NOW + 9)];
  expect(find([open(0, 5, NOW)], older, [10])).toEqual({ 0: 12 });
});

/** A run: for each item its minute, whether its outcome is open, and whether the service acted on it. */
const runs = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 6 }),
    isOpen: fc.boolean(),
    exists: fc.boolean(),
    sentAt: fc.integer({ min: 0, max: 1000 }),
    delay: fc.integer({ min: 0, max: 100 }),
  }),
  { maxLength: 12 },
);

const others = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 6 }),
    createdAt: fc.integer({ min: -1000, max: -1 }),
  }),
  { maxLength: 8 },
);

test('without others during the run, what is found exists for that time, each post once, and what is absent does not', () => {
  fc.assert(
    fc.property(runs, others, (items, before) => {
      let id = 0;
      const posts = before.map(({ minute, createdAt }) => post(++id, minute, NOW + createdAt));
      const ownIds = new Map<number, number>();
      for (const [item, one] of items.entries()) {
        if (one.isOpen && !one.exists) continue;
        ownIds.set(item, ++id);
        posts.push(post(id, one.minute, NOW + one.sentAt + one.delay));
      }
      const isOpen = (item: number) => items[item]!.isOpen;
      const accounted = [...ownIds].filter(([item]) => !isOpen(item)).map(([, own]) => own);
      const writes = items.flatMap((one, item) =>
        one.isOpen ? [open(item, one.minute, NOW + one.sentAt)] : [],
      );
      const findings = settle(writes, { posts, accounted: new Set(accounted), begin: NOW });

      const found: unknown[] = [];
      for (const [item, finding] of findings) {
        const { minute } = items[item]!;
        if (finding.kind === 'found') {
          found.push(finding.post.id);
          expect(finding.post.scheduledAt).toBe(at(minute));
          // It is a post of this run and time that no item had as its result.
          const own = [...ownIds].find(([, ownId]) => ownId === finding.post.id);
          expect(own).toBeDefined();
          expect(items[own![0]]).toMatchObject({ minute, isOpen: true });
        }
        if (finding.kind === 'absent') expect(ownIds.has(item)).toBe(false);
      }
      expect(new Set(found).size).toBe(found.length);
    }),
    { numRuns: 1000 },
  );
});

test('open writes of times of their own are all settled, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (exist) => {
      const posts = exist.flatMap((exists, item) => (exists ? [post(100 + item, item)] : []));
      const writes = exist.map((_, item) => open(item, item));

      expect(find(writes, posts)).toEqual(
        Object.fromEntries(exist.map((exists, item) => [item, exists ? 100 + item : 'absent'])),
      );
    }),
  );
});
