import type { IDataObject } from 'n8n-workflow';

import { destinationOf, type Intent } from '../idempotency/intent';
import type { Done, Left, Open, Result } from '../idempotency/results';
import { type Entry, nothingBeyond, type Recalled } from '../idempotency/rule';
import type { WriteOperation } from '../operations/operation';
import { failed, succeeded } from '../service/outcome';
import { capitalized } from '../service/words';
import type { ItemOfRun, Refused } from './check';
import { messageOf } from './errors';
import type { Memory } from './memory';
import { type Doubt, unreadableFailure } from './uncertainty';
import { leftOpen, type Wanted, type WriteRun } from './wanted';

/** An item of which the log is asked. */
interface Unknown {
  readonly one: Wanted;
  /** What its own result, or another item of this try that says the same, left open. */
  readonly left: Left | undefined;
}

/**
 * Recalls all items of a run together, before anything is said about them: by their place in the results
 * of this execution, then, where that isn't done, by what the log has beyond what is behind.
 */
export async function recall(
  operation: WriteOperation,
  { wanted, unreadable }: Pick<WriteRun, 'wanted' | 'unreadable'>,
  memory: Memory,
): Promise<void> {
  const { results, log } = memory;
  const unknown: Unknown[] = [];
  for (const one of wanted) {
    const own = results.find(one.intent);
    if (own !== undefined) results.claim(one.intent, own);
    if (own?.state === 'done') returned(operation, one, own, own.entry);
    else unknown.push({ one, left: own ?? log?.ofTry.leftOpen.get(one.intent.full) });
  }
  const byItem = unreadable.length === 0 ? new Map<number, Result>() : results.byItem();
  const unplaced = unreadable.filter(({ index }) => !byItem.has(index));
  const said = await inLog(operation, unknown, unplaced, memory);
  for (const [position, { one, left }] of unknown.entries()) {
    const verdict = said.verdicts[position];
    if (verdict?.kind === 'new' || verdict?.kind === 'held') results.forget(one.intent);
    // Retry On Fail asks a tool again for what it got no answer to, perhaps at another time.
    const isAgain = verdict?.kind === 'new' && results.mayHave(one.intent);
    if (verdict === undefined || verdict.kind === 'held' || isAgain) {
      const doubt: Doubt = verdict?.kind === 'held' ? { kind: verdict.why } : said.doubt;
      one.before = { doubt, open: left ?? openInLog(one), entry: undefined };
    } else if (verdict.kind === 'open') {
      const { entry } = verdict;
      const open = left?.entry === entry ? left : { ...openInLog(one), entry };
      one.before = leftOpen(open);
      results.keep(one.intent, entry, open);
    } else if (verdict.kind === 'return') {
      const result = log?.remembered(verdict.entry) ?? { state: 'done', quota: {} };
      results.keep(one.intent, verdict.entry, result);
      returned(operation, one, result, verdict.entry);
    }
  }
  for (const one of unreadable) {
    const { index, failure, of } = one;
    const result = byItem.get(index);
    if (result?.state === 'done' && result.record !== undefined) {
      one.whence = 'earlier';
      one.outcome = succeeded(structuredClone(result.record), result.quota);
      continue;
    }
    const count = result === undefined ? said.unaccounted(destinationOfItem(operation, of)) : 1;
    if (count > 0) one.outcome = failed(unreadableFailure(failure, count, operation.noun));
  }
}

/** Takes what an earlier try has carried out as what came of an item. */
export function returned(
  operation: WriteOperation,
  one: Wanted,
  { record, quota }: Pick<Done, 'record' | 'quota'>,
  entry: Entry,
): void {
  one.whence = 'earlier';
  one.outcome = succeeded(structuredClone(record ?? alreadyDone(operation, one)), quota);
  one.unseen = record === undefined ? entry : undefined;
}

/** What is known of an item of which only the log knows that it may have been sent. */
const openInLog = ({ intent }: Wanted): Open => ({ state: 'open', ...sameTime(intent) });

/** The time that an item is sent for, where each try comes to the same. */
const sameTime = ({ moment, scheduledAt }: Intent): Pick<Open, 'scheduledAt'> =>
  moment !== undefined && scheduledAt !== undefined ? { scheduledAt } : {};

/** What an item returns that was carried out, when its record isn't known. */
const alreadyDone = (
  { did }: WriteOperation,
  { asked: { body }, intent }: Wanted,
): IDataObject => ({
  workspaceId: body.workspaceId,
  ...sameTime(intent),
  [`already${capitalized(did)}`]: true,
});

/** What the log says. Where it can't be asked, there are no verdicts, but a doubt. */
interface InLog extends Recalled {
  readonly doubt: Doubt;
}

/**
 * What the log says of items whose result isn't done.
 * @param unreadable items that it may have, although their fields can't be read
 */
async function inLog(
  operation: WriteOperation,
  wanted: readonly Unknown[],
  unreadable: readonly Refused[],
  { problem, log, results }: Memory,
): Promise<InLog> {
  const allUnknown = (why: string): InLog => ({
    verdicts: [],
    doubt: { kind: 'notRecorded', said: why },
    unaccounted: () => 1,
  });
  if (problem !== undefined) return allUnknown(problem);
  const said = wanted.map(({ one, left }) => ({ ...one.intent, left: left?.entry }));
  const others = unreadable.map(({ of }) => destinationOfItem(operation, of));
  const [recalled] = await Promise.allSettled([
    log === undefined ? nothingBeyond(said) : log.recall(said, others, results),
  ]);
  return recalled.status === 'fulfilled'
    ? { ...recalled.value, doubt: { kind: 'otherWords' } }
    : allUnknown(messageOf(recalled.reason));
}

/** Where an item writes to; `undefined` when that can't be read either. */
function destinationOfItem(
  { endpoint: { path } }: WriteOperation,
  of: ItemOfRun | undefined,
): string | undefined {
  try {
    return of && destinationOf(path, of.service.credential.baseUrl, of.item.workspaceId());
  } catch {
    return undefined;
  }
}
