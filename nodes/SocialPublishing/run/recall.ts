import type { IDataObject } from 'n8n-workflow';

import {
  anyOf,
  destinationOf,
  type Grain,
  GRAINS,
  hashOf,
  type Intent,
  momentOf,
} from '../idempotency/intent';
import { NOTHING_OPEN, recognize, type Recognized } from '../idempotency/recognize';
import type { About, Done, Open, Place, Result } from '../idempotency/results';
import type { ItemWrite, WriteOperation } from '../operations/operation';
import { type Failed, failed, type Succeeded } from '../service/outcome';
import { type Checked, isRefused, type ItemOfRun, type Refused } from './check';
import type { Memory } from './memory';
import { type Doubt, unreadableFailure } from './uncertainty';

/** What is to become of a write that an earlier try may have carried out. */
export const UNCERTAIN_CHOICES = ['hold', 'look', 'send'] as const;

export type UncertainChoice = (typeof UNCERTAIN_CHOICES)[number];

/** An item that is checked, and what its write is recognized by. */
export interface Wanted extends Checked<ItemWrite> {
  readonly intent: Intent;
  readonly uncertain: UncertainChoice;
}

/** An item that an earlier try may have carried out. */
export interface Uncertain {
  readonly wanted: Wanted;
  readonly doubt: Doubt;
  /** What is known of it. */
  readonly open: Open;
  /** The entry of the log that it is for certain; `undefined` when that is not known. */
  readonly entry: { readonly number: number; readonly attempts: number } | undefined;
  /** What another run of the node left open that says the same. */
  readonly adopted?: Result;
}

/** What is known of the items of a run from before it. */
export interface Recall {
  /** The items that an earlier try has carried out. */
  readonly done: ReadonlyMap<number, Succeeded<IDataObject>>;
  /** The items that can't be sent. */
  readonly refused: ReadonlyMap<number, Failed>;
  readonly uncertain: readonly Uncertain[];
  /** The items that were certainly never sent. */
  readonly fresh: readonly Wanted[];
  /** The entries of the log that nobody accounts for. */
  readonly left: Recognized['open'];
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
  checked: ReadonlyArray<Wanted | Refused>,
  memory: Memory,
): Promise<Recall> {
  const wanted = checked.filter((one) => !isRefused(one)) as Wanted[];
  const unreadable = checked.filter(isRefused);
  const known = fromResults(wanted, memory);
  const said = await fromLog(known.unknown, memory);
  const done = new Map(known.done);
  const refused = new Map<number, Failed>();
  for (const one of unreadable) {
    const result = memory.results.findAnywhere(one.index);
    if (result?.state === 'done') done.set(one.index, doneOf(result));
    else refused.set(one.index, await unreadableOf(operation, one, result, memory));
  }
  return {
    done,
    refused,
    uncertain: [...known.uncertain, ...said.uncertain],
    fresh: said.fresh,
    left: said.left,
    notes: known.notes,
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
    const { text } = intent;
    const { full } = intent.grains;
    const own = isTool ? results.sameCall(full) : results.find(placeOf(intent));
    if (own?.state === 'done') {
      results.claim(own);
      done.set(index, doneOf(own));
      if (own.key !== hashOf(one.service.credential.apiKey)) otherKey.push(index);
      continue;
    }
    if (own !== undefined) results.claim(own);
    const open = own ?? results.openElsewhere(text);
    if (open?.state === 'open') {
      const isSame = own !== undefined || open.full === full;
      uncertain.push({
        wanted: one,
        doubt: { kind: 'leftOpen', message: open.message },
        open: openFor(one, open, isSame),
        entry: isSame ? { number: open.number, attempts: open.attempts } : undefined,
        ...(own === undefined && { adopted: open }),
      });
      continue;
    }
    if (results.findAnywhere(index)?.state === 'done') elsewhere.push(index);
    unknown.push(one);
  }
  return { done, uncertain, unknown, notes: { elsewhere, otherKey } };
}

