import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { processMemory } from '../idempotency/processMemory';
import type { WriteOperation } from '../operations/operation';
import { failed, type Succeeded } from '../service/outcome';
import type { Input } from './check';
import { fieldFailure, isTool, withFieldNames } from './errors';
import type { Memory } from './memory';
import { giveSlots } from './nextSlots';
import type { ItemReport, Report, Whence } from './outcomes';
import { recall } from './recall';
import { reconcile } from './reconcile';
import { commitAndSend } from './send';
import { MAY_MISS_POSTS } from './slotFailures';
import { freeSlot } from './slotsInUse';
import { settleTaken, sharedOutcome } from './takenSlots';
import { heldFailure } from './uncertainty';
import { checkWrites, conclude, sentFor, type Wanted, type WriteRun } from './wanted';

/**
 * Writes what every item asks for, each once, however often n8n runs the node in one execution
 * (docs/architecture.md, "The way of a write"). All items are checked and recalled before the first is
 * sent, and when no other call of the execution is sending in this process.
 */
export const write = async (
  context: IExecuteFunctions,
  operation: WriteOperation,
  input: Input,
  memory: Memory,
): Promise<Report> =>
  await processMemory.turns.take(
    memory.turn,
    async () => await writeInTurn(context, operation, input, memory),
  );

async function writeInTurn(
  context: IExecuteFunctions,
  operation: WriteOperation,
  { items, settings }: Input,
  memory: Memory,
): Promise<Report> {
  const checked = await checkWrites(operation, items);
  await recall(operation, checked, memory);
  const itemWith = new Map<unknown, number>();
  for (const { intent, outcome } of checked.wanted) {
    if (outcome?.ok === true) itemWith.set(outcome.value.id, intent.item);
  }
  for (const { index, outcome } of checked.unreadable) {
    if (outcome?.ok === true) itemWith.set(outcome.value.id, index);
  }
  const recalledAt = performance.now();
  const run: WriteRun = { context, operation, settings, memory, ...checked, recalledAt, itemWith };
  holdBack(run);
  try {
    await settleTaken(run);
    await giveSlots(run);
    await commitAndSend(run);
    await reconcile(run);
    return reportOn(run);
  } finally {
    for (const { intent } of run.wanted) freeSlot(memory, intent.destination, sentFor(intent));
  }
}

/**
 * Holds uncertain items back, unless the user chose to send them again; what is looked for is held until
 * then. That a time has passed counts only now: it may have been sent before.
 */
function holdBack({ operation, wanted }: WriteRun): void {
  for (const one of wanted) {
    const { outcome, before, uncertain, asked } = one;
    if (outcome !== undefined) continue;
    if (before !== undefined && uncertain !== 'send') {
      one.outcome = failed(heldFailure(before.doubt, operation, before.open));
    } else if (asked.refusal !== undefined) conclude(one, failed(fieldFailure(asked.refusal)));
  }
}

function reportOn({ context, operation, wanted, unreadable }: WriteRun): Report {
  const isForModel = isTool(context.getNode());
  const reports: ItemReport[] = [];
  for (const { index, outcome, whence } of unreadable) {
    reports[index] = {
      outcome: outcome?.ok ? { ...outcome, value: [outcome.value] } : outcome,
      whence,
    };
  }
  for (const one of wanted) one.outcome = inFieldNames(one);
  for (const one of wanted) {
    const { item, asked, first, isBeside, unseen } = one;
    const outcome = first?.outcome ? sharedOutcome(first.item.index, first.outcome) : one.outcome;
    const whence = first === undefined ? one.whence : 'skipped';
    reports[item.index] = {
      outcome: outcome?.ok ? shownAs(operation, one, outcome, whence, isForModel) : outcome,
      whence,
      write: asked,
      isBeside,
      isUnseen: unseen !== undefined,
    };
  }
  return reports;
}

/** What came of an item, in the words of its fields. */
function inFieldNames({ outcome, item, asked }: Wanted): Wanted['outcome'] {
  if (outcome?.ok !== false) return outcome;
  const failure = withFieldNames(outcome.failure, (path) =>
    path === 'workspaceId' ? item.workspaceField() : asked.fieldFor?.(path),
  );
  return failed(failure);
}

/** The record of an item with what is known of its write, such as when it is due. */
function shownAs(
  operation: WriteOperation,
  { asked, mayMissPosts }: Wanted,
  outcome: Succeeded<IDataObject>,
  whence: Whence | undefined,
  isForModel: boolean,
): Succeeded<IDataObject[]> {
  const { value: record, warnings: ofAnswer = [] } = outcome;
  const ofWrite = whence === 'skipped' ? [] : (asked.note?.warnings ?? []);
  const warnings = [...ofAnswer, ...ofWrite];
  const shown = {
    ...record,
    ...operation.output?.(record, asked),
    ...(warnings.length > 0 && { warnings }),
  };
  const isWritten = whence === undefined || whence === 'found';
  return {
    ...outcome,
    value: [isForModel && whence === 'earlier' ? withNote(operation, shown) : shown],
    ...(mayMissPosts === true && isWritten && { hint: MAY_MISS_POSTS }),
  };
}

/** What a model is told that calls again: it sees no lines above the output. */
const withNote = ({ noun, did }: WriteOperation, record: IDataObject): IDataObject => ({
  ...record,
  note: `An earlier call has ${did} this ${noun}. It was not ${did} again.`,
});
