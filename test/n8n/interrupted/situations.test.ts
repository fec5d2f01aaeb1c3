import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { installationOf } from '../../../scripts/n8n/installation';
import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { startFreshN8n } from '../support/fresh';
import { type Entry, Interrupted, type Retried, type Situation } from './situation';

const MINUTE_MS = 60_000;

const userFolder = join(workDir(), 'situations');

const minute = (count: number): string =>
  new Date(Date.UTC(2035, 0, 1) + count * MINUTE_MS).toISOString();

/** Entry number N of a feed: its text, its time and its media, whose signature is that of this try. */
const entry = (number: number, signature = 'first'): Entry => ({
  text: `Entry ${number}`,
  at: minute(number),
  media: `https://media.example/${number}.jpg?signature=${signature}`,
});

const feed = (...numbers: number[]): Entry[] => numbers.map((number) => entry(number));
const texts = (...all: string[]): Entry[] =>
  all.map((text, index) => ({ text, at: minute(index) }));

const NOW = { publish: 'now' };
const AT = { publish: 'at', scheduledAt: '={{ $json.at }}' };
const AT_WITH_MEDIA = { ...AT, mediaUrls: '={{ $json.media }}' };
const SLOT = {
  publish: 'slot',
  slots: { slot: [{ days: [1, 2, 3, 4, 5, 6, 7], times: '09:00, 13:00, 17:30' }] },
};
const LOOK = { uncertain: 'look' };
const CONTINUE = 'continueRegularOutput';

/** A feed of three entries, and the same with a fourth at its front by the Retry. */
const NEW_IN_FRONT = { before: feed(3, 2, 1), after: feed(4, 3, 2, 1), by: 'kill' } as const;
const THREE = { before: feed(3, 2, 1), by: 'kill' } as const;

/** The times of these pass between the first try and the Retry: five minutes are let through. */
const begunAt = Date.now();
const passing = [3, 2, 1].map((number): Entry => ({
  text: `Entry ${number}`,
  at: new Date(begunAt - 2 * MINUTE_MS - number * 1000).toISOString(),
}));
const passedAt = begunAt + 3 * MINUTE_MS;

const situations: Situation[] = [
  { name: 'new in front, published now', ...NEW_IN_FRONT, publish: NOW, exist: 4 },
  {
    name: 'new in front, new signatures',
    ...NEW_IN_FRONT,
    after: [4, 3, 2, 1].map((number) => entry(number, 'second')),
    publish: AT_WITH_MEDIA,
    exist: 4,
  },
  { name: 'new in front, look', ...NEW_IN_FRONT, publish: AT, options: LOOK, exist: 4 },
  {
    name: 'new in front, loop of one, Continue',
    ...NEW_IN_FRONT,
    publish: NOW,
    loopOf: 1,
    answers: 2,
    onError: CONTINUE,
    exist: 3,
  },
  { name: 'new in front, next free slot', ...NEW_IN_FRONT, publish: SLOT, exist: 4 },
  {
    name: 'new in front, next free slot, look',
    ...NEW_IN_FRONT,
    publish: SLOT,
    options: LOOK,
    exist: 4,
  },
  {
    name: 'two Retries at once, next free slot',
    ...NEW_IN_FRONT,
    publish: SLOT,
    twice: true,
    exist: 4,
  },
  {
    name: 'two Retries at once, look, one post missing',
    ...THREE,
    after: feed(3, 2, 1),
    publish: AT,
    options: LOOK,
    carriesOut: 2,
    twice: true,
    exist: 3,
  },
  {
    name: 'failed, two Retries at once',
    before: feed(3, 2, 1),
    after: feed(3, 2, 1),
    by: 'failure',
    publish: NOW,
    options: { concurrency: 1 },
    twice: true,
    exist: 3,
  },
  {
    name: 'stopped, two Retries at once',
    ...NEW_IN_FRONT,
    by: 'stop',
    publish: AT,
    twice: true,
    exist: 4,
  },
  {
    name: 'loop, first item fails its check in the first try',
    before: [{ text: '', at: minute(3) }, ...feed(2, 1)],
    after: feed(3, 2, 1),
    by: 'kill',
    publish: AT,
    loopOf: 1,
    answers: 1,
    onError: CONTINUE,
    exist: 2,
  },
  {
    name: 'times that have passed by the Retry',
    before: passing,
    after: [...feed(4), ...passing],
    by: 'kill',
    publish: AT,
    notBefore: passedAt + MINUTE_MS / 4,
    exist: 4,
  },
  {
    name: 'two nodes, same times, hold',
    ...NEW_IN_FRONT,
    publish: AT,
    then: 'second',
    answers: 3,
    exist: 8,
  },
  {
    name: 'two nodes, same times, look',
    ...THREE,
    after: feed(3, 2, 1),
    publish: AT,
    options: LOOK,
    then: 'second',
    answers: 3,
    exist: 6,
  },
  { name: 'killed in a later node', ...NEW_IN_FRONT, publish: NOW, then: 'later', exist: 4 },
  { name: 'removed items', ...THREE, after: feed(3, 1), publish: NOW, exist: 3 },
  {
    name: 'merged items',
    ...THREE,
    after: [entry(3), { text: 'Entry 2 and Entry 1', at: minute(2) }],
    publish: AT,
    exist: 3,
  },
  {
    name: 'other words by the Retry',
    ...THREE,
    after: texts('Fresh bread', 'Rolls, too', 'And a cake', 'A new one'),
    publish: NOW,
    exist: 3,
  },
  {
    name: 'one caption, many pictures',
    before: [3, 2, 1].map((number) => ({ ...entry(number), text: 'Today' })),
    after: [4, 3, 2, 1].map((number) => ({ ...entry(number, 'second'), text: 'Today' })),
    by: 'kill',
    publish: { publish: 'now', mediaUrls: '={{ $json.media }}' },
    exist: 4,
  },
  {
    name: 'identical items',
    before: texts('Same', 'Same', 'Same'),
    after: texts('Same', 'Same', 'Same', 'Same'),
    by: 'kill',
    publish: NOW,
    exist: 4,
  },
  {
    name: 'a renamed node',
    ...NEW_IN_FRONT,
    publish: NOW,
    edit: (node) => {
      node.name = 'Announce';
    },
    exist: 4,
  },
  {
    name: 'an edited text',
    ...NEW_IN_FRONT,
    publish: NOW,
    edit: ({ parameters }) => {
      parameters['content'] = '={{ $json.text }}, edited';
    },
    exist: 3,
  },
];

