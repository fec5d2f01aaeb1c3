import type { IDataObject } from 'n8n-workflow';

import { ServiceClock } from '../../../nodes/SocialPublishing/idempotency/clock';
import { type ItemWrite, Ledger } from '../../../nodes/SocialPublishing/idempotency/ledger';
import {
  Lookout,
  type ReadPosts,
  reasonFor,
} from '../../../nodes/SocialPublishing/idempotency/look';
import type { Finding } from '../../../nodes/SocialPublishing/idempotency/settle';
import { failed, succeeded } from '../../../nodes/SocialPublishing/service/outcome';

const SENT = Date.UTC(2026, 10, 21, 10);
const TIME = '2035-01-01T00:00:00.000Z';
const OTHER_TIME = '2035-01-02T00:00:00.000Z';
const HOUR = 3_600_000;

const write = (item: number, scheduledAt = TIME): ItemWrite => ({
  item,
  path: '/posts',
  body: { workspaceId: 3, scheduledAt, variants: [] },
  credential: { baseUrl: 'https://service.example/api/v1', apiKey: 'key' },
});

const post = (id: number, createdAt: number, scheduledAt = TIME): IDataObject => ({
  id,
  workspaceId: 3,
  scheduledAt,
  createdAt: new Date(createdAt).toISOString(),
});

/** So many posts of earlier days, the newest last. */
const olderPosts = (count: number): IDataObject[] =>
  Array.from({ length: count }, (_, index) => {
    const time = SENT - (count - index) * 24 * HOUR;
    return post(1000 + index, time, new Date(time + HOUR).toISOString());
  });

/** The posts of a service, and what it was asked for. */
class Posts {
  readonly queries: IDataObject[] = [];

  constructor(private readonly posts: readonly IDataObject[]) {}

  readonly read: ReadPosts = (query) => {
    this.queries.push(query);
    const offset = Number(query.offset);
    const records = this.posts.slice(offset, offset + Number(query.limit));
    const quota = { remaining: String(1000 - this.queries.length) };
    return Promise.resolve(succeeded({ records, limit: 100, total: this.posts.length }, quota));
  };
}

/** A ledger in which these writes were sent, and stayed open. */
function openLedger(...writes: ItemWrite[]): Ledger {
  const ledger = new Ledger({}, 0);
  for (const one of writes) {
    ledger.begin(one, SENT);
    ledger.leaveOpen(one, 'The connection broke', SENT + 1000);
  }
  return ledger;
}

/** A clock of the service that is ahead of ours by so many milliseconds. */
function clockAhead(milliseconds: number): ServiceClock {
  const clock = new ServiceClock();
  clock.observe(new Date(SENT + milliseconds).toUTCString(), SENT);
  return clock;
}

const exact = clockAhead(0);

/** What one open write is found to be, among these posts. */
async function findingOf(
  posts: readonly IDataObject[],
  { ledger = openLedger(write(0)), clock = exact } = {},
): Promise<Finding | undefined> {
  const lookout = new Lookout(ledger, clock, SENT);
  return (await lookout.look([write(0)], new Posts(posts).read)).findings.get(0);
}

test('a post that the first page shows is found without another request', async () => {
  const created = post(7, SENT + 500);
  const posts = new Posts([created, ...olderPosts(249)]);
  const look = await new Lookout(openLedger(write(0)), exact, SENT).look([write(0)], posts.read);

  expect(look).toEqual({
    findings: new Map([[0, { kind: 'found', post: created }]]),
    complete: false,
    quota: { remaining: '999' },
    problem: undefined,
  });
  expect(posts.queries).toEqual([{ workspaceId: 3, limit: 100, offset: 0 }]);
});

test('a post that is nowhere is looked for on all pages', async () => {
  const posts = new Posts(olderPosts(250));
  const look = await new Lookout(openLedger(write(0)), exact, SENT).look([write(0)], posts.read);

  expect(look).toMatchObject({
    findings: new Map([[0, { kind: 'absent' }]]),
    complete: true,
    problem: undefined,
  });
  expect(posts.queries.map(({ offset }) => offset)).toEqual([0, 200, 100]);
});

