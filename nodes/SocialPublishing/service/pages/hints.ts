import type { ListSoFar } from './listSoFar';
import { haveIds, recordsOf } from './stretches';

const MOVED =
  'Posts were added or removed while the list was read, and some may be missing. Run this again when fewer of them change.';
const REPEATED =
  'The service sent the same posts again instead of the next ones, so some may be missing.';
const NOT_COMPARED =
  'The posts of one page could not be compared with those of the next, so some may be missing or listed twice.';
const lacking = (total: number, count: number): string =>
  `The service says that there are ${total} posts, but it listed ${count}. Some may be missing: run this again.`;

/**
 * Why a list that was read may be incomplete, for the user.
 *
 * @param start the offset of the first record that was wanted
 */
export function hintFor(
  { stretches, first, total = 0, repeats }: ListSoFar,
  start: number,
): string {
  if (repeats) return REPEATED;
  const listed = start + recordsOf(stretches).length;
  if (total === first?.total && listed < total) return lacking(total, listed);
  const areCompared = haveIds(stretches) && stretches.some(({ records }) => records.length > 1);
  return areCompared ? MOVED : NOT_COMPARED;
}