/** What is left open, as far as it holds for an item: the time of something else is not its own. */
function openFor(
  { intent }: Wanted,
  { message, sentAt, endedAt, scheduledAt, candidates }: Open,
  isSame: boolean,
): Open {
  const isOwnTime = scheduledAt !== undefined && (isSame || scheduledAt === intent.scheduledAt);
  return {
    state: 'open',
    ...(message !== undefined && { message }),
    ...(sentAt !== undefined && { sentAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(isOwnTime && { scheduledAt }),
    ...(candidates !== undefined && { candidates }),
  };
}

/** What the log says of items that no result is known of. */
async function fromLog(
  wanted: readonly Wanted[],
  { name, log, results, mayBeRetry }: Memory,
): Promise<Pick<Recall, 'uncertain' | 'fresh' | 'left'>> {
  const allUnknown = (problem: string) => ({
    fresh: [],
    left: NOTHING_OPEN,
    uncertain: wanted.map((one) => uncertainFor(one, { kind: 'notRecorded', problem })),
  });
  if (name === 'lost') return allUnknown('this n8n is too old to keep a log');
  if (log === undefined || !mayBeRetry) return { fresh: wanted, left: NOTHING_OPEN, uncertain: [] };
  const [read] = await Promise.allSettled([
    log.read(
      wanted.map(({ intent }) => intent),
      results,
    ),
  ]);
  if (read.status === 'rejected') return allUnknown(messageOf(read.reason));
  const { verdicts, accounts, open } = recognize(
    wanted.map(({ intent }) => intent),
    read.value,
  );
  const uncertain: Uncertain[] = [];
  for (const [position, one] of wanted.entries()) {
    const verdict = verdicts[position];
    if (verdict === 'new' || verdict === undefined) continue;
    const isSame = verdict === 'same';
    const number = results.accounted('full', one.intent.grains.full);
    const found = uncertainFor(one, DOUBTS[verdict], isSame ? { number, attempts: 0 } : undefined);
    uncertain.push(found);
    if (accounts[position] === true) {
      results.keep(aboutOf(one, isSame ? GRAINS : ['content', 'any'], number), {
        ...found.open,
        isFromLog: true,
      });
    }
  }
  return { uncertain, fresh: wanted.filter((_, index) => verdicts[index] === 'new'), left: open };
}

const DOUBTS = {
  same: { kind: 'leftOpen' },
  alike: { kind: 'alike' },
  doubt: { kind: 'otherWords' },
} as const;

/** An item that the log may have, with the time that it was certainly sent for, if there is one. */
const uncertainFor = (wanted: Wanted, doubt: Doubt, entry?: Uncertain['entry']): Uncertain => {
  const { moment, scheduledAt } = wanted.intent;
  const isSent = entry !== undefined && moment !== undefined && scheduledAt !== undefined;
  return { wanted, doubt, open: { state: 'open', ...(isSent && { scheduledAt }) }, entry };
};

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
      ? log.hasBegun().then(Number)
      : log.countOpen(anyOf(endpoint.path, destination), results, MOST_COUNTED),
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

/** Where the results keep what became of an intent. */
export const placeOf = ({ item, destination, grains: { full } }: Intent): Place => ({
  item,
  destination,
  full,
});

/**
 * What the results know a write by.
 *
 * @param grains those by which it accounts for an entry of the log
 */
export const aboutOf = (
  { index, intent, service }: Wanted,
  grains: readonly Grain[] = GRAINS,
  number = 0,
  attempts = 0,
): About => ({
  item: index,
  destination: intent.destination,
  entry: {
    ...Object.fromEntries(grains.map((grain) => [grain, intent.grains[grain]])),
    ...(intent.moment !== undefined && { moment: momentOf(intent)! }),
  },
  number,
  attempts,
  text: intent.text,
  full: intent.grains.full,
  key: hashOf(service.credential.apiKey),
});

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
