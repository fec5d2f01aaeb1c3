import { failed, type Outcome } from '../service/outcome';
import { giveSlots } from './nextSlots';
import { slotBefore } from './openWrites';
import { type Outcomes, stopsRun } from './outcomes';
import { freeSlot } from './slotsInUse';
import type { Sorted, ToSend } from './sortOut';
import { settleTaken, type SlotTaker, type TakenSlots } from './takenSlots';
import { stillOpenFailure } from './uncertainty';
import { inSlot, sentFor, type Wanted, type WriteRun } from './wanted';

/** What becomes of the items of a run, each in its slot. */
export interface InSlots extends Sorted, Pick<TakenSlots, 'shared' | 'besides' | 'mayMissPosts'> {
  /** The items whose result is a post that was there already. */
  readonly skipped: ReadonlySet<number>;
  /** Lets other runs have the slots of items that were certainly not sent. */
  readonly end: () => void;
}

/**
 * Keeps the same post from being created twice, where the user wants that, and gives out free slots. What
 * an earlier try may have sent keeps its slot.
 * @param wanted all items of the run: those that are not sent hold their time, too
 */
export async function intoSlots(
  run: WriteRun,
  wanted: readonly Wanted[],
  { toSend, toLook, settled }: Sorted,
): Promise<InSlots> {
  const { context, memory } = run;
  const goOn = (outcomes: Outcomes): boolean => !stopsRun(context, outcomes.values());
  const taken = await settleTaken(run, goOn(settled) ? takersOf(wanted, toSend, settled) : []);
  const afterTaken = new Map([...settled, ...told(taken.settled, toSend)]);
  const free = await giveSlots(
    goOn(afterTaken) ? toSend : [],
    (destination) => momentsOf(wanted, destination),
    memory,
  );
  const all = new Map([...afterTaken, ...told(free.refused, toSend)]);
  const isLeft = ({ wanted: { index } }: ToSend): boolean =>
    !all.has(index) && !taken.shared.has(index);
  return {
    settled: all,
    toSend: (goOn(all) ? toSend.filter(isLeft) : []).map((one) => ({
      ...one,
      wanted: inSlot(one.wanted, free.slots.get(one.wanted.index)),
    })),
    toLook: toLook
      .filter((one) => all.get(one.wanted.index)?.ok !== true)
      .map((one) => ({ ...one, wanted: inSlot(one.wanted, slotBefore(one)) })),
    skipped: new Set([...taken.settled].flatMap(([index, { ok }]) => (ok ? [index] : []))),
    shared: taken.shared,
    besides: taken.besides,
    mayMissPosts: taken.mayMissPosts || free.mayMissPosts,
    end: () => {
      for (const { index, intent } of toSend.map((one) => one.wanted)) {
        freeSlot(memory, intent.destination, free.slots.get(index) ?? sentFor(intent));
      }
    },
  };
}

/** What came of items; of one that was to be sent again, an earlier try may have carried it out. */
function told(outcomes: Outcomes, toSend: readonly ToSend[]): Outcomes {
  const again = new Set(toSend.flatMap((one) => (one.again ? [one.wanted.index] : [])));
  return new Map(
    [...outcomes].map(([index, outcome]) => [
      index,
      outcome.ok || !again.has(index) ? outcome : failed(stillOpenFailure(outcome.failure)),
    ]),
  );
}

/** The items that take a slot. */
function takersOf(
  all: readonly Wanted[],
  toSend: readonly ToSend[],
  settled: Outcomes,
): SlotTaker[] {
  const sent = new Set(toSend.map(({ wanted: { index } }) => index));
  return all.flatMap((wanted): SlotTaker[] => {
    const { slot } = wanted.asked;
    const outcome = settled.get(wanted.index);
    if (slot === undefined || isCertainlyNotThere(outcome)) return [];
    const state = outcome?.ok === true ? 'done' : sent.has(wanted.index) ? 'open' : 'uncertain';
    return [{ wanted, slot, state }];
  });
}

const isCertainlyNotThere = (outcome: Outcome<unknown> | undefined): boolean =>
  outcome?.ok === false && outcome.failure.certainty !== 'uncertain';

/** The moments that items of the run ask for themselves, in Unix milliseconds. */
const momentsOf = (wanted: readonly Wanted[], destination: string): number[] =>
  wanted.flatMap(({ asked: { slot }, intent }) =>
    slot === undefined || intent.destination !== destination ? [] : [Date.parse(slot.scheduledAt)],
  );
