import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { intentOf, withDistinctContents } from '../idempotency/intent';
import type { ItemWrite, WriteOperation } from '../operations/operation';
import { failed, type Outcome, type Succeeded } from '../service/outcome';
import { check, type Checked, type Input, isRefused, type Refused } from './check';
import { commitAndSend, type ToSend } from './commit';
import { fieldFailure, withFieldNames } from './errors';
import type { Memory } from './memory';
import { giveSlots, type InNextSlot } from './nextSlots';
import { recall, type RecallNotes, type Uncertain, UNCERTAIN_CHOICES, type Wanted } from './recall';
import { lastCommitBefore, lookedFor } from './reconcile';
import { type ItemOutcomes, stopsRun } from './report';
import { settleSlots, sharedOutcome, type SlotItem } from './slots';
import { heldFailure, type Kind, stillOpenFailure } from './uncertainty';

/** What came of a run that writes. */
export interface WriteReport {
  readonly results: ItemOutcomes;
  /** What was to be written for each item that was checked. */
  readonly writes: ReadonlyMap<number, ItemWrite>;
  /** The items that an earlier try of the execution has carried out. */
  readonly earlier: ReadonlySet<number>;
  /** The items whose moment had a post already. */
  readonly skipped: ReadonlySet<number>;
  /** The items whose post was found by looking. */
  readonly found: readonly number[];
  /** Whether a post that has the time of an item may not have been seen. */
  readonly mayMissPosts: boolean;
  readonly notes: RecallNotes;
}

/**
 * Writes what every item asks for, each once, however often n8n runs the node in one execution
 * (docs/service.md, "Uncertain writes"). All items are checked and recalled before the first is sent.
 */
export async function write(
  context: IExecuteFunctions,
  operation: WriteOperation,
  input: Input,
  memory: Memory,
): Promise<WriteReport> {
  const kind: Kind = { path: operation.endpoint.path, noun: operation.noun };
  const checked = keptApart(
    (await check<ItemWrite>(input.items, (item) => operation.write(item))).map((one) =>
      isRefused(one) ? one : wantedFor(operation, one),
    ),
  );
  const recalled = await recall(operation, checked, memory);
  const results: ItemOutcomes = new Array<undefined>(checked.length).fill(undefined);
  const put = (index: number, outcome: Outcome<IDataObject>): void => {
    results[index] = inWords(checked[index], outcome);
  };
  for (const [index, outcome] of recalled.done) {
    put(index, memory.isTool ? answeredBefore(operation, outcome) : outcome);
  }
  for (const [index, outcome] of recalled.refused) put(index, outcome);
  const sorted = sortOut(recalled.uncertain, recalled.fresh, kind);
  for (const [index, outcome] of sorted.settled) put(index, outcome);

  let found: readonly number[] = [];
  const lastCommit = sorted.toLook.length === 0 ? 0 : await lastCommitBefore(memory);

  const again = new Set(sorted.toSend.flatMap((one) => (one.again ? [one.wanted.index] : [])));
  const slots = await settleSlots(
    stopsRun(context, results) ? [] : slotItems(checked, sorted.toSend, results),
  );
  const skipped = new Set<number>();
  const settle = (index: number, outcome: Outcome<IDataObject[]>): void => {
    results[index] = again.has(index) ? stillOpen(outcome) : outcome;
  };
  for (const [index, outcome] of slots.settled) {
    settle(index, outcome);
    if (outcome.ok) skipped.add(index);
  }
  const given = await giveSlots(
    stopsRun(context, results) ? [] : sorted.toSend.flatMap(inNextSlot),
    (destination) => momentsOf(checked, destination),
    memory,
  );
  for (const [index, outcome] of given.refused) settle(index, outcome);
  const placed = (one: Wanted): Wanted => inSlot(one, given.slots.get(one.index));
  const isOpen = (index: number): boolean =>
    results[index]?.ok !== true && !slots.shared.has(index);
  try {
    const sending = stopsRun(context, results)
      ? []
      : sorted.toSend
          .filter(({ wanted: { index } }) => results[index] === undefined && isOpen(index))
          .map((one) => ({ ...one, wanted: placed(one.wanted) }));
    const { outcomes, left } = await commitAndSend(context, operation, input.settings, memory, {
      toSend: sending,
      open: recalled.left,
      kind,
    });
    for (const [index, outcome] of outcomes) put(index, outcome);

    const look = await lookedFor(context, operation, input.settings, memory, {
      uncertain: [...sorted.toLook.filter(({ wanted: { index } }) => isOpen(index)), ...left],
      goesOn: !stopsRun(context, results),
      lastCommit,
      kind,
    });
    for (const [index, outcome] of look.outcomes) put(index, outcome);
    found = look.found;
  } finally {
    given.end((index) => results[index]);
  }
  for (const [index, other] of slots.shared) {
    const outcome = results[other];
    if (outcome === undefined) continue;
    results[index] = sharedOutcome(other, outcome);
    if (outcome.ok) skipped.add(index);
  }
  const writes = new Map(
    checked.flatMap((one) => (isRefused(one) ? [] : [[one.index, placed(one).asked] as const])),
  );
  const earlier = new Set(recalled.done.keys());
  return {
    results: memory.isTool
      ? results.map((result, index) =>
          earlier.has(index) || skipped.has(index)
            ? result
            : warned(result, writes.get(index)?.note?.warnings),
        )
      : results,
    writes,
    earlier,
    skipped,
    found,
    mayMissPosts: slots.mayMissPosts || given.mayMissPosts,
    notes: recalled.notes,
  };
}

