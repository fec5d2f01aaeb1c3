import type { IDataObject } from 'n8n-workflow';

import { type ItemWrite, Ledger } from '../../../nodes/SocialPublishing/idempotency/ledger';

const quota = { remaining: '7' };
const AT = Date.UTC(2026, 10, 21);
const LATER = '2036-01-01T00:00:00.000Z';
const TIME = '2035-01-01T00:00:00.000Z';

const credential = { baseUrl: 'https://service.example/api/v1', apiKey: 'key' };

const write = (item: number, more: Partial<ItemWrite> = {}): ItemWrite => ({
  item,
  path: '/posts',
  body: { workspaceId: 1, scheduledAt: TIME, variants: [{ content: `Text ${item}` }] },
  credential,
  ...more,
});

const body = (content: string, scheduledAt = TIME, workspaceId = 1): IDataObject => ({
  workspaceId,
  scheduledAt,
  variants: [{ content }],
});

/** The store as n8n reads it back from its database. */
const stored = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;

test('an item for which nothing was begun is unknown', () => {
  expect(new Ledger({}, 0).find(write(0))).toBeUndefined();
  expect(new Ledger({}, 0).findAnywhere(0)).toBeUndefined();
});

test('an item is uncertain from the beginning of its write to its end', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(write(3), AT);

  expect(ledger.find(write(3))).toMatchObject({
    state: 'uncertain',
    sentAt: AT,
    scheduledAt: TIME,
  });

  ledger.done(write(3), { id: 7 }, quota);

  expect(ledger.find(write(3))).toMatchObject({ state: 'done', record: { id: 7 }, quota });
});

test('a second send does not hide when the first one was', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(write(3), AT);
  ledger.begin(write(3), AT + 1000);

  expect(ledger.find(write(3))).toMatchObject({ sentAt: AT });
});

test('an item for which certainly nothing was written is unknown again', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(write(3), AT);
  ledger.undo(write(3));

  expect(ledger.find(write(3))).toBeUndefined();
  expect(ledger.findAnywhere(3)).toBeUndefined();
});

test('what was written is known to later tries of the same run, also when n8n has stored it', () => {
  const store: IDataObject = {};
  const first = new Ledger(store, 2);
  first.begin(write(0), AT);
  first.done(write(0), { id: 7 }, quota);
  first.begin(write(11), AT);

  const resumed = new Ledger(stored(store), 2);

  expect(resumed.find(write(0))).toMatchObject({ state: 'done', record: { id: 7 }, quota });
  expect(resumed.find(write(11))).toMatchObject({ state: 'uncertain' });
  expect(resumed.findAnywhere(11)).toMatchObject({ state: 'uncertain' });
});

test.each([
  ['another run', 1, write(0)],
  ['another item', 12, write(1)],
  ['an item whose number begins alike', 12, write(10)],
  ['another operation', 12, write(0, { path: '/agents' })],
  ['another workspace', 12, write(0, { body: body('Text 0', TIME, 2) })],
  [
    'another service',
    12,
    write(0, { credential: { ...credential, baseUrl: 'https://other.example/api/v1' } }),
  ],
] as const)('%s knows nothing of it', (_, run, other) => {
  const store: IDataObject = { other: 'kept by n8n' };
  new Ledger(store, 12).begin(write(0), AT);

  expect(new Ledger(store, run).find(other)).toBeUndefined();
});

test('the body is not part of what is known of an item', () => {
  const store: IDataObject = {};
  new Ledger(store, 0).begin(write(0), AT);

  expect(new Ledger(store, 0).find(write(0, { body: body('Changed') }))).toBeDefined();
});

test('runs count from 0, also where n8n goes on counting after a crash', () => {
  const slotsOf = (store: IDataObject, runs: number[]) =>
    runs.map((run) => {
      const ledger = new Ledger(store, run);
      ledger.begin(write(0), AT);
      return ledger.slotOf(write(0));
    });
  const store: IDataObject = {};
  const before = slotsOf(store, [0, 1, 2]);

  expect(slotsOf({}, [1, 2, 3])).toEqual(before);
  expect(new Set(before).size).toBe(3);
  expect(new Ledger(stored(store), 1).slotOf(write(0))).toBe(before[1]);
});

