import type { IDataObject } from 'n8n-workflow';

import { anyOf, destinationOf, GRAINS, hashOf } from '../idempotency/intent';
import { ALL_ACCOUNTED, recognize, type Recognized } from '../idempotency/recognize';
import type { Done, Result } from '../idempotency/results';
import type { WriteOperation } from '../operations/operation';
import { type Failed, failed, type Succeeded } from '../service/outcome';
import type { ItemOfRun, Refused } from './check';
import { messageOf } from './errors';
import type { Memory } from './memory';
import { inLog, leftOpen, type Uncertain } from './openWrites';
import { unreadableFailure } from './uncertainty';
import { aboutOf, type CheckedWrites, placeOf, type Wanted } from './wanted';

/** What is known of the items of a run from before it. */
export interface Recall {
  /** The items that an earlier try has carried out. */
  readonly done: ReadonlyMap<number, Succeeded<IDataObject>>;
  /** The items whose fields can't be read. */
  readonly refused: ReadonlyMap<number, Failed>;
  readonly uncertain: readonly Uncertain[];
  /** The items that were certainly never sent. */
  readonly fresh: readonly Wanted[];
  /** The entries of the log that nobody accounts for. */
  readonly unaccounted: Recognized['unaccounted'];
  readonly notes: RecallNotes;
}

/** What the user is told of items that an earlier try has carried out. */
export interface RecallNotes {
  /** Those that it carried out at another destination. */
  readonly elsewhere: readonly number[];
  /** Those that it carried out with another API key. */
  readonly otherKey: readonly number[];
}

/** The most writes to count that an item with unreadable fields may be one of. */
const MOST_COUNTED = 1000;

/**
 * Recalls all items of a run together, before anything is said about them: first in the results of this
 * execution, then in the log, for what the results don't account for.
 */
export async function recall(
  operation: WriteOperation,
  { wanted, refused: unreadable }: CheckedWrites,
  memory: Memory,
): Promise<Recall> {
  const { unknown, ...fromThisExecution } = fromResults(wanted, memory);
  const said = await fromLog(unknown, memory);
  const done = new Map(fromThisExecution.done);
  const refused = new Map<number, Failed>();
  for (const one of unreadable) {
    const result = memory.results.findAnywhere(one.index);
    if (result?.state === 'done') done.set(one.index, doneOf(result));
    else refused.set(one.index, await unreadableOf(operation, one, result, memory));
  }
  return {
    ...said,
    done,
    refused,
    uncertain: [...fromThisExecution.uncertain, ...said.uncertain],
    notes: fromThisExecution.notes,
  };
}

const doneOf = ({ record, quota }: Done): Succeeded<IDataObject> => ({
  ok: true,
  value: structuredClone(record),
  quota,
});

/** What the results of this execution say; a tool's calls go by what they say, not by their place. */
function fromResults(
  wanted: readonly Wanted[],
  { results, isTool }: Memory,
): Pick<Recall, 'uncertain' | 'done' | 'notes'> & { readonly unknown: readonly Wanted[] } {
  const done = new Map<number, Succeeded<IDataObject>>();
  const uncertain: Uncertain[] = [];
  const unknown: Wanted[] = [];
  const elsewhere: number[] = [];
  const otherKey: number[] = [];
  for (const one of wanted) {
    const { index, intent } = one;
    const { full } = intent.grains;
    const own = isTool ? results.sameCall(full) : results.find(placeOf(intent));
    if (own !== undefined) results.claim(own);
    if (own?.state === 'done') {
      done.set(index, doneOf(own));
      if (own.key !== hashOf(one.service.credential.apiKey)) otherKey.push(index);
      continue;
    }
    const open = own ?? results.openElsewhere(intent.text);
    if (open?.state === 'open') {
      uncertain.push(leftOpen(one, open, own !== undefined));
      continue;
    }
    if (results.findAnywhere(index)?.state === 'done') elsewhere.push(index);
    unknown.push(one);
  }
  return { done, uncertain, unknown, notes: { elsewhere, otherKey } };
}

/** What the log says of items that have no result. */
async function fromLog(
  wanted: readonly Wanted[],
  { name, log, results, mayBeRetry }: Memory,
): Promise<Pick<Recall, 'uncertain' | 'fresh' | 'unaccounted'>> {
  const allUnknown = (problem: string) => ({
    fresh: [],
    unaccounted: ALL_ACCOUNTED,
    uncertain: wanted.map((one) => inLog(one, { kind: 'notRecorded', problem })),
  });
  if (name === 'lost') return allUnknown('this n8n is too old to keep a log');
  if (log === undefined || !mayBeRetry) {
    return { fresh: wanted, unaccounted: ALL_ACCOUNTED, uncertain: [] };
  }
  const intents = wanted.map(({ intent }) => intent);
  const isSentAgain = wanted.some(({ uncertain }) => uncertain === 'send');
  const [read] = await Promise.allSettled([log.read(intents, results, isSentAgain)]);
  if (read.status === 'rejected') return allUnknown(messageOf(read.reason));
  const { verdicts, accounts, unaccounted } = recognize(intents, read.value);
  const fresh: Wanted[] = [];
  const uncertain: Uncertain[] = [];
  for (const [position, one] of wanted.entries()) {
    const verdict = verdicts[position]!;
    if (verdict === 'new') {
      fresh.push(one);
      continue;
    }
    const isSame = verdict === 'same';
    const number = results.accounted('full', one.intent.grains.full);
    const found = inLog(one, DOUBTS[verdict], isSame ? number : undefined);
    uncertain.push(found);
    if (accounts[position] === true) {
      const about = aboutOf(one, number, 0, isSame ? GRAINS : ['content', 'any']);
      results.keep(about, { ...found.open, isFromLog: true });
    }
  }
  return { uncertain, fresh, unaccounted };
}

const DOUBTS = {
  same: { kind: 'leftOpen' },
  alike: { kind: 'alike' },
  doubt: { kind: 'otherWords' },
} as const;

/** The failure for an item whose fields can't be read: an earlier try may have sent it. */
async function unreadableOf(
  { endpoint, noun }: WriteOperation,
  { failure, of }: Refused,
  result: Result | undefined,
  { name, log, results, mayBeRetry }: Memory,
): Promise<Failed> {
  if (result !== undefined || name === 'lost') return failed(unreadableFailure(failure, 1, noun));
  if (log === undefined || !mayBeRetry) return failed(failure);
  const destination = of === undefined ? undefined : destinationOfItem(of);
  const [counted] = await Promise.allSettled([
    destination === undefined
      ? log.hasEntries().then(Number)
      : log.countUnaccounted(anyOf(endpoint.path, destination), results, MOST_COUNTED),
  ]);
  const count = counted.status === 'fulfilled' ? counted.value : 1;
  return failed(count === 0 ? failure : unreadableFailure(failure, count, noun));
}

/** Where an item writes to; `undefined` when that can't be read either. */
function destinationOfItem({ item, service }: ItemOfRun): string | undefined {
  try {
    return destinationOf(service.credential.baseUrl, item.workspaceId());
  } catch {
    return undefined;
  }
}