/** What a model is answered, with what people read above the output: it sees the record alone. */
const warned = (
  result: ItemOutcomes[number],
  warnings: readonly string[] | undefined = [],
): ItemOutcomes[number] =>
  result?.ok === true && warnings.length > 0
    ? { ...result, value: result.value.map((record) => ({ ...record, warnings: [...warnings] })) }
    : result;

/** The failure of what an earlier try may have carried out. */
const stillOpen = <T>(outcome: Outcome<T>): Outcome<T> =>
  outcome.ok ? outcome : failed(stillOpenFailure(outcome.failure));

/** What a model is answered that calls again for the same: it sees the record alone. */
const answeredBefore = (
  { noun, did }: WriteOperation,
  { value, ...outcome }: Succeeded<IDataObject>,
): Succeeded<IDataObject> => ({
  ...outcome,
  value: { ...value, note: `An earlier call has ${did} this ${noun}. It was not ${did} again.` },
});

function wantedFor(
  { endpoint: { path } }: WriteOperation,
  one: Checked<ItemWrite>,
): Wanted | Refused {
  try {
    const { index, item, service, asked } = one;
    const { baseUrl } = service.credential;
    return {
      ...one,
      intent: intentOf({ item: index, path, baseUrl, ...asked }),
      uncertain: item.oneOf('options.uncertain', UNCERTAIN_CHOICES) ?? 'hold',
    };
  } catch (error) {
    return { index: one.index, failure: fieldFailure(error), of: one };
  }
}

/** The items of a run, no two of which share a content. */
function keptApart(checked: ReadonlyArray<Wanted | Refused>): Array<Wanted | Refused> {
  const wanted = withDistinctContents(checked.filter((one) => !isRefused(one)) as Wanted[]);
  const byIndex = new Map(wanted.map((one) => [one.index, one]));
  return checked.map((one) => byIndex.get(one.index) ?? one);
}

