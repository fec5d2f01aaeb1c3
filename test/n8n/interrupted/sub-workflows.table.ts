import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { startFreshN8n } from '../support/fresh';
import { isSince } from '../support/version';
import { Calling, type Mode, type Outcome, type Situation, textsOf } from './calling';

const userFolder = join(workDir(), 'sub-workflows');

/** n8n tells a sub-execution which one called it, and gives retries a name, from this version on. */
const isKnown = isSince('2.14');

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };
const UNSAVED = { saveDataErrorExecution: 'none', saveDataSuccessExecution: 'none' } as const;
const PROGRESS = { saveExecutionProgress: true } as const;
const IN_A_DAY = { publish: 'at', scheduledAt: '={{ $now.plus({ days: 1 }).toISO() }}' };
const CHANGING = { content: '={{ $json.text }}, said as {{ Math.random() }}' };
const SIGNED = {
  mediaUrls: '={{ "https://media.example/1.jpg?X-Amz-Signature=" + Math.random() }}',
};

const SHAPES: Array<[string, Mode[]]> = [
  ['once', ['once']],
  ['for each item', ['each']],
  ['through another, once', ['once', 'once']],
  ['through another, for each item', ['once', 'each']],
];

const INTERRUPTIONS = ['refusal', 'stop', 'timeout', 'kill'] as const;

const situations: Situation[] = [
  ...SHAPES.flatMap(([shape, modes]) =>
    INTERRUPTIONS.map((by): Situation => ({
      name: `${by}, called ${shape}`,
      modes,
      by,
      ...(by === 'timeout' && { settings: { executionTimeout: 3 } }),
    })),
  ),
  {
    name: 'refusal in the third of five rounds',
    modes: ['once'],
    by: 'refusal',
    after: 5,
    texts: textsOf(10),
    loopOf: 2,
  },
  {
    name: 'kill in the third of five rounds',
    modes: ['once'],
    by: 'kill',
    after: 5,
    texts: textsOf(10),
    loopOf: 2,
  },
  {
    name: 'refusal, two nodes call side by side',
    modes: ['once'],
    by: 'refusal',
    second: 'beside',
  },
  {
    name: 'kill, two nodes call side by side',
    modes: ['once'],
    by: 'kill',
    after: 9,
    second: 'beside',
  },
  { name: 'refusal after a wait', modes: ['once'], by: 'refusal', wait: 'before' },
  {
    name: 'refusal after a call and a wait',
    modes: ['once'],
    by: 'refusal',
    after: 9,
    second: 'after',
    wait: 'between',
  },
  {
    name: 'kill after a call and a wait',
    modes: ['once'],
    by: 'kill',
    after: 9,
    second: 'after',
    wait: 'between',
  },
  {
    name: 'kill, progress saved',
    modes: ['once'],
    by: 'kill',
    settings: PROGRESS,
    subSettings: PROGRESS,
  },
  { name: 'refusal, not saved', modes: ['once'], by: 'refusal', subSettings: UNSAVED },
  { name: 'kill, not saved', modes: ['each'], by: 'kill', subSettings: UNSAVED },
  {
    name: 'refusal, the first of two calls not awaited',
    modes: ['once'],
    by: 'refusal',
    after: 9,
    isNotAwaited: true,
    second: 'after',
  },
  {
    name: 'kill, not awaited, the sub-execution retried',
    modes: ['once'],
    by: 'kill',
    isNotAwaited: true,
    retry: 'sub-execution',
  },
  {
    name: 'refusal, the sub-execution retried',
    modes: ['once'],
    by: 'refusal',
    retry: 'sub-execution',
  },
  { name: 'refusal, an error workflow posts', modes: ['once'], by: 'refusal', errorWorkflow: true },
  { name: 'Retry On Fail of the node', modes: ['once'], by: 'refusal', create: RETRY },
  { name: 'Retry On Fail of the calling node', modes: ['once'], by: 'refusal', call: RETRY },
  { name: 'Retry On Fail of both', modes: ['once'], by: 'refusal', call: RETRY, create: RETRY },
  { name: 'Retry On Fail of the node, each', modes: ['each'], by: 'refusal', create: RETRY },
  { name: 'Retry On Fail of the calling node, each', modes: ['each'], by: 'refusal', call: RETRY },
  { name: 'refusal, texts change', modes: ['once'], by: 'refusal', publish: CHANGING },
  { name: 'kill, texts change', modes: ['once'], by: 'kill', publish: CHANGING },
  {
    name: 'kill, texts made before the call change',
    modes: ['once'],
    by: 'kill',
    textsByRetry: textsOf(6).map((text) => `${text}, said otherwise`),
  },
  {
    name: 'refusal, texts made before the call would change',
    modes: ['once'],
    by: 'refusal',
    textsByRetry: textsOf(6).map((text) => `${text}, said otherwise`),
  },
  { name: 'refusal, times change', modes: ['once'], by: 'refusal', publish: IN_A_DAY },
  { name: 'kill, times change', modes: ['once'], by: 'kill', publish: IN_A_DAY },
  { name: 'refusal, links signed anew', modes: ['once'], by: 'refusal', publish: SIGNED },
  { name: 'kill, links signed anew', modes: ['once'], by: 'kill', publish: SIGNED },
  {
    name: 'refusal, a new entry in front',
    modes: ['once'],
    by: 'refusal',
    asksItself: true,
    textsByRetry: ['Post 6', ...textsOf(6)],
  },
  {
    name: 'kill, a new entry in front',
    modes: ['once'],
    by: 'kill',
    asksItself: true,
    textsByRetry: ['Post 6', ...textsOf(6)],
  },
];

