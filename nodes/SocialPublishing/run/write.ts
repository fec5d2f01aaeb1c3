import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { processMemory } from '../idempotency/processMemory';
import type { WriteOperation } from '../operations/operation';
import { failed, type Outcome, type Succeeded } from '../service/outcome';
import type { Input } from './check';
import { withFieldNames } from './errors';
import type { Memory } from './memory';
import { type Outcomes, type Report, reportOf, stopsRun } from './outcomes';
import { type Recall, recall } from './recall';
import { reconcile } from './reconcile';
import { commitAndSend } from './sendWrites';
import { type InSlots, intoSlots } from './slots';
import { sortOut } from './sortOut';
import { sharedOutcome } from './takenSlots';
import { type CheckedWrites, checkWrites, type Wanted, type WriteRun } from './wanted';

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
  const recalled = await recall(operation, checked, memory);
  const itemWith = new Map([...recalled.done].map(([item, { value }]) => [value.id, item]));
  const recalledAt = performance.now();
  const run: WriteRun = { context, operation, settings, memory, recalledAt, itemWith };
  const sorted = sortOut(operation, recalled);
  const slots = await intoSlots(run, checked.wanted, sorted);
  try {
    const sent = await commitAndSend(run, slots.toSend);
    const soFar = new Map([...slots.settled, ...sent.outcomes]);
    const looked = await reconcile(run, {
      toLook: [...slots.toLook, ...sent.toLook],
      withoutRecord: recalled.withoutRecord,
      goesOn: !stopsRun(context, soFar.values()),
    });
    const outcomes = new Map([...soFar, ...looked.outcomes]);
    return reportOn(run, items, { checked, recalled, slots, outcomes, found: looked.found });
  } finally {
    slots.end();
  }
}

/** What the stages of a run have found out. */
interface Stages extends Pick<Report, 'found'> {
  readonly checked: CheckedWrites;
  readonly recalled: Recall;
  readonly slots: InSlots;
  readonly outcomes: Outcomes;
}

function reportOn(
  { operation, memory }: WriteRun,
  items: Input['items'],
  { checked, recalled, slots, outcomes, found }: Stages,
): Report {
  const inTheirSlots = [...slots.toSend, ...slots.toLook].map(({ wanted }) => wanted);
  const told = inWords(checked.wanted, outcomes);
  for (const [index, first] of slots.shared) {
    const outcome = told.get(first);
    if (outcome !== undefined) told.set(index, sharedOutcome(first, outcome));
  }
  const isOk = (index: number): boolean => told.get(index)?.ok === true;
  const facts = {
    writes: new Map([...checked.wanted, ...inTheirSlots].map(({ index, asked }) => [index, asked])),
    earlier: new Set(recalled.done.keys()),
    skipped: new Set([...slots.skipped, ...[...slots.shared.keys()].filter(isOk)]),
    besides: slots.besides,
    found,
    mayMissPosts: slots.mayMissPosts,
    withoutRecord: recalled.withoutRecord
      .map(({ wanted: { index } }) => index)
      .filter((index) => outcomes.get(index) === recalled.done.get(index)),
  };
  const results = items.map(({ index }) => {
    const outcome = told.get(index);
    if (outcome?.ok !== true) return outcome;
    const record = shownOf(operation, outcome, index, facts);
    const isRecalled = memory.isTool && facts.earlier.has(index);
    return { ...outcome, value: [isRecalled ? withNote(operation, record) : record] };
  });
  return { ...reportOf(results), ...facts };
}

/** What came of items, in the words of their fields. */
function inWords(wanted: readonly Wanted[], outcomes: Outcomes): Map<number, Outcome<IDataObject>> {
  const named = new Map(outcomes);
  for (const { index, item, asked } of wanted) {
    const outcome = outcomes.get(index);
    if (outcome?.ok !== false) continue;
    const failure = withFieldNames(outcome.failure, (path) =>
      path === 'workspaceId' ? item.workspaceField() : asked.fieldFor?.(path),
    );
    named.set(index, failed(failure));
  }
  return named;
}

/** The record of an item with what is known of its write, such as when it is due. */
function shownOf(
  operation: WriteOperation,
  { value: record, warnings: ofAnswer = [] }: Succeeded<IDataObject>,
  index: number,
  { skipped, writes }: Pick<Report, 'skipped' | 'writes'>,
): IDataObject {
  const write = writes.get(index);
  const ofWrite = skipped.has(index) ? [] : (write?.note?.warnings ?? []);
  const warnings = [...ofAnswer, ...ofWrite];
  return {
    ...record,
    ...(write && operation.output?.(record, write)),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** What a model is told that calls again: it sees no lines above the output. */
const withNote = ({ noun, did }: WriteOperation, record: IDataObject): IDataObject => ({
  ...record,
  note: `An earlier call has ${did} this ${noun}. It was not ${did} again.`,
});
