import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import {
  type OpenPost,
  type Seen,
  settle,
} from '../../../nodes/SocialPublishing/idempotency/settle';

const T0 = Date.UTC(2035, 0, 1);
const NOW = Date.UTC(2026, 10, 21);
const moment = (minute: number): number => T0 + minute * 60_000;

const open = (item: number, minute?: number, more: Partial<OpenPost> = {}): OpenPost => ({
  item,
  moment: minute === undefined ? undefined : moment(minute),
  since: NOW,
  isFixed: true,
  isShared: false,
  ...more,
});

const post = (id: number, minute: number, createdAt = NOW, workspaceId = 1): IDataObject => ({
  id,
  workspaceId,
  status: 'scheduled',
  scheduledAt: new Date(moment(minute)).toISOString(),
  createdAt: new Date(createdAt).toISOString(),
});

const seen = (posts: readonly IDataObject[], more: Partial<Seen> = {}): Seen => ({
  workspaceId: 1,
  posts,
  isComplete: true,
  accounted: new Set(),
  openMoments: new Set(),
  startedAt: NOW,
  now: NOW,
  ...more,
});

/** The ID that was found for each item, or what else is said of it. */
const say = (writes: readonly OpenPost[], posts: readonly IDataObject[], more?: Partial<Seen>) =>
  Object.fromEntries(
    [...settle(writes, seen(posts, more))].map(([item, finding]) => [
      item,
      finding.kind === 'found'
        ? finding.post.id
        : finding.kind === 'unclear'
          ? finding.why
          : finding.kind,
    ]),
  );

describe('a post is found', () => {
  test('when it is the only one for the time of the only open one', () => {
    expect(say([open(0, 5)], [post(12, 5), post(13, 8)])).toEqual({ 0: 12 });
  });

  test('by its moment, however that is written', () => {
    const other = { ...post(12, 5), scheduledAt: '2035-01-01T01:05:00+01:00' };
    expect(say([open(0, 5)], [other])).toEqual({ 0: 12 });
  });

  test('when it was created in the moment of the sending, and not before', () => {
    expect(say([open(0, 5)], [post(12, 5, NOW)])).toEqual({ 0: 12 });
    expect(say([open(0, 5)], [post(12, 5, NOW - 1)])).toEqual({ 0: 'otherPosts' });
  });

  test('beside one that existed more than a second before the sending', () => {
    expect(say([open(0, 5)], [post(12, 5, NOW - 1001), post(13, 5)])).toEqual({ 0: 13 });
    expect(say([open(0, 5)], [post(12, 5, NOW - 1000), post(13, 5)])).toEqual({ 0: 'otherPosts' });
  });

  test('beside one that is the result of something else', () => {
    expect(say([open(0, 5)], [post(12, 5), post(13, 5)], { accounted: new Set([12]) })).toEqual({
      0: 13,
    });
  });

  test('with as many of its time as were sent, in the order of sending and creation', () => {
    const writes = [open(0, 5, { since: NOW + 20 }), open(1, 5)];
    expect(say(writes, [post(12, 5, NOW + 30), post(13, 5, NOW + 10)])).toEqual({ 0: 12, 1: 13 });
    const atOnce = [open(1, 5), open(0, 5)];
    expect(say(atOnce, [post(13, 5), post(12, 5)])).toEqual({ 0: 12, 1: 13 });
  });

  test('when its time has passed, or is another on each try', () => {
    const writes = [open(0, 5, { isFixed: false })];
    expect(say(writes, [post(12, 5)], { now: moment(6) })).toEqual({ 0: 12 });
  });
});

