import type { IExecuteFunctions } from 'n8n-workflow';

import type { Item } from '../parameters/item';
import { isStopped } from '../service/client';
import { inParallel } from '../service/inParallel';
import type { Outcome } from '../service/outcome';
import { stopsSending } from './outcomes';

/** How the items with one credential go out. */
export interface Lane<T> {
  readonly source: Iterable<T> | AsyncIterable<T>;
  /** Sends one, and returns what came of it. */
  readonly send: (one: T) => Promise<Outcome<unknown>>;
  /** Called when nothing more will be sent, so that a source that waits for progress ends. */
  readonly close?: () => void;
}

/**
 * Sends what items ask for, in their order, until one of their outcomes ends the run. Items with different
 * credentials don't wait for each other.
 * @param concurrency how many requests may be under way at once with one credential
 * @param laneOf how items with the same credential go out
 * @throws what was thrown first, when everything under way has ended
 */
export async function sendAll<I extends { readonly item: Pick<Item, 'service'> }, T>(
  context: IExecuteFunctions,
  items: readonly I[],
  concurrency: number,
  laneOf: (items: readonly I[]) => Lane<T>,
): Promise<void> {
  const services = [...new Set(items.map(({ item }) => item.service))];
  const lanes = services.map((service) =>
    laneOf(items.filter(({ item }) => item.service === service)),
  );
  const stopAll = (): void => {
    for (const service of services) service.stop();
    for (const { close } of lanes) close?.();
  };
  const running = lanes.map(async ({ source, send }) => {
    await inParallel(source, concurrency, async (one) => {
      let goesOn = false;
      try {
        const outcome = await send(one);
        goesOn = !isStopped(outcome) && !stopsSending(context, outcome);
      } finally {
        if (!goesOn) stopAll();
      }
      return goesOn;
    });
  });
  await Promise.allSettled(running);
  for (const service of services) service.resume();
  await Promise.all(running);
}
