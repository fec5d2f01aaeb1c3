import type { IExecuteFunctions } from 'n8n-workflow';

import { isStopped } from '../service/client';
import { inParallel } from '../service/inParallel';
import type { Outcome } from '../service/outcome';
import type { Service } from '../service/service';
import { stopsSending } from './outcomes';

/**
 * Sends what items ask for, in their order, until one ends the run. Items with different credentials
 * don't wait for each other.
 * @param concurrency how many requests may be under way at once with one credential
 * @param send returns what came of an item
 */
export async function sendAll<T extends { readonly service: Service }>(
  context: IExecuteFunctions,
  items: readonly T[],
  concurrency: number,
  send: (item: T) => Promise<Outcome<unknown>>,
): Promise<void> {
  const services = [...new Set(items.map(({ service }) => service))];
  await sendInGroups(
    context,
    services.map((service) => ({
      service,
      source: items.filter((item) => item.service === service),
      send,
    })),
    concurrency,
  );
}

/** What goes out with one credential. */
export interface Group<T> {
  readonly service: Service;
  readonly source: Iterable<T> | AsyncIterable<T>;
  /** Sends one, and returns what came of it. */
  readonly send: (item: T) => Promise<Outcome<unknown>>;
  /** Called when nothing more will be sent, so that a source that waits for progress ends. */
  readonly close?: () => void;
}

/**
 * Sends groups side by side, each in its order, until one of their outcomes ends the run.
 * @throws what a group threw first, when everything under way has ended
 */
export async function sendInGroups<T>(
  context: IExecuteFunctions,
  groups: ReadonlyArray<Group<T>>,
  concurrency: number,
): Promise<void> {
  const stopAll = (): void => {
    for (const { service, close } of groups) {
      service.stop();
      close?.();
    }
  };
  const running = groups.map(async ({ source, send }) => {
    await inParallel(source, concurrency, async (item) => {
      let goesOn = false;
      try {
        const outcome = await send(item);
        goesOn = !isStopped(outcome) && !stopsSending(context, outcome);
      } finally {
        if (!goesOn) stopAll();
      }
      return goesOn;
    });
  });
  await Promise.allSettled(running);
  for (const { service } of groups) service.resume();
  await Promise.all(running);
}