test.each([
  ['all but one are found', write(1, OTHER_TIME), { kind: 'absent' }],
  ['there are fewer posts than writes of their time', write(1), { kind: 'tooFew' }],
])('the walk goes on where %s', async (_, other, finding) => {
  const posts = new Posts([post(7, SENT + 500), ...olderPosts(249)]);
  const lookout = new Lookout(openLedger(write(0), other), exact, SENT);
  const look = await lookout.look([write(0), other], posts.read);

  expect(look.complete).toBe(true);
  expect(posts.queries).toHaveLength(3);
  expect(look.findings.get(1)).toMatchObject(finding);
});

test('a page that fails ends it, and says why', async () => {
  const failure = { message: 'It broke', description: 'Again.', certainty: 'failed' } as const;
  const look = await new Lookout(openLedger(write(0)), exact, SENT).look([write(0)], () =>
    Promise.resolve(failed(failure)),
  );

  expect(look).toEqual({
    findings: new Map([[0, { kind: 'absent' }]]),
    complete: false,
    quota: {},
    problem: 'It broke',
  });
});

test('the result of another item is not found for this one', async () => {
  const ledger = openLedger(write(0));
  ledger.done(write(1), { id: 7 }, {});

  expect(await findingOf([post(7, SENT + 500)], { ledger })).toEqual({ kind: 'absent' });
});

test.each([
  ['five seconds before the send, as clocks differ', -5000, 0, 'found'],
  ['earlier than that', -5001, 0, 'absent'],
  ['an hour before on a clock that is an hour behind', -HOUR, -HOUR, 'found'],
  ['at the time of the send on a clock that is an hour ahead', 0, HOUR, 'absent'],
])('a post that was created %s', async (_, created, ahead, kind) => {
  const clock = clockAhead(ahead);

  expect(await findingOf([post(7, SENT + created)], { clock })).toMatchObject({ kind });
});

describe('where it is not known when the write was sent', () => {
  const learned = new Ledger({}, 0);
  learned.learn(write(0), true);

  test.each([
    [-5000, 'found'],
    [-5001, 'absent'],
  ])('a post counts from when the execution began: %i ms', async (created, kind) => {
    const post7 = post(7, SENT + created);

    expect(await findingOf([post7], { ledger: learned })).toMatchObject({ kind });
  });

  test('nor when the execution began, nothing can be said', async () => {
    const lookout = new Lookout(learned, exact, undefined);
    const look = await lookout.look([write(0)], new Posts([post(7, SENT)]).read);

    expect(look.findings).toEqual(new Map([[0, { kind: 'unknown' }]]));
  });
});

test.each([
  ['the clock of the service is not known', { clock: new ServiceClock() }],
  ['nothing is known of the write', { ledger: new Ledger({}, 0) }],
])('nothing can be said where %s', async (_, known) => {
  expect(await findingOf([post(7, SENT)], known)).toEqual({ kind: 'unknown' });
});

test.each<[Finding | undefined, boolean, string]>([
  [{ kind: 'tooFew', posts: [] }, true, 'there are fewer posts for this time than were sent'],
  [{ kind: 'tooMany', posts: [] }, true, 'there are other posts for the same time'],
  [{ kind: 'absent' }, true, 'there is no post for this time yet'],
  [{ kind: 'absent' }, false, 'there are too many posts to look through all of them'],
  [
    { kind: 'unknown' },
    true,
    'its time is different on each try, or it is not known when it was sent, so its post cannot be recognized',
  ],
  [
    undefined,
    true,
    'its time is different on each try, or it is not known when it was sent, so its post cannot be recognized',
  ],
])('the reason for %j, all posts seen: %p', (finding, complete, reason) => {
  expect(reasonFor(finding, complete)).toBe(reason);
});
