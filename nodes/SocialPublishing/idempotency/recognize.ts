import { countBy } from './counts';
import type { Grain, Intent } from './intent';

/** How often the intent log has one value of a grain. */
export interface Tally {
  /** How many entries the results of this execution account for. */
  readonly accounted: number;
  /** How many more there are: an earlier try may have sent them, and no result says what became of it. */
  readonly unaccounted: number;
}

/** What the intent log says, by grain and value. A value that is missing is not logged. */
export interface Logged {
  readonly tallies: Readonly<Record<Grain, ReadonlyMap<string, Tally>>>;
  /** The values of `any` whose oldest entries n8n has dropped. */
  readonly pruned: ReadonlySet<string>;
}

/**
 * What an intent is to the log:
 *
 * - `new`: certainly never sent
 * - `same`: exactly this may have been sent
 * - `alike`: the same text and media may have been sent for another time
 * - `doubt`: it may be one of those that were sent, in other words
 */
export type Verdict = 'new' | 'same' | 'alike' | 'doubt';

/** What the log says of the intents of a run. */
export interface Recognized {
  /** In the order of the intents. */
  readonly verdicts: readonly Verdict[];
  /** Which intents account for an entry of the log: those that were identified for certain. */
  readonly accounts: readonly boolean[];
  /** How many entries nobody accounts for, by grain and value. */
  readonly unaccounted: Readonly<Record<Grain, ReadonlyMap<string, number>>>;
}

export const NOTHING_LOGGED: Logged = {
  tallies: { full: new Map(), content: new Map(), any: new Map() },
  pruned: new Set(),
};

/** All entries of the log are accounted for. */
export const ALL_ACCOUNTED: Recognized['unaccounted'] = {
  full: new Map(),
  content: new Map(),
  any: new Map(),
};

const unaccountedIn = (tallies: ReadonlyMap<string, Tally>): Map<string, number> =>
  new Map([...tallies].map(([value, { unaccounted }]) => [value, unaccounted]));

/**
 * Recognizes intents in the log (docs/service.md, "Uncertain writes"), the finest grain first: for all
 * of them in full, then for the rest by content, then for the rest by count.
 *
 * Only what identifies an intent for certain accounts for an entry of the log. A content does when
 * it stands once in the log and once among the intents. Doubt never accounts for an entry, or a post in
 * other words would go out for each doubtful one before it.
 *
 * @param intents those that have no result in this execution
 */
export function recognize(
  intents: ReadonlyArray<Pick<Intent, 'grains'>>,
  { tallies, pruned }: Logged,
): Recognized {
  const unaccounted = {
    full: unaccountedIn(tallies.full),
    content: unaccountedIn(tallies.content),
    any: unaccountedIn(tallies.any),
  };
  const left = (grain: Grain, value: string): number => unaccounted[grain].get(value) ?? 0;
  const account = ({ grains }: Pick<Intent, 'grains'>, found: readonly Grain[]): void => {
    for (const grain of found) {
      const value = grains[grain];
      unaccounted[grain].set(value, Math.max(0, left(grain, value) - 1));
    }
  };

  const isSame = intents.map((intent) => {
    if (left('full', intent.grains.full) === 0) return false;
    account(intent, ['full', 'content', 'any']);
    return true;
  });
  const contents = countBy(intents.map(({ grains }) => grains.content));
  const isAlike = intents.map(
    ({ grains }, index) => isSame[index] !== true && left('content', grains.content) > 0,
  );
  const isOnlyOne = intents.map(({ grains }, index) => {
    const { accounted = 0, unaccounted: more = 0 } = tallies.content.get(grains.content) ?? {};
    return isAlike[index] === true && accounted + more === 1 && contents.get(grains.content) === 1;
  });
  for (const [index, intent] of intents.entries()) {
    if (isOnlyOne[index] === true) account(intent, ['content', 'any']);
  }
  const verdicts = intents.map(({ grains }, index): Verdict => {
    if (isSame[index] === true) return 'same';
    if (isAlike[index] === true) return 'alike';
    return left('any', grains.any) > 0 || pruned.has(grains.any) ? 'doubt' : 'new';
  });
  const accounts = intents.map((_, index) => isSame[index] === true || isOnlyOne[index] === true);
  return { verdicts, accounts, unaccounted };
}
