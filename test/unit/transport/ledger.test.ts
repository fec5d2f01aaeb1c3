import type { IDataObject } from 'n8n-workflow';

import { Ledger } from '../../../nodes/SocialPublishing/transport/ledger';

const quota = { remaining: '7' };

test('an item for which nothing was begun is unknown', () => {
  const ledger = new Ledger({}, 0);

  expect(ledger.find(0, '/posts')).toBeUndefined();
  expect([...ledger.entries()]).toEqual([]);
});

test('an item is uncertain from the beginning of its write to its end', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(3, '/posts');

  expect(ledger.find(3, '/posts')).toEqual({ state: 'uncertain' });

  ledger.done(3, '/posts', { id: 7 }, quota);

  expect(ledger.find(3, '/posts')).toEqual({ state: 'done', record: { id: 7 }, quota });
});

test('an item for which certainly nothing was written is unknown again', () => {
  const ledger = new Ledger({}, 0);
  ledger.begin(3, '/posts');
  ledger.undo(3, '/posts');

  expect(ledger.find(3, '/posts')).toBeUndefined();
  expect([...ledger.entries()]).toEqual([]);
});

test('what was written is known to later tries of the same run, also when n8n has stored it', () => {
  const store: IDataObject = {};
  const first = new Ledger(store, 2);
  first.begin(0, '/posts');
  first.done(0, '/posts', { id: 7 }, quota);
  first.begin(11, '/posts');

  const resumed = new Ledger(JSON.parse(JSON.stringify(store)) as IDataObject, 2);

  expect(resumed.find(0, '/posts')).toEqual({ state: 'done', record: { id: 7 }, quota });
  expect([...resumed.entries()]).toEqual([
    [0, { state: 'done', record: { id: 7 }, quota }],
    [11, { state: 'uncertain' }],
  ]);
});

test.each([
  ['another run', 1, 0, '/posts'],
  ['another item', 12, 1, '/posts'],
  ['an item whose number begins alike', 12, 10, '/posts'],
  ['another operation', 12, 0, '/agents'],
] as const)('%s knows nothing of it', (_, run, item, path) => {
  const store: IDataObject = { other: 'kept by n8n' };
  new Ledger(store, 12).begin(0, '/posts');

  expect(new Ledger(store, run).find(item, path)).toBeUndefined();
});

test('the entries are those of the run alone', () => {
  const store: IDataObject = { other: 'kept by n8n' };
  new Ledger(store, 1).begin(0, '/posts');
  new Ledger(store, 12).begin(5, '/posts');
  new Ledger(store, 12).begin(6, '/posts');

  expect([...new Ledger(store, 1).entries().keys()]).toEqual([0]);
  expect([...new Ledger(store, 12).entries().keys()]).toEqual([5, 6]);
});

describe('a write that was left open', () => {
  const body = (content: string): IDataObject => ({ variants: [{ content }] });
  let store: IDataObject;

  beforeEach(() => {
    store = {};
    new Ledger(store, 1).leaveOpen(4, '/posts', body('One'), 'The connection broke');
  });

  test('is known to later tries with the message that it ended with', () => {
    expect(new Ledger(store, 1).find(4, '/posts')).toEqual({
      state: 'uncertain',
      message: 'The connection broke',
    });
  });

  test('is known to later runs by what it asked for', () => {
    expect(new Ledger(store, 2).isLeftOpen('/posts', body('One'))).toBe(true);
    expect(new Ledger(store, 2).isLeftOpen('/posts', body('Two'))).toBe(false);
    expect(new Ledger(store, 2).isLeftOpen('/agents', body('One'))).toBe(false);
  });

  test('says nothing of other items of its own run', () => {
    expect(new Ledger(store, 1).isLeftOpen('/posts', body('One'))).toBe(false);
  });

  test('stays known when a later run leaves it open again', () => {
    new Ledger(store, 3).leaveOpen(0, '/posts', body('One'), 'No answer');

    expect(new Ledger(store, 2).isLeftOpen('/posts', body('One'))).toBe(true);
    expect(new Ledger(store, 3).isLeftOpen('/posts', body('One'))).toBe(true);
  });
});
