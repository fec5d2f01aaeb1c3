import type { IDataObject } from 'n8n-workflow';

import { platformKey, squash, wordsFor } from '../../platforms/platforms';
import { textOf } from '../values';
import type { AccountIndex } from './accountIndex';
import { namesOf } from './accountLabels';

const MOST = 3;

/** Names of fewer letters are a step or two from everything. */
const SHORTEST = 3;

/** Whether so many steps make one text the other: a letter more, less or other, or two swapped. */
function isWithin(steps: number, from: string, to: string): boolean {
  let same = 0;
  while (same < from.length && from[same] === to[same]) same += 1;
  const [a, b] = [from.slice(same), to.slice(same)];
  if (a === '' || b === '') return a.length + b.length <= steps;
  if (steps === 0) return false;
  const rest = (ofA: number, ofB: number): boolean =>
    isWithin(steps - 1, a.slice(ofA), b.slice(ofB));
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return rest(1, 0) || rest(0, 1) || rest(1, 1) || (isSwapped && rest(2, 2));
}

/** In how many steps a typo becomes a name; infinite where it is no typo of it. */
function stepsTo(name: string, typo: string): number {
  const length = Math.min(name.length, typo.length);
  const most = length < 5 ? 1 : 2;
  if (length < SHORTEST || Math.abs(name.length - typo.length) > most) return Infinity;
  for (let steps = 0; steps <= most; steps += 1) if (isWithin(steps, typo, name)) return steps;
  return Infinity;
}

/** What may be meant by a typo: the name of an account, and how it is compared. */
interface Candidate {
  readonly account: IDataObject;
  readonly name: string;
  readonly squashed: string;
}

/** Worked out once for each list: a sheet may have a typo in each row. */
const candidates = new WeakMap<AccountIndex, readonly Candidate[]>();

function candidatesOf(known: AccountIndex): readonly Candidate[] {
  const all =
    candidates.get(known) ??
    known.accounts.flatMap((account) =>
      [
        ...namesOf(account),
        ...wordsFor(platformKey(textOf(account.platform))),
        textOf(account.displayName),
      ].map((name) => ({ account, name, squashed: squash(name) })),
    );
  candidates.set(known, all);
  return all;
}

/** What may have been meant by a name that no account has: names that mean one account, the nearest first. */
export function suggestions(written: string, known: AccountIndex): string[] {
  const typo = squash(written);
  const near = [0, 1, 2].map((): Candidate[] => []);
  for (const candidate of candidatesOf(known)) {
    near[stepsTo(candidate.squashed, typo)]?.push(candidate);
  }
  const names = new Map<IDataObject, string>();
  for (const { account, name } of near.flat()) {
    if (names.size === MOST) break;
    if (!names.has(account) && known.isOnly(account, name)) names.set(account, name);
  }
  return [...names.values()];
}
