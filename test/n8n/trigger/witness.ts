import { setTimeout as delay } from 'node:timers/promises';

import type { Step } from '../../../scripts/n8n/chain';
import { listen } from '../../support/server';
import { TRIGGER } from './workflows';

/** How long each event is worked on, in milliseconds. */
const WORK_MS = 250;

/** Sees from outside which events a workflow began to work on and which came to its end. */
export interface Witness {
  /** The ids of the deliveries whose work began, in the order of their arrival. */
  began: string[];
  /** The ids of the deliveries that came to the end, in the order of their arrival. */
  ended: string[];
  /** The nodes for the workflow: work that takes some time, and its end. */
  steps: Step[];
  /** Resolves when as many have come to the end. */
  sawEnds(count: number): Promise<void>;
  /**
   * From now on no work is finished, until it is let go on.
   *
   * @returns the ids of the deliveries whose work is held up, as they come
   */
  holdWork(): string[];
  letWork(): void;
  close(): Promise<void>;
}

/** Starts a witness on this machine. */
export async function openWitness(): Promise<Witness> {
  const began: string[] = [];
  const ended: string[] = [];
  let held: string[] | undefined;
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://witness');
    const id = searchParams.get('id') ?? '';
    if (pathname === '/end') {
      ended.push(id);
      response.end('ok');
      return;
    }
    began.push(id);
    if (held) held.push(id);
    else void delay(WORK_MS).then(() => response.end('ok'));
  });
  const call = (name: string, path: string): Step => ({
    name,
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      method: 'POST',
      url: `=${server.origin}${path}?id={{ $('${TRIGGER}').item.json.deliveryId }}`,
      options: {},
    },
  });
  return {
    began,
    ended,
    steps: [call('Work', '/work'), call('End', '/end')],
    async sawEnds(count) {
      while (ended.length < count) await delay(5);
    },
    holdWork: () => (held = []),
    letWork: () => (held = undefined),
    close: () => server.close(),
  };
}