/** What becomes of each item that is not done: it is sent, looked for, or settled here. */
function sortOut(
  uncertain: readonly Uncertain[],
  fresh: readonly Wanted[],
  kind: Kind,
): {
  readonly settled: ReadonlyMap<number, Outcome<never>>;
  readonly toSend: readonly ToSend[];
  readonly toLook: readonly Uncertain[];
} {
  const settled = new Map<number, Outcome<never>>();
  const toSend: ToSend[] = [];
  const toLook: Uncertain[] = [];
  for (const wanted of fresh) {
    const { refusal } = wanted.asked;
    if (refusal === undefined) toSend.push({ wanted });
    else settled.set(wanted.index, failed(fieldFailure(refusal)));
  }
  for (const one of uncertain) {
    const { wanted, doubt, open } = one;
    const { refusal } = wanted.asked;
    if (wanted.uncertain === 'send') {
      if (refusal === undefined) toSend.push({ wanted, again: one });
      else settled.set(wanted.index, failed(stillOpenFailure(fieldFailure(refusal))));
      continue;
    }
    settled.set(wanted.index, failed(heldFailure(doubt, kind, open)));
    if (wanted.uncertain === 'look' && kind.path === '/posts') {
      toLook.push({ ...one, wanted: inSlot(wanted, keptSlot(one)) });
    }
  }
  toSend.sort((a, b) => a.wanted.index - b.wanted.index);
  return { settled, toSend, toLook };
}

/** What was written for an item, or why not, in the words of its fields. */
function inWords(
  one: Wanted | Refused | undefined,
  outcome: Outcome<IDataObject>,
): Outcome<IDataObject[]> {
  if (outcome.ok) return { ...outcome, value: [outcome.value] };
  if (one === undefined || isRefused(one)) return outcome;
  const { item, asked } = one;
  return failed(
    withFieldNames(outcome.failure, (path) =>
      path === 'workspaceId' ? item.workspaceField() : asked.fieldFor?.(path),
    ),
  );
}

/** The items that take a slot, in their order. */
function slotItems(
  checked: ReadonlyArray<Wanted | Refused>,
  toSend: readonly ToSend[],
  results: ItemOutcomes,
): SlotItem[] {
  const sent = new Set(toSend.map(({ wanted: { index } }) => index));
  return checked.flatMap((one) => {
    if (isRefused(one) || one.asked.slot === undefined) return [];
    const { index, service } = one;
    const { slot } = one.asked;
    const result = results[index];
    const isUncertain = result?.ok === false && result.failure.certainty === 'uncertain';
    if (result?.ok === false && !isUncertain) return [];
    const state = result?.ok === true ? 'done' : sent.has(index) ? 'open' : 'uncertain';
    return [{ index, service, slot, state }];
  });
}

/** The slot that an item was sent for, in Unix milliseconds; `undefined` when that is not known. */
function keptSlot({ wanted, open: { scheduledAt } }: Uncertain): number | undefined {
  if (wanted.asked.nextSlot === undefined || scheduledAt === undefined) return undefined;
  return Date.parse(scheduledAt);
}

/** One that is sent in the next free slot. */
function inNextSlot({ wanted, again }: ToSend): InNextSlot[] {
  const { index, service, intent, asked } = wanted;
  const next = asked.nextSlot;
  const kept = again === undefined ? undefined : keptSlot(again);
  return next === undefined
    ? []
    : [{ index, service, destination: intent.destination, next, kept }];
}

/** An item in its slot, in Unix milliseconds; as it is where it has none. */
function inSlot(wanted: Wanted, slot: number | undefined): Wanted {
  const { nextSlot } = wanted.asked;
  if (nextSlot === undefined || slot === undefined) return wanted;
  const asked = nextSlot.at(slot);
  const scheduledAt = new Date(slot).toISOString();
  return { ...wanted, asked, intent: { ...wanted.intent, scheduledAt, moment: slot } };
}

/** The moments that items of the run ask for themselves, in Unix milliseconds. */
const momentsOf = (checked: ReadonlyArray<Wanted | Refused>, destination: string): number[] =>
  checked.flatMap((one) =>
    isRefused(one) || one.asked.slot === undefined || one.intent.destination !== destination
      ? []
      : [Date.parse(one.asked.slot.scheduledAt)],
  );
