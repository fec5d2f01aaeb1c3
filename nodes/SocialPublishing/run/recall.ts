import type { IDataObject } from 'n8n-workflow';

import { destinationOf, type Intent } from '../idempotency/intent';
import type { Done, Left, Open, Result } from '../idempotency/results';
import { type Entry, nothingBeyond, type Recalled, type Verdict } from '../idempotency/rule';
import type { WriteOperation } from '../operations/operation';
import type { Item } from '../parameters/item';
import { failed, succeeded } from '../service/outcome';
import { capitalized } from '../service/words';
import { messageOf } from './errors';
import type { Memory } from './memory';
import { type Doubt, unreadableFailure } from './uncertainty';
import { leftOpen, type Wanted, type WriteRun } from './wanted';

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
  for (const one of wanted) {
    const own = results.find(one.intent);
    if (own !== undefined) results.claim(one.intent, own);
    if (own?.state === 'done') returned(operation, one, own, own.entry);
    else {
      // Another item of this try that says the same may have left it open.
      const left = own ?? log?.ofTry.leftOpen.get(one.intent.full);
      one.before = left && leftOpen(left);
    }
  }
  const byItem = unreadable.length === 0 ? new Map<number, Result>() : results.byItem();
  for (const one of unreadable) {
    const result = byItem.get(one.index);
    if (result?.state !== 'done' || result.record === undefined) continue;
    one.whence = 'earlier';
    one.outcome = succeeded(structuredClone(result.record), result.quota);
  }
  const unknown = wanted.filter(({ outcome }) => outcome === undefined);
  const unplaced = unreadable.filter(({ index }) => !byItem.has(index));
  const others = unplaced.map(({ of }) => destinationOfItem(operation, of));
  const said = await inLog(unknown, others, memory);
  for (const [position, one] of unknown.entries()) {
    takeVerdict(operation, one, said.verdicts[position], said.doubt, memory);
  }
  for (const one of unreadable) {
    const count = byItem.has(one.index) ? 1 : said.unaccounted;
    if (count > 0 && one.outcome?.ok !== true) {
      one.outcome = failed(unreadableFailure(one.failure, count, operation.noun));
    }
  }
}

/**
 * Takes what the log says of an item.
 * @param doubt that of an item of which the log can't tell anything
 */
function takeVerdict(
  operation: WriteOperation,
  one: Wanted,
  verdict: Verdict | undefined,
  doubt: Doubt,
  { results, log }: Memory,
): void {
  const { intent, before } = one;
  if (verdict?.kind === 'return') {
    const result = log?.remembered(verdict.entry) ?? { state: 'done', quota: {} };
    results.keep(intent, verdict.entry, result);
    returned(operation, one, result, verdict.entry);
  } else if (verdict?.kind === 'open') {
    const { entry } = verdict;
    const open: Left =
      before?.entry === entry ? { ...before.open, entry } : { ...openInLog(one), entry };
    one.before = leftOpen(open);
    results.keep(intent, entry, open);
  } else {
    if (verdict !== undefined) results.forget(intent);
    // Retry On Fail asks a tool again for what it got no answer to, perhaps at another time.
    const isNew = verdict?.kind === 'new' && !results.mayHave(intent);
    const why = verdict?.kind === 'held' ? { kind: verdict.why } : doubt;
    const open = before?.open ?? openInLog(one);
    one.before = isNew ? undefined : { doubt: why, open, entry: undefined };
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
  one.before = undefined;
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

/**
 * What the log says of items whose result isn't done. Where it can't be asked, there are no verdicts.
 * @param others where items write to whose fields can't be read, as far as that is known
 * @returns also the doubt about what it can't tell
 */
async function inLog(
  wanted: readonly Wanted[],
  others: ReadonlyArray<string | undefined>,
  { problem, log, results }: Memory,
): Promise<Recalled & { readonly doubt: Doubt }> {
  const allUnknown = (why: string) => ({
    verdicts: [],
    doubt: { kind: 'notRecorded', said: why } as const,
    unaccounted: 1,
  });
  if (problem !== undefined) return allUnknown(problem);
  const said = wanted.map(({ intent, before }) => ({ ...intent, left: before?.entry }));
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
  of: Item | undefined,
): string | undefined {
  try {
    return of && destinationOf(path, of.service.credential.baseUrl, of.workspaceId());
  } catch {
    return undefined;
  }
}
