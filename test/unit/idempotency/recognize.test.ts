import type { GRAINS } from '../../../nodes/SocialPublishing/idempotency/intent';
import { type Intent } from '../../../nodes/SocialPublishing/idempotency/intent';
import {
  type Logged,
  NOTHING_LOGGED,
  recognize,
} from '../../../nodes/SocialPublishing/idempotency/recognize';
import { intentFor, type Says } from './intents';

const intentsOf = (...said: Says[]): Intent[] => said.map((says, item) => intentFor(item, says));

/** What a log says that has these, of which the results account for some. */
function logged(unaccounted: readonly Says[], accounted: readonly Says[] = []): Logged {
  const count = (grain: (typeof GRAINS)[number]) => {
    const tallies = new Map<string, { accounted: number; unaccounted: number }>();
    const add = (said: readonly Says[], by: 'accounted' | 'unaccounted') => {
      for (const { grains } of intentsOf(...said)) {
        const tally = tallies.get(grains[grain]) ?? { accounted: 0, unaccounted: 0 };
        tallies.set(grains[grain], { ...tally, [by]: tally[by] + 1 });
      }
    };
    add(unaccounted, 'unaccounted');
    add(accounted, 'accounted');
    return tallies;
  };
  return {
    tallies: { full: count('full'), content: count('content'), any: count('any') },
    pruned: new Set(),
  };
}

const verdicts = (log: Logged, ...said: Says[]) => recognize(intentsOf(...said), log).verdicts;

const A = { text: 'a', at: 1 };
const B = { text: 'b', at: 2 };
const C = { text: 'c', at: 3 };
const reworded = (says: Says): Says => ({ ...says, text: `${says.text}, in other words` });
const moved = (says: Says): Says => ({ ...says, at: (says.at ?? 0) + 100 });

test('what is not logged is new', () => {
  expect(verdicts(NOTHING_LOGGED, A, B)).toEqual(['new', 'new']);
  expect(verdicts(logged([], [A]), A, B)).toEqual(['new', 'new']);
});

test('what is logged is the same, wherever it stands, and what came to it is new', () => {
  expect(verdicts(logged([A, B]), C, B, A)).toEqual(['new', 'same', 'same']);
});

test('as many are the same as are logged, in the order of the items', () => {
  expect(verdicts(logged([A, A]), A, A, A)).toEqual(['same', 'same', 'new']);
});

test('the same at another time is alike, and accounts for its entry', () => {
  const found = recognize(intentsOf(C, moved(A)), logged([A]));

  expect(found.verdicts).toEqual(['new', 'alike']);
  expect(found.accounts).toEqual([false, true]);
  expect(found.unaccounted.any.get(intentFor(0, A).grains.any)).toBe(0);
});

test.each<[string, Logged, Says[], string[]]>([
  ['is logged twice', logged([A, moved(A)]), [moved(moved(A)), C], ['alike', 'doubt']],
  [
    'was logged once more, for which there is a result',
    logged([A], [moved(A)]),
    [moved(moved(A)), C],
    ['alike', 'doubt'],
  ],
  [
    'stands twice among the items',
    logged([A]),
    [moved(A), moved(moved(A)), C],
    ['alike', 'alike', 'doubt'],
  ],
])('what is alike does not account for an entry where its content %s', (_, log, said, expected) => {
  expect(verdicts(log, ...said)).toEqual(expected);
});

test('what stands in other words beside an entry that nobody accounts for is in doubt, however many there are', () => {
  // One was sent: each of three may be it, and none of them is it for certain.
  const found = recognize(intentsOf(reworded(A), reworded(B), C), logged([A]));

  expect(found.verdicts).toEqual(['doubt', 'doubt', 'doubt']);
  expect(found.accounts).toEqual([false, false, false]);
  expect(found.unaccounted.any.get(intentFor(0, A).grains.any)).toBe(1);
});

test('nothing is in doubt where all entries are accounted for', () => {
  expect(verdicts(logged([A]), reworded(C), A)).toEqual(['new', 'same']);
});

test('the finest grain comes first for all items together', () => {
  // The first is alike, but the entry is that of the second.
  expect(verdicts(logged([A]), moved(A), A)).toEqual(['new', 'same']);
});

test('one caption with other media is not alike', () => {
  const first = { text: 'New picture', media: '1.png', at: 1 };
  expect(verdicts(logged([first]), { ...first, media: '2.png' }, first)).toEqual(['new', 'same']);
  expect(verdicts(logged([first]), { ...first, media: '2.png' })).toEqual(['doubt']);
});

test('other destinations do not count', () => {
  expect(verdicts(logged([A]), { ...B, workspaceId: 2 }, B)).toEqual(['new', 'doubt']);
});

test('all is in doubt where the log has lost its beginning', () => {
  const { any } = intentFor(0, A).grains;
  const log = { ...logged([], []), pruned: new Set([any]) };

  expect(verdicts(log, A, { ...B, workspaceId: 2 })).toEqual(['doubt', 'new']);
});
