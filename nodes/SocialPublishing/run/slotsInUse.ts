/** For how long a run may still go by posts that it has read, in milliseconds. */
const LONGEST_READ_MS = 10 * 60_000;

/** From when on the posts of the service show who has a slot, in Unix milliseconds. */
const shownFrom = new Map<string, Map<number, number>>();

/**
 * The slots of a workspace that other runs of this n8n process have given to items, and that posts may
 * not show which were read from `readAt` on. Runs at the same time would give out the same ones.
 *
 * @param destination names the service and the workspace
 * @param readAt Unix milliseconds
 */
export const slotsInUse = (destination: string, readAt: number): number[] =>
  [...(shownFrom.get(destination) ?? [])].flatMap(([slot, from]) => (from >= readAt ? [slot] : []));

/** Keeps slots for items of this run, until {@link endUse} says what became of them. */
export function use(destination: string, slots: Iterable<number>): void {
  const there = shownFrom.get(destination) ?? new Map<number, number>();
  shownFrom.set(destination, there);
  for (const slot of slots) there.set(slot, Infinity);
}

/**
 * Says what became of a slot that was in use.
 *
 * @param from when the posts of the service show it, in Unix milliseconds; `undefined` when it is free again
 */
export function endUse(destination: string, slot: number, from: number | undefined): void {
  const there = shownFrom.get(destination);
  if (there === undefined) return;
  if (from === undefined) there.delete(slot);
  else there.set(slot, from);
  for (const [old, time] of there) {
    if (time < Date.now() - LONGEST_READ_MS) there.delete(old);
  }
  if (there.size === 0) shownFrom.delete(destination);
}
