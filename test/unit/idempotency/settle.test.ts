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
  until: NOW + 65_000,
  isFixed: true,
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

  test('beside one that existed long before the sending', () => {
    const long = 11 * 60_000;
    expect(say([open(0, 5)], [post(12, 5, NOW - long - 1), post(13, 5)])).toEqual({ 0: 13 });
    expect(say([open(0, 5)], [post(12, 5, NOW - long), post(13, 5)])).toEqual({
      0: 'otherPosts',
    });
  });

  test('until a request that was under way may have arrived', () => {
    expect(say([open(0, 5)], [post(12, 5, NOW + 65_000)])).toEqual({ 0: 12 });
    expect(say([open(0, 5)], [post(12, 5, NOW + 65_001)])).toEqual({ 0: 'otherPosts' });
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

  test('in a list that may have more', () => {
    expect(say([open(0, 5)], [post(12, 5)], { isComplete: false })).toEqual({ 0: 'incomplete' });
  });

  test('of a service that stores seconds: it may be one from before the sending', () => {
    const stored = { ...post(12, 5), createdAt: new Date(NOW).toISOString() };
    expect(say([open(0, 5, { since: NOW + 400 })], [stored])).toEqual({ 0: 'otherPosts' });
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
  test('when it is not known for which time it was sent', () => {
    const unknown = open(0, 5, { moment: undefined });
    expect(say([unknown], [post(12, 5)])).toEqual({ 0: 'unknownTime' });
    expect(say([unknown], [])).toEqual({ 0: 'unknownTime' });
  });

  test.each<Partial<OpenPost>>([{ since: undefined }, { until: undefined }])(
    'when it is not known when it was sent: %j',
    (unknown) => {
      expect(say([open(0, 5, unknown)], [post(12, 5)])).toEqual({ 0: 'unknownTime' });
      expect(say([open(0, 5, unknown)], [])).toEqual({ 0: 'absent' });
    },
  );

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
    expect(say([open(0, 5)], [post(12, 3), post(13, 7)])).toEqual({ 0: 'absent' });
  });

  test.each<[string, IDataObject, string]>([
    ['shortly before', { ...post(12, 5), scheduledAt: '2035-01-01T00:04:00.031Z' }, 'postNearby'],
    ['shortly after', { ...post(12, 5), scheduledAt: '2035-01-01T00:05:59.999Z' }, 'postNearby'],
    ['cut to the minute', { ...post(12, 5), scheduledAt: '2035-01-01T00:05:00Z' }, 'postNearby'],
  ])('not while there is one %s', (_, near, why) => {
    expect(say([open(0, 5, { moment: moment(5) + 30 })], [near])).toEqual({ 0: why });
  });

  test('beside one near that is much older, or the result of something else', () => {
    const near = { ...post(12, 5), scheduledAt: '2035-01-01T00:05:30Z' };
    const older = { ...near, createdAt: new Date(NOW - 11 * 60_000 - 1).toISOString() };
    expect(say([open(0, 5)], [older])).toEqual({ 0: 'absent' });
    expect(say([open(0, 5)], [near], { accounted: new Set([12]) })).toEqual({ 0: 'absent' });
  });

  test('not beside one near that looks older by ten minutes: clocks differ', () => {
    const near = { ...post(12, 5, NOW - 10 * 60_000), scheduledAt: '2035-01-01T00:05:30Z' };
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

/**
 * Clocks that differ, a service that stores less exact times, requests that arrive late, and posts of
 * others long before or after: what is found is the post of the item, and what is absent does not exist.
 */
test('what is found is its own, and what is absent does not exist, whatever clocks do', () => {
  const entries = fc.array(
    fc.record({
      hour: fc.integer({ min: 0, max: 3 }),
      isOpen: fc.boolean(),
      exists: fc.boolean(),
      sentAt: fc.integer({ min: 0, max: 1000 }),
      delay: fc.integer({ min: 0, max: 65_000 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  const others = fc.array(
    fc.record({
      hour: fc.integer({ min: 0, max: 3 }),
      createdAt: fc.oneof(
        fc.integer({ min: -3_600_000, max: -1_300_000 }),
        fc.integer({ min: 1_300_000, max: 3_600_000 }),
      ),
    }),
    { maxLength: 4 },
  );
  const drifts = fc.constantFrom(0, 12_000, -12_000, 40_000, -40_000, 600_000, -600_000);
  fc.assert(
    fc.property(
      entries,
      others,
      drifts,
      fc.constantFrom(1, 1000, 60_000),
      (items, strangers, drift, precision) => {
        let id = 0;
        const stored = (at: number): number => NOW + at + drift - ((NOW + at + drift) % precision);
        const posts = strangers.map(({ hour, createdAt }) =>
          post(++id, 60 * hour, stored(createdAt)),
        );
        const ids = new Map<number, number>();
        for (const [item, one] of items.entries()) {
          if (one.isOpen && !one.exists) continue;
          ids.set(item, ++id);
          posts.push(post(id, 60 * one.hour, stored(one.sentAt + one.delay)));
        }
        const accounted = new Set(
          [...ids].flatMap(([item, own]) => (items[item]!.isOpen ? [] : [own])),
        );
        const writes = items.flatMap((one, item) =>
          one.isOpen
            ? [
                open(item, 60 * one.hour, {
                  since: NOW + one.sentAt,
                  until: NOW + one.sentAt + 65_000,
                }),
              ]
            : [],
        );
        const found: unknown[] = [];
        for (const [item, finding] of settle(writes, seen(posts, { accounted }))) {
          if (finding.kind === 'absent') expect(ids.has(item)).toBe(false);
          if (finding.kind !== 'found') continue;
          found.push(finding.post.id);
          const [own] = [...ids].find(([, ownId]) => ownId === finding.post.id) ?? [];
          expect(items[own ?? NaN]).toMatchObject({ hour: items[item]!.hour, isOpen: true });
        }
        expect(new Set(found).size).toBe(found.length);
      },
    ),
    { numRuns: 2000 },
  );
});

test('open posts of times of their own are all settled, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (exist) => {
      const posts = exist.flatMap((exists, item) => (exists ? [post(100 + item, 2 * item)] : []));

      expect(
        say(
          exist.map((_, item) => open(item, 2 * item)),
          posts,
        ),
      ).toEqual(
        Object.fromEntries(exist.map((exists, item) => [item, exists ? 100 + item : 'absent'])),
      );
    }),
  );
});
