import type { IDataObject } from 'n8n-workflow';

import { destinationOf } from '../idempotency/intent';
import type { Done, Left, Result } from '../idempotency/results';
import { type Entry, nothingBeyond, type Recalled } from '../idempotency/rule';
import type { WriteOperation } from '../operations/operation';
import { type Failed, failed, type Succeeded, succeeded } from '../service/outcome';
import { capitalized } from '../service/words';
import type { ItemOfRun, Refused } from './check';
import { messageOf } from './errors';
import type { Memory } from './memory';
import { leftOpen, openInLog, type Uncertain } from './openWrites';
import { type Doubt, unreadableFailure } from './uncertainty';
import type { CheckedWrites, Wanted } from './wanted';

/** An item that an earlier try has carried out, and of which only the log knows. */
export interface WithoutRecord {
  readonly wanted: Wanted;
  readonly entry: Entry;
}

/** An item of which the log is asked. */
interface Unknown {
  readonly one: Wanted;
  /** What its own result, or another item of this try that says the same, left open. */
  readonly left: Left | undefined;
}

/** What is known of the items of a run from before it. */
export interface Recall {
  /** The items that an earlier try has carried out, with what it wrote. */
  readonly done: ReadonlyMap<number, Succeeded<IDataObject>>;
  /** Those of them whose record is not known. */
  readonly withoutRecord: readonly WithoutRecord[];
  /** The items whose fields can't be read. */
  readonly refused: ReadonlyMap<number, Failed>;
  readonly uncertain: readonly Uncertain[];
  /** The items that were certainly never sent. */
  readonly fresh: readonly Wanted[];
}

/**
 * Recalls all items of a run together, before anything is said about them: by their place in the results
 * of this execution, then, where that isn't done, by what the log has beyond what is behind.
 */
export async function recall(
  operation: WriteOperation,
  { wanted, refused: unreadable }: CheckedWrites,
  memory: Memory,
): Promise<Recall> {
  const { results, log } = memory;
  const done = new Map<number, Succeeded<IDataObject>>();
  const withoutRecord: WithoutRecord[] = [];
  const uncertain: Uncertain[] = [];
  const unknown: Unknown[] = [];
  const fresh: Wanted[] = [];
  const returned = (one: Wanted, { record, quota }: Done, entry: Entry): void => {
    done.set(one.index, succeeded(structuredClone(record ?? alreadyDone(operation, one)), quota));
    if (record === undefined) withoutRecord.push({ wanted: one, entry });
  };
  for (const one of wanted) {
    const own = results.find(one.intent);
    if (own !== undefined) results.claim(one.intent, own);
    if (own?.state !== 'done') {
      unknown.push({ one, left: own ?? log?.leftOpen(one.intent) });
      continue;
    }
    returned(one, own, own.entry);
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
      uncertain.push({ wanted: one, doubt, open: left ?? openInLog(one), entry: undefined });
    } else if (verdict.kind === 'new') fresh.push(one);
    else {
      const { entry } = verdict;
      if (verdict.kind === 'open') {
        const open = left?.entry === entry ? left : { ...openInLog(one), entry };
        uncertain.push(leftOpen(one, open));
        results.keep(one.intent, entry, open);
        continue;
      }
      const result: Done = { state: 'done', quota: {}, ...log?.remembered(entry) };
      results.keep(one.intent, entry, result);
      returned(one, result, entry);
    }
  }
  const refused = new Map<number, Failed>();
  for (const { index, failure, of } of unreadable) {
    const result = byItem.get(index);
    if (result?.state === 'done' && result.record !== undefined) {
      done.set(index, succeeded(structuredClone(result.record), result.quota));
      continue;
    }
    const count = result === undefined ? said.unaccounted(destinationOfItem(operation, of)) : 1;
    refused.set(
      index,
      failed(count === 0 ? failure : unreadableFailure(failure, count, operation.noun)),
    );
  }
  return { done, withoutRecord, refused, uncertain, fresh };
}

/** What an item returns that was carried out, when its record isn't known. */
export const alreadyDone = (
  { did }: WriteOperation,
  { asked: { body }, intent: { moment, scheduledAt } }: Wanted,
): IDataObject => ({
  workspaceId: body.workspaceId,
  ...(moment !== undefined && scheduledAt !== undefined && { scheduledAt }),
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
  { execution, log, results }: Memory,
): Promise<InLog> {
  const allUnknown = (problem: string): InLog => ({
    verdicts: [],
    doubt: { kind: 'notRecorded', said: problem },
    unaccounted: () => 1,
  });
  if (execution.kind === 'lost') return allUnknown(execution.problem);
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