test('two items that ask for the same have contents of their own, which stay', () => {
  const store: IDataObject = {};
  const ledger = new Ledger(store, 0);
  const same = [0, 1, 2].map((item) => write(item, { body: body('Same') }));
  const contents = same.map((one) => ledger.contentOf(one));
  for (const one of same) ledger.begin(one, AT);
  const again = new Ledger(stored(store), 0);

  expect(new Set(contents).size).toBe(3);
  expect(same.map((one) => again.contentOf(one))).toEqual(contents);
});

test('a content stays when the one that asked for the same before it was not written', () => {
  const ledger = new Ledger({}, 0);
  const [first, second] = [0, 1].map((item) => write(item, { body: body('Same') }));
  ledger.begin(first!, AT);
  ledger.begin(second!, AT);
  const content = ledger.contentOf(second!);
  ledger.undo(first!);

  expect(ledger.contentOf(second!)).toBe(content);
});

test('what another run wrote is not known of the item of this run', () => {
  const store: IDataObject = {};
  new Ledger(store, 0).done(write(0), { id: 7 }, quota);
  const later = new Ledger(store, 1);

  expect(later.findAnywhere(0)).toBeUndefined();
  expect(later.isElsewhere(write(0))).toBe(false);
});

test('to undo what was not begun changes nothing', () => {
  const store: IDataObject = {};
  new Ledger(store, 0).undo(write(0));

  expect(store).toEqual({});
});

test.each([
  ['null', null],
  ['a text', 'done'],
  ['an entry without what it was made for', { state: 'uncertain' }],
  ['an entry whose content is no text', { state: 'uncertain', content: 1 }],
  ['a state that is none', { state: 'sent', content: 'c', record: {}, quota: {} }],
  ['a result without its record', { state: 'done', content: 'c', quota: {} }],
  ['a result without its quota', { state: 'done', content: 'c', record: {} }],
])('%s in the store is no entry', (_, value) => {
  const store: IDataObject = {};
  const slot = new Ledger(store, 0).slotOf(write(0));
  store[slot] = value;
  const ledger = new Ledger(store, 0);

  expect(ledger.find(write(0))).toBeUndefined();
  expect(ledger.findAnywhere(0)).toBeUndefined();
});

test('what was written elsewhere, or with another key, is told', () => {
  const ledger = new Ledger({}, 0);
  ledger.done(write(0), { id: 7 }, quota);
  const elsewhere = write(0, { body: body('Text 0', TIME, 2) });
  const otherKey = write(0, { credential: { ...credential, apiKey: 'new key' } });

  expect(ledger.isElsewhere(write(0))).toBe(false);
  expect(ledger.isElsewhere(elsewhere)).toBe(true);
  expect(ledger.isElsewhere(otherKey)).toBe(false);
  expect(ledger.hasOtherKey(write(0))).toBe(false);
  expect(ledger.hasOtherKey(otherKey)).toBe(true);
});

test('what was not written, or may not have been, was neither written elsewhere nor with another key', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(write(0), AT);
  const elsewhere = write(0, { body: body('Text 0', TIME, 2) });
  const otherKey = write(0, { credential: { ...credential, apiKey: 'new key' } });

  expect(ledger.isElsewhere(elsewhere)).toBe(false);
  expect(ledger.hasOtherKey(otherKey)).toBe(false);
  expect(ledger.isElsewhere(write(1))).toBe(false);
  expect(ledger.hasOtherKey(write(1))).toBe(false);
});

test('the results at a place are those of all runs, and of what is certain', () => {
  const store: IDataObject = {};
  new Ledger(store, 0).done(write(0), { id: 7 }, quota);
  const ledger = new Ledger(store, 1);
  ledger.done(write(0), { id: 8 }, quota);
  ledger.begin(write(1), AT);
  ledger.done(write(2, { body: body('Text 2', TIME, 2) }), { id: 9 }, quota);

  expect(ledger.resultIds(write(5))).toEqual(new Set([7, 8]));
  expect(ledger.resultIds(write(5, { body: body('Text', TIME, 3) }))).toEqual(new Set());
});