let n8n: N8nInstance;

const all = new Map<string, Interrupted>();

const lineOf = ({ name, status, returned, sent, held, silent }: Retried): string =>
  `${name}: ${status}, ${returned} returned, ${sent} sent, ${held} held, ${silent} silent`;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
  await Promise.all(
    situations.map(async (situation) => {
      const one = await Interrupted.publish(n8n, situation);
      all.set(situation.name, one);
      await one.begin(n8n);
    }),
  );
  await n8n.kill();
  n8n = await N8nInstance.start({ userFolder });
  await Promise.all([...all.values()].map(async (one) => await one.retryAll(n8n)));
});

afterAll(async () => {
  await n8n?.stop();
  for (const one of all.values()) await one.close();
});

test.each(situations.map((situation) => [situation.name, situation] as const))(
  '%s: nothing is posted twice, or missing without a word',
  (name, { exist }) => {
    const one = all.get(name)!;
    console.log(
      [`${name}: ${one.posts} posts, ${one.doubled()} doubled`, ...one.retries.map(lineOf)].join(
        '\n  ',
      ),
    );
    expect(one.doubled()).toBe(0);
    expect(one.posts).toBe(exist);
    expect(one.retries.map(({ silent }) => silent)).toEqual(one.retries.map(() => 0));
    expect(one.retries.map(({ description }) => description).join()).not.toContain(
      'Nothing was sent for any item',
    );
  },
);

test.each(situations.filter(({ publish }) => publish === SLOT).map(({ name }) => name))(
  '%s: no two posts have the same slot',
  (name) => {
    const slots = all.get(name)!.sandbox.store.posts.map(({ scheduledAt }) => scheduledAt);
    expect(new Set(slots).size).toBe(slots.length);
  },
);

/** Locks n8n's SQLite database, and says so. */
const LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const [file, seconds] = process.argv.slice(1);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA busy_timeout = 10000; BEGIN EXCLUSIVE');
  console.log('locked');
  setTimeout(() => database.exec('COMMIT'), Number(seconds) * 1000);
`;

const LOCKED_SECONDS = 17;

test('a database that is locked for 17 seconds: nothing is posted twice, or missing without a word', async () => {
  const situation: Situation = {
    name: 'a locked database',
    before: feed(8, 7, 6, 5, 4, 3, 2, 1),
    after: feed(8, 7, 6, 5, 4, 3, 2, 1),
    by: 'kill',
    publish: NOW,
    exist: 8,
  };
  const one = await Interrupted.publish(n8n, situation);
  all.set(situation.name, one);
  const file = join(userFolder, '.n8n', 'database.sqlite');
  let whileLocked: number | undefined;
  one.beforeFeed = async () => {
    const lock = spawn(installationOf().node, ['-e', LOCK, file, String(LOCKED_SECONDS)]);
    void once(lock, 'exit').then(() => {
      whileLocked = one.posts;
    });
    await once(lock.stdout, 'data');
  };
  await one.start(n8n);
  const posted = await waitFor('The lock did not end', () => whileLocked);
  await delay(5_000);
  const beforeKill = one.posts;
  await n8n.kill();
  n8n = await N8nInstance.start({ userFolder });
  await one.retryAll(n8n);
  console.log(
    [
      `a locked database: ${posted} posts while it was locked, ${beforeKill} before the kill, ${one.posts} in the end, ${one.doubled()} doubled`,
      ...one.retries.map(lineOf),
    ].join('\n  '),
  );
  expect(posted).toBe(0);
  expect(one.doubled()).toBe(0);
  expect(one.posts).toBe(8);
  expect(one.retries.map(({ silent }) => silent)).toEqual(one.retries.map(() => 0));
});
