import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { inParallel } from '../../../nodes/SocialPublishing/service/inParallel';
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

const THIRTY_TIMES = { texts: Array.from({ length: 30 }, () => 'Post 0'), after: 15 };

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
  ...SHAPES.slice(0, 2).map(([shape, modes]): Situation => ({
    name: `timeout of the sub-workflow, called ${shape}`,
    modes,
    by: 'slowness',
    subSettings: { executionTimeout: 2 },
  })),
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
  ...(['refusal', 'kill'] as const).flatMap((by): Situation[] => [
    { name: `${by} in 30 rounds of one text`, modes: ['once'], by, ...THIRTY_TIMES, loopOf: 1 },
    { name: `${by} in 30 calls for one text`, modes: ['each'], by, ...THIRTY_TIMES },
  ]),
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
  { name: 'kill, the sub-execution retried', modes: ['once'], by: 'kill', retry: 'sub-execution' },
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

/** How many situations are worked through at the same time. */
const AT_ONCE = 4;

/** `ONLY=wait npm run test:sub-workflows` works through those alone whose names match. */
const ONLY = new RegExp(process.env['ONLY'] ?? '');

const chosen = situations.filter(({ name }) => ONLY.test(name));
const killed = chosen.filter(({ by }) => by === 'kill');
const others = chosen.filter(({ by }) => by !== 'kill');

const print = (line: string): void => void process.stdout.write(`${line}\n`);

let n8n: N8nInstance;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

afterAll(async () => {
  await n8n.stop();
});

const lineOf = (name: string, outcome: Outcome): string =>
  `${name.padEnd(60)} ${outcome.status.padEnd(8)} ` +
  `doubled ${outcome.doubled}, missing ${outcome.missing}, with ID ${outcome.returned}, ` +
  `without ${outcome.known}, held ${outcome.held}${outcome.why.map((why) => `: ${why}`).join('')}`;

/** Retries twice, unless it has succeeded, and says what came of each. */
async function retryTwice(calling: Calling, id: string, hasSucceeded: boolean): Promise<Outcome[]> {
  if (hasSucceeded) {
    const outcome = await calling.ended(n8n, 'success');
    print(lineOf(calling.situation.name, outcome));
    return [outcome];
  }
  const first = await calling.retry(n8n, id);
  print(lineOf(calling.situation.name, first));
  const second = await calling.retry(n8n, id);
  print(lineOf(`${calling.situation.name}, again`, second));
  return [first, second];
}

/**
 * Nothing is there twice, and a success lacks nothing, unless nobody waits for what is missing. n8n has
 * nothing to retry where the calling workflow ran into its timeout: the sub-workflow goes on alone.
 */
const isRight = ({ isNotAwaited, by }: Situation, { status, doubled, missing }: Outcome): boolean =>
  doubled === 0 &&
  (missing === 0 || status !== 'success' || isNotAwaited === true || by === 'timeout');

/**
 * Works through situations, several at a time.
 *
 * @returns the names of those with an outcome that is not right, or with none
 */
async function wrongOf<T extends Situation | Interrupted>(
  all: readonly T[],
  situationOf: (one: T) => Situation,
  work: (one: T) => Promise<Outcome[]>,
): Promise<string[]> {
  const wrong: string[] = [];
  await inParallel(all, AT_ONCE, async (one) => {
    const situation = situationOf(one);
    const [result] = await Promise.allSettled([work(one)]);
    if (result.status === 'rejected') wrong.push(`${situation.name}: ${String(result.reason)}`);
    else if (!result.value.every((outcome) => isRight(situation, outcome)))
      wrong.push(situation.name);
    return true;
  });
  return isKnown ? wrong : [];
}

/** A situation whose execution was started, and is where n8n is killed. */
interface Interrupted {
  readonly calling: Calling;
  readonly id: string;
}

test('nothing is doubled or missing after a refusal, a stop or a timeout', async () => {
  const wrong = await wrongOf(
    others,
    (one) => one,
    async (situation) => {
      const calling = await Calling.publish(n8n, situation);
      const id = await calling.start(n8n);
      const hasSucceeded = await calling.interrupt(n8n, id);
      const outcomes = await retryTwice(calling, id, hasSucceeded);
      await calling.close();
      return outcomes;
    },
  );
  expect(wrong).toEqual([]);
});

test('nothing is doubled or missing after n8n was killed', async () => {
  const running: Interrupted[] = [];
  await inParallel(killed, AT_ONCE, async (situation) => {
    const calling = await Calling.publish(n8n, situation);
    const id = await calling.start(n8n);
    await calling.interrupt(n8n, id);
    running.push({ calling, id });
    return true;
  });
  await n8n.kill();
  n8n = await N8nInstance.start({ userFolder });
  const wrong = await wrongOf(
    running,
    ({ calling }) => calling.situation,
    async ({ calling, id }) => {
      const outcomes = await retryTwice(calling, id, false);
      await calling.close();
      return outcomes;
    },
  );
  expect(wrong).toEqual([]);
});
