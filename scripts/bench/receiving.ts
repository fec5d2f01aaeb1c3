import { randomBytes } from 'node:crypto';

import {
  type CreateDelivery,
  forgedDelivery,
  forSeconds,
  sendAll,
  signedDelivery,
} from '../load/deliveries';
import type { DeliveryRequest } from '../load/send';
import type { N8nInstance } from '../n8n/instance';
import { outputOf } from '../n8n/rest';
import { ACCEPTED, publishOthers, publishOurs, type Receiver } from './receivers';
import { median, ratio, row } from './report';

const SIDES = ['ours', 'others'] as const;
type Side = (typeof SIDES)[number];

/** How a delivery is signed. */
const KINDS = ['valid', 'forged'] as const;
type DeliveryKind = (typeof KINDS)[number];

/** What each side does with a delivery of each kind: the answer, and how many executions it starts. */
const EXPECTED: Record<Side, Record<DeliveryKind, { status: number; executions: 0 | 1 }>> = {
  ours: { valid: { status: 200, executions: 1 }, forged: { status: 401, executions: 0 } },
  others: { valid: { status: 200, executions: 1 }, forged: { status: 200, executions: 1 } },
};

/** Deliveries per second, medians over all rounds. */
export type Throughput = Record<DeliveryKind, Record<Side, number>>;

/** How n8n is set up: see docs/trigger.md. */
export interface Setting {
  title: string;
  /** Environment variables of n8n. */
  environment: Record<string, string>;
}

/** The settings to measure. */
export const settings: readonly Setting[] = [
  { title: "n8n's default settings", environment: {} },
  {
    title: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
    environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
  },
];

export interface ReceivingOptions {
  /** For how long each side gets deliveries of a kind in a round. */
  seconds: number;
  rounds: number;
}

const successes = async ({ api }: N8nInstance, { workflowId }: Receiver): Promise<number> =>
  (await api.executions(workflowId, 1, ['success'])).count;

/** Checks that the workflow lets a signed delivery through and stops a forged one. */
async function assertTellsApart(n8n: N8nInstance, receiver: Receiver, secret: string) {
  await sendAll(receiver.url, [signedDelivery(secret), forgedDelivery()]);
  await n8n.api.executionsEnded(receiver.workflowId);
  const { results } = await n8n.api.executions(receiver.workflowId);
  const executions = await Promise.all(results.map(({ id }) => n8n.api.execution(id)));
  const passed = executions.flatMap((execution) => outputOf(execution, ACCEPTED)).length;
  if (passed !== 1) throw new Error(`Of a valid and a forged delivery ${passed} came through.`);
}

/**
 * Sends deliveries and waits until n8n is done with them.
 *
 * @returns how many per second
 * @throws Error when the answers or the number of executions are not what is to be measured
 */
async function measure(
  n8n: N8nInstance,
  receiver: Receiver,
  deliveries: Iterable<DeliveryRequest>,
  expected: { status: number; executions: number },
): Promise<number> {
  const before = await successes(n8n, receiver);
  const start = performance.now();
  const statuses = await sendAll(receiver.url, deliveries);
  await n8n.api.executionsEnded(receiver.workflowId);
  const seconds = (performance.now() - start) / 1000;
  const other = statuses.find((status) => status !== expected.status);
  if (other !== undefined) throw new Error(`A delivery was answered with ${other}.`);
  const executions = (await successes(n8n, receiver)) - before;
  if (executions !== statuses.length * expected.executions) {
    throw new Error(`${statuses.length} deliveries gave ${executions} executions.`);
  }
  return statuses.length / seconds;
}

/**
 * Measures our trigger and n8n's own nodes side by side in one n8n, which has been started with the
 * setting: 16 senders at once, first with valid deliveries alone, then with forged ones alone. A first
 * round, which warms up, doesn't count.
 */
export async function compareReceiving(
  n8n: N8nInstance,
  { seconds, rounds }: ReceivingOptions,
): Promise<Throughput> {
  const secret = randomBytes(24).toString('hex');
  const receivers: Record<Side, Receiver> = {
    ours: await publishOurs(n8n, secret),
    others: await publishOthers(n8n, secret),
  };
  for (const side of SIDES) await assertTellsApart(n8n, receivers[side], secret);

  const make: Record<DeliveryKind, CreateDelivery> = {
    valid: () => signedDelivery(secret),
    forged: forgedDelivery,
  };
  const measured = { valid: { ours: [], others: [] }, forged: { ours: [], others: [] } } as Record<
    DeliveryKind,
    Record<Side, number[]>
  >;
  for (let round = 0; round <= rounds; round++) {
    for (const kind of KINDS) {
      for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
        const deliveries = forSeconds(seconds, make[kind]);
        const perSecond = await measure(n8n, receivers[side], deliveries, EXPECTED[side][kind]);
        if (round > 0) measured[kind][side].push(perSecond);
      }
    }
  }
  const medians = ({ ours, others }: Record<Side, number[]>) => ({
    ours: median(ours),
    others: median(others),
  });
  return { valid: medians(measured.valid), forged: medians(measured.forged) };
}

/** A table of throughputs and ratios. */
export const receivingTable = ({ title }: Setting, throughput: Throughput): string =>
  [
    '',
    title,
    row('deliveries per second', 'ours', "n8n's nodes", 'ratio'),
    ...KINDS.map((kind) => {
      const { ours, others } = throughput[kind];
      return row(kind, ours.toFixed(1), others.toFixed(1), ratio(others, ours));
    }),
  ].join('\n');