describe('a post is not taken for an open one', () => {
  test('with fewer or more for its time than were sent', () => {
    expect(say([open(0, 5), open(1, 5)], [post(12, 5)])).toEqual({
      0: 'fewerPosts',
      1: 'fewerPosts',
    });
    expect(say([open(0, 5)], [post(12, 5), post(13, 5)])).toEqual({ 0: 'otherPosts' });
  });

  test('that is older than the sending that it would fall to', () => {
    const writes = [open(0, 5), open(1, 5, { since: NOW + 20 })];
    expect(say(writes, [post(12, 5, NOW + 5), post(13, 5, NOW + 10)])).toEqual({
      0: 'otherPosts',
      1: 'otherPosts',
    });
  });

  test('while another node left one open for the same moment', () => {
    const openMoments = new Set([moment(5)]);
    expect(say([open(0, 5), open(1, 6)], [post(12, 5), post(13, 6)], { openMoments })).toEqual({
      0: 'otherNode',
      1: 13,
    });
  });

  test('when another execution has written for its moment', () => {
    expect(say([open(0, 5, { isShared: true })], [post(12, 5)])).toEqual({ 0: 'otherExecution' });
  });

  test('in a list that may have more', () => {
    expect(say([open(0, 5)], [post(12, 5)], { isComplete: false })).toEqual({ 0: 'incomplete' });
  });

  test('of a service that stores seconds: it may be one from before the sending', () => {
    const stored = { ...post(12, 5), createdAt: new Date(NOW).toISOString() };
    expect(say([open(0, 5, { since: NOW + 400 })], [stored])).toEqual({ 0: 'otherPosts' });
  });

  test('when somebody else schedules for the same times', () => {
    // Two for the time of one that was sent once.
    expect(say([open(0, 5), open(1, 6)], [post(12, 5), post(13, 5), post(14, 6)])).toEqual({
      0: 'otherPosts',
      1: 'otherPosts',
    });
    // One more for the time of a result of this execution, created since it began.
    const results = { accounted: new Set([10]) };
    expect(say([open(0, 5)], [post(10, 1), post(11, 1), post(12, 5)], results)).toEqual({
      0: 'otherPosts',
    });
    expect(
      say([open(0, 5)], [post(11, 1, NOW - 60_000), post(10, 1), post(12, 5)], results),
    ).toEqual({ 0: 12 });
    // Where it is not known when the execution began, any may be of somebody else.
    expect(
      say([open(0, 5)], [post(11, 1, NOW - 60_000), post(10, 1), post(12, 5)], {
        ...results,
        startedAt: undefined,
      }),
    ).toEqual({ 0: 'otherPosts' });
  });

  test('the posts that it may be are named', () => {
    const posts = [post(12, 5), post(13, 5)];
    expect(settle([open(0, 5)], seen([...posts, post(14, 9)])).get(0)).toEqual({
      kind: 'unclear',
      why: 'otherPosts',
      posts,
    });
  });
});

describe('nothing is compared', () => {
  test.each<[string, Partial<OpenPost>]>([
    ['for which time it was sent', { moment: undefined }],
    ['when it was sent', { since: undefined }],
  ])('when it is not known %s', (_, unknown) => {
    expect(say([open(0, 5, unknown)], [post(12, 5)])).toEqual({ 0: 'unknownTime' });
    expect(say([open(0, 5, unknown)], [])).toEqual({ 0: 'unknownTime' });
  });

  test.each<[string, IDataObject]>([
    ['has no createdAt', { ...post(12, 9), createdAt: undefined }],
    ['has no scheduledAt', { ...post(12, 9), scheduledAt: null }],
    ['has a time that is no text', { ...post(12, 9), scheduledAt: 2035 }],
    ['is of another workspace', post(12, 9, NOW, 2)],
    ['names its workspace in another way', { ...post(12, 9), workspaceId: '1' }],
  ])('with a list in which a post %s', (_, strange) => {
    expect(say([open(0, 5)], [strange])).toEqual({ 0: 'incomparable' });
    expect(say([open(0, 5)], [strange, post(13, 5)])).toEqual({ 0: 'incomparable' });
  });
});

