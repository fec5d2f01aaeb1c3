import { RootTry } from '../../../nodes/SocialPublishing/idempotency/calls';
import type { EntryState, Logged } from '../../../nodes/SocialPublishing/idempotency/rule';
import { recallRule } from '../../../nodes/SocialPublishing/idempotency/rule';

const said = { destination: 'workspace', full: 'post' };

const behind = { entries: new Map(), repeated: new Set<string>(), isRunning: false };

/** What the log has: the states of what says the same, and nothing else of the destination. */
const logged = (states: readonly EntryState[], isCut: boolean): Logged => ({
  lengths: new Map([['post', states.length]]),
  states: new Map(states.map((state, number) => [`post#${number}`, state])),
  counts: new Map([['workspace', { entries: states.length, voids: 0 }]]),
  isCut,
});

const verdictOf = (log: Logged, isUnread: boolean) =>
  recallRule([said], { ...behind, isUnread }, log).verdicts;

test('what the log does not have is new, and held where the beginning of the log is lost', () => {
  expect(verdictOf(logged([], false), false)).toEqual([{ kind: 'new' }]);
  expect(verdictOf(logged([], true), false)).toEqual([{ kind: 'held', why: 'cutLog' }]);
});

test('what was answered is returned, and held where a call can not be read that may have sent it', () => {
  const answered = logged(['done'], false);

  expect(verdictOf(answered, false)).toEqual([
    { kind: 'return', entry: { ...said, number: 0, state: 'done' } },
  ]);
  expect(verdictOf(answered, true)).toEqual([{ kind: 'held', why: 'unreadCall' }]);
});

test.each([
  ['ended well', 'ok', false],
  ['failed', 'failed', true],
  ['was not saved', 'unknown', true],
] as const)(
  'an earlier call with the same items that %s (%s) counts as repeated: %s',
  async (_, end, isRepeated) => {
    const ofTry = new RootTry();
    const level = { parent: 'root', input: 'items', isAwaited: true };
    const endOf = () => Promise.resolve(end);
    const first = await ofTry.enter({ ...level, id: 'first' }, endOf);
    await ofTry.enter({ ...level, id: 'second' }, endOf);

    expect(first.isRepeated).toBe(isRepeated);
  },
);
