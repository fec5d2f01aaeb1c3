import { FreeSlots } from '../operations/freeSlots';
import { failed, type Succeeded } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import { fieldFailure } from './errors';
import { holdSlot, slotsInUse } from './slotsInUse';
import { conclude, sentFor, toSend, type Wanted, type WriteRun } from './wanted';

/** Puts an item in its slot, in Unix milliseconds. */
function putIn(one: Wanted, slot: number): void {
  const { nextSlot } = one.asked;
  if (nextSlot === undefined) return;
  one.asked = nextSlot.at(slot);
  one.intent = { ...one.intent, scheduledAt: new Date(slot).toISOString(), moment: slot };
}

/**
 * Gives each item that wants one the first slot from now on that is free, in their order, and holds it.
 * One walk through the posts of a workspace serves all items. What an earlier try may have sent keeps
 * its slot, until that has passed where it is sent again, and nobody else gets it.
 */
export async function giveSlots(run: WriteRun): Promise<void> {
  const { wanted, memory } = run;
  const now = Date.now();
  for (const one of wanted) {
    const before = one.before && sentFor(one.before.open);
    if (before !== undefined && before >= (one.outcome === undefined ? now : 0)) putIn(one, before);
  }
  const waiting = toSend(run).filter(({ asked: { nextSlot } }) => nextSlot !== undefined);
  for (const destination of new Set(waiting.map(({ intent }) => intent.destination))) {
    const there = waiting.filter(({ intent }) => intent.destination === destination);
    const posts = await postsFor(there);
    if (posts === undefined) continue;
    const taken = [
      ...posts.value.taken(),
      ...wanted.flatMap(({ asked: { slot }, intent }) =>
        intent.destination === destination && slot ? [sentFor(slot)] : [],
      ),
      ...slotsInUse(destination),
    ];
    const free = new FreeSlots(Date.now(), taken);
    for (const one of there.filter(({ outcome }) => outcome === undefined)) {
      const { week, noneFree } = one.asked.nextSlot!;
      one.mayMissPosts = posts.hint !== undefined;
      const slot = free.take(week);
      if (slot === undefined) conclude(one, failed(fieldFailure(noneFree)));
      else {
        putIn(one, slot);
        holdSlot(memory, destination, slot);
      }
    }
  }
}

/** The posts of the workspace that items share; items whose credential can't read them are refused. */
async function postsFor(items: readonly Wanted[]): Promise<Succeeded<ScheduledPosts> | undefined> {
  for (const one of items) {
    const outcome = await one.item.service.scheduledPosts(one.asked.nextSlot!.workspaceId);
    if (outcome.ok) return outcome;
    conclude(one, failed({ ...outcome.failure, certainty: 'notSent' }));
  }
  return undefined;
}