describe('a post is absent', () => {
  test('when none is near its moment', () => {
    expect(say([open(0, 5)], [])).toEqual({ 0: 'absent' });
    expect(say([open(0, 5)], [post(12, 4), post(13, 6)])).toEqual({ 0: 'absent' });
  });

  test.each<[string, IDataObject, string]>([
    ['shortly before', { ...post(12, 5), scheduledAt: '2035-01-01T00:04:00.031Z' }, 'postNearby'],
    ['shortly after', { ...post(12, 5), scheduledAt: '2035-01-01T00:05:59.999Z' }, 'postNearby'],
    ['cut to the minute', { ...post(12, 5), scheduledAt: '2035-01-01T00:05:00Z' }, 'postNearby'],
  ])('not while there is one %s', (_, near, why) => {
    expect(say([open(0, 5, { moment: moment(5) + 30 })], [near])).toEqual({ 0: why });
  });

  test('beside one near that is older, or the result of something else, or of another open one', () => {
    const near = { ...post(12, 5), scheduledAt: '2035-01-01T00:05:30Z' };
    const older = { ...near, createdAt: new Date(NOW - 1001).toISOString() };
    expect(say([open(0, 5)], [older])).toEqual({ 0: 'absent' });
    expect(say([open(0, 5)], [near], { accounted: new Set([12]) })).toEqual({ 0: 'absent' });
    const other = open(1, undefined, { moment: Date.parse('2035-01-01T00:05:30Z') });
    expect(say([open(0, 5), other], [near])).toEqual({ 0: 'absent', 1: 12 });
  });

  test('not beside one near that was created in the second before the sending', () => {
    const near = { ...post(12, 5, NOW - 1000), scheduledAt: '2035-01-01T00:05:30Z' };
    expect(say([open(0, 5)], [near])).toEqual({ 0: 'postNearby' });
  });

  test('not when its time is another on each try', () => {
    expect(say([open(0, 5, { isFixed: false })], [])).toEqual({ 0: 'changingTime' });
    expect(say([open(0, 5, { isFixed: false }), open(1, 5)], [])).toEqual({
      0: 'changingTime',
      1: 'changingTime',
    });
  });

  test('not in a list that may have more', () => {
    expect(say([open(0, 5)], [], { isComplete: false })).toEqual({ 0: 'incomplete' });
  });

  test('not when its time has passed: it may be published, and gone from the list', () => {
    expect(say([open(0, 5)], [], { now: moment(5) - 1 })).toEqual({ 0: 'absent' });
    expect(say([open(0, 5)], [], { now: moment(5) })).toEqual({ 0: 'timePassed' });
  });
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

const before = fc.array(
  fc.record({
    minute: fc.integer({ min: 0, max: 6 }),
    createdAt: fc.integer({ min: -4000, max: -1 }),
  }),
  { maxLength: 8 },
);

test('without others during the run, what is found exists for that time, each post once, and what is absent does not', () => {
  fc.assert(
    fc.property(runs, before, fc.constantFrom(1, 1000), (items, others, precision) => {
      let id = 0;
      const stored = (at: number): number => at - (at % precision);
      const posts = others.map(({ minute, createdAt }) =>
        post(++id, minute, stored(NOW + createdAt)),
      );
      const ownIds = new Map<number, number>();
      for (const [item, one] of items.entries()) {
        if (one.isOpen && !one.exists) continue;
        ownIds.set(item, ++id);
        posts.push(post(id, one.minute, stored(NOW + one.sentAt + one.delay)));
      }
      const isOpen = (item: number) => items[item]!.isOpen;
      const accounted = new Set(
        [...ownIds].filter(([item]) => !isOpen(item)).map(([, own]) => own),
      );
      const writes = items.flatMap((one, item) =>
        one.isOpen ? [open(item, one.minute, { since: NOW + one.sentAt })] : [],
      );
      const found: unknown[] = [];
      for (const [item, finding] of settle(writes, seen(posts, { accounted }))) {
        if (finding.kind === 'found') {
          found.push(finding.post.id);
          const own = [...ownIds].find(([, ownId]) => ownId === finding.post.id);
          expect(own).toBeDefined();
          expect(items[own![0]]).toMatchObject({ minute: items[item]!.minute, isOpen: true });
        }
        if (finding.kind === 'absent') expect(ownIds.has(item)).toBe(false);
      }
      expect(new Set(found).size).toBe(found.length);
    }),
    { numRuns: 1000 },
  );
});

test('open posts of times of their own are all settled, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (exist) => {
      const posts = exist.flatMap((exists, item) => (exists ? [post(100 + item, item)] : []));

      expect(
        say(
          exist.map((_, item) => open(item, item)),
          posts,
        ),
      ).toEqual(
        Object.fromEntries(exist.map((exists, item) => [item, exists ? 100 + item : 'absent'])),
      );
    }),
  );
});
