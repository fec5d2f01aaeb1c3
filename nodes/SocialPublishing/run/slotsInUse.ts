import type { IDataObject } from 'n8n-workflow';

import { LIST_LAG_MS, REQUEST_LIFETIME_MS } from './tolerances';

/**
 * For how long a slot is kept for a post that was created, in milliseconds: a list may show it late, and
 * a run goes by what it has read.
 */
export const SLOT_KEPT_MS = 5 * 60_000;

/** Who has a slot: a run that may still send something for it, or what was sent. */
interface Holder {
  readonly run?: object;
  /** By the monotonic clock, in milliseconds. */
  readonly until: number;
  /** The post, where it is known. */
  readonly post?: IDataObject | undefined;
}

/** The slots that this n8n process has given out, in Unix milliseconds, by service and workspace. */
const holders = new Map<string, Map<number, Holder>>();

const isOver = ({ until }: Holder): boolean => until < performance.now();

/** The slots that the posts of the service may not show. */
export const slotsInUse = (destination: string): number[] =>
  [...(holders.get(destination) ?? [])].flatMap(([slot, holder]) => (isOver(holder) ? [] : [slot]));

function holderOf(destination: string, slot: number): Holder | undefined {
  const holder = holders.get(destination)?.get(slot);
  return holder === undefined || isOver(holder) ? undefined : holder;
}

/** The post that was created for a slot, while lists may not show it. */
export function createdFor(destination: string, slot: number): IDataObject | undefined {
  const { until = 0, post } = holderOf(destination, slot) ?? {};
  return until - SLOT_KEPT_MS > performance.now() - LIST_LAG_MS ? post : undefined;
}

function put(destination: string, slot: number, holder: Holder): void {
  if (Number.isNaN(slot)) return;
  const there = holders.get(destination) ?? new Map<number, Holder>();
  holders.set(destination, there);
  there.delete(slot);
  there.set(slot, holder);
  for (const [old, one] of there) {
    if (!isOver(one)) break;
    there.delete(old);
  }
}

/** Holds a slot for a run until {@link keepSlot} or {@link freeSlot}, unless it is in use. */
export function holdSlot(run: object, destination: string, slot: number): void {
  if (holderOf(destination, slot) === undefined) put(destination, slot, { run, until: Infinity });
}

/** Keeps a slot for a post, or until no request for one is on its way and a list shows what came of it. */
export function keepSlot(destination: string, slot: number, post?: IDataObject): void {
  const kept = post === undefined ? REQUEST_LIFETIME_MS + LIST_LAG_MS : SLOT_KEPT_MS;
  put(destination, slot, { until: performance.now() + kept, post });
}

/** Frees a slot for which a run has sent nothing. */
export function freeSlot(run: object, destination: string, slot: number): void {
  if (holderOf(destination, slot)?.run === run) holders.get(destination)?.delete(slot);
}