const killed = situations.filter(({ by }) => by === 'kill');
const others = situations.filter(({ by }) => by !== 'kill');

const lines: string[] = [];

let n8n: N8nInstance;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

afterAll(async () => {
  process.stdout.write(`\n${lines.join('\n')}\n`);
  await n8n.stop();
});

const lineOf = (name: string, outcome: Outcome): string =>
  `${name.padEnd(48)} ${outcome.status.padEnd(8)} ` +
  `doubled ${outcome.doubled}, missing ${outcome.missing}, with ID ${outcome.returned}, ` +
  `without ${outcome.known}, held ${outcome.held}`;

/** Retries twice, unless it has succeeded, and says what came of each. */
async function retryTwice(calling: Calling, id: string, hasSucceeded: boolean): Promise<Outcome[]> {
  if (hasSucceeded) {
    const outcome = await calling.ended(n8n, 'success');
    lines.push(lineOf(calling.situation.name, outcome));
    return [outcome];
  }
  const outcomes: Outcome[] = [];
  for (const name of ['Retry', 'again']) {
    const outcome = await calling.retry(n8n, id);
    lines.push(lineOf(name === 'Retry' ? calling.situation.name : `  ${name}`, outcome));
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Nothing is there twice, and a success lacks nothing. */
function check(outcomes: readonly Outcome[]): void {
  if (!isKnown) return;
  const wrong = outcomes.filter(
    ({ status, doubled, missing }) => doubled > 0 || (status === 'success' && missing > 0),
  );
  expect(wrong).toEqual([]);
}

test.each(others.map((one) => [one.name, one] as const))('%s', async (_, situation) => {
  const calling = await Calling.publish(n8n, situation);
  try {
    const id = await calling.start(n8n);
    const hasSucceeded = await calling.interrupt(n8n, id);
    check(await retryTwice(calling, id, hasSucceeded));
  } finally {
    await calling.close();
  }
});

test('killed', async () => {
  const running: Array<[Calling, string]> = [];
  for (const situation of killed) {
    const calling = await Calling.publish(n8n, situation);
    const id = await calling.start(n8n);
    await calling.interrupt(n8n, id);
    running.push([calling, id]);
  }
  await n8n.kill();
  n8n = await N8nInstance.start({ userFolder });
  for (const [calling, id] of running) {
    check(await retryTwice(calling, id, false));
    await calling.close();
  }
});
