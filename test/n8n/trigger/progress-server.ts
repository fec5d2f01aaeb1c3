import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Step } from '../../../scripts/n8n/chain';
import { listen } from '../../support/server';
import { TRIGGER } from './workflows';

/** How long the work on each event takes, in milliseconds. */
const WORK_MS = 250;

/** Records from outside which events a workflow started to work on and which it finished. */
export interface ProgressServer {
  /** The IDs of the deliveries whose work started, in the order of arrival. */
  started: string[];
  /** The IDs of the deliveries whose run reached its end, in the order of arrival. */
  finished: string[];
  /** The nodes for the workflow: one that takes some time, and one that marks the end. */
  steps: Step[];
  /** Resolves when this many runs have reached their end. */
  waitForFinished(count: number): Promise<void>;
  /**
   * Lets no work finish until `resumeWork`.
   *
   * @returns the IDs of the paused deliveries; grows as they arrive
   */
  pauseWork(): string[];
  /** Finishes the paused work, unless its n8n was killed, and all work from now on. */
  resumeWork(): void;
  close(): Promise<void>;
}

/** Starts a progress server on this machine. */
export async function startProgressServer(): Promise<ProgressServer> {
  const started: string[] = [];
  const finished: string[] = [];
  let paused: string[] | undefined;
  const pausedResponses: ServerResponse[] = [];
  const server = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://progress');
    const id = searchParams.get('id') ?? '';
    if (pathname === '/end') {
      finished.push(id);
      response.end('ok');
      return;
    }
    started.push(id);
    if (paused) {
      paused.push(id);
      pausedResponses.push(response);
    } else void delay(WORK_MS).then(() => response.end('ok'));
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
    started,
    finished,
    steps: [call('Work', '/work'), call('End', '/end')],
    async waitForFinished(count) {
      while (finished.length < count) await delay(5);
    },
    pauseWork: () => (paused = []),
    resumeWork: () => {
      paused = undefined;
      for (const response of pausedResponses.splice(0)) response.end('ok');
    },
    close: () => server.close(),
  };
}