test('of what an earlier execution may have sent the time is known only when it is the same', () => {
  const ledger = new Ledger({}, 0);
  ledger.learn(write(0), true);
  ledger.learn(write(1), false);

  expect(ledger.find(write(0))).toMatchObject({ state: 'uncertain', scheduledAt: TIME });
  expect(ledger.find(write(1))).toMatchObject({ state: 'uncertain' });
  expect(ledger.find(write(1))).not.toHaveProperty('scheduledAt');
});

test('the posts that an open write may have created are kept with it, and with nothing else', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(write(0), AT);
  ledger.done(write(1), { id: 7 }, quota);
  for (const item of [0, 1, 2]) ledger.suspect(write(item), [12, 13]);

  expect(ledger.find(write(0))).toMatchObject({ sentAt: AT, candidates: [12, 13] });
  expect(ledger.find(write(1))).not.toHaveProperty('candidates');
  expect(ledger.find(write(2))).toBeUndefined();
});

test('neither a key nor a text is kept in the clear', () => {
  const store: IDataObject = {};
  const secret = { ...credential, apiKey: 'sk_secret' };
  new Ledger(store, 0).begin(write(0, { credential: secret, body: body('Private') }), AT);

  expect(JSON.stringify(store)).not.toMatch(/sk_secret|Private/);
});

describe('a write that was left open', () => {
  let store: IDataObject;

  beforeEach(() => {
    store = {};
    const first = new Ledger(store, 1);
    first.begin(write(4, { body: body('One') }), AT);
    first.leaveOpen(write(4, { body: body('One') }), 'The connection broke', AT + 50);
  });

  const inRun = (run: number, asked: IDataObject, item = 0) =>
    new Ledger(store, run).leftOpen(write(item, { body: asked }));

  test('is known to later tries with the message that it ended with', () => {
    expect(new Ledger(store, 1).find(write(4))).toMatchObject({
      state: 'uncertain',
      message: 'The connection broke',
      sentAt: AT,
      endedAt: AT + 50,
    });
  });

  test('is known to later runs by what it asked for, whatever its time is by then', () => {
    expect(inRun(2, body('One'))).toBeDefined();
    expect(inRun(2, body('One', LATER))).toBeDefined();
    expect(inRun(2, body('Two'))).toBeUndefined();
    expect(inRun(2, body('One', TIME, 2))).toBeUndefined();
  });

  test('is known to later runs when another one that asked for the same was found since', () => {
    const first = new Ledger(store, 1);
    const other = write(5, { body: body('One', LATER) });
    first.begin(other, AT);
    first.leaveOpen(other, 'The connection broke', AT + 50);
    expect(inRun(2, body('One', LATER))).toMatchObject({ scheduledAt: LATER });
    first.done(write(4, { body: body('One') }), { id: 7 }, quota);

    expect(inRun(2, body('One', LATER))).toMatchObject({ scheduledAt: LATER });
  });

  test('by an execution that was interrupted is known to later runs', () => {
    new Ledger(store, 1).learn(write(5, { body: body('Two') }), false);

    expect(inRun(2, body('Two', LATER))).toBeDefined();
  });

  test('by an execution that was interrupted is another intent when its time is known to be another', () => {
    new Ledger(store, 1).learn(write(5, { body: body('Two') }), true);

    expect(inRun(2, body('Two'))).toBeDefined();
    expect(inRun(2, body('Two', LATER))).toBeUndefined();
  });

  test('says nothing of other items of its own run', () => {
    expect(inRun(1, body('One'))).toBeUndefined();
  });

  test('is nothing to later runs once it is known to exist', () => {
    new Ledger(store, 1).done(write(4, { body: body('One') }), { id: 7 }, quota);

    expect(inRun(2, body('One'))).toBeUndefined();
  });

  test('is nothing to later runs once it is known not to exist', () => {
    new Ledger(store, 1).undo(write(4, { body: body('One') }));

    expect(inRun(2, body('One'))).toBeUndefined();
  });

  test('is taken over with its time only when that is the same', () => {
    const later = new Ledger(store, 2);
    const same = write(0, { body: body('One') });
    const other = write(1, { body: body('One', LATER) });
    for (const one of [same, other]) {
      const left = later.leftOpen(one);
      if (left) later.adopt(one, left);
    }

    expect(later.find(same)).toMatchObject({ state: 'uncertain', sentAt: AT, scheduledAt: TIME });
    expect(later.find(other)).not.toHaveProperty('scheduledAt');
  });
});
