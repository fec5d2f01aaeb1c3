import './short-lifetime';

import { setTimeout as pause } from 'node:timers/promises';

import type { IDataObject, INodeParameters, IRun, IRunExecutionData } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { addAccount } from '../../support/accounts';
import {
  type Chances,
  chances,
  type Change,
  CHANGES,
  doubled,
  type Post,
  type Wish,
} from '../../support/wishes';
import type { RunOptions } from '../harness';
import { cutOffDeduplication, nodesEnd, retried, runWorkflow, withParameters } from '../harness';
import { claimsOf, CREATE, creatingPosts, credentialsOf, loopOf } from './creations';
import { startOf, withItems } from './executions';
import { EVERY_DAY, slots } from './queueing';

/** How many executions there are, each with its retries. */
const RUNS = Number(process.env.RUNS ?? 100);

const FIRST_SEED = Number(process.env.SEED ?? 1);

/** How many of them run side by side, each with a service of its own. */
const AT_ONCE = 6;

const T0 = Date.UTC(2035, 0, 1);

/** What an execution is like. */
interface Kind {
  readonly publish: 'at' | 'now' | 'after' | 'slot';
  readonly asJson: boolean;
  readonly isLoop: boolean;
  readonly goesOn: boolean;
  readonly uncertain: 'hold' | 'look';
  readonly says: (id: number) => Pick<Wish, 'text' | 'media'>;
  readonly changes: readonly Change[];
  readonly concurrency: number;
}

const kindOf = (chance: Chances): Kind => ({
  publish: chance.one(['at', 'at', 'now', 'after', 'slot']),
  asJson: chance.is(0.3),
  isLoop: chance.is(0.3),
  goesOn: chance.is(0.4),
  uncertain: chance.is(0.4) ? 'look' : 'hold',
  ...chance.one([
    {
      says: (id: number) => ({ text: `Post ${id}`, media: `http://media.example/${id}.png` }),
      changes: ['insert', 'remove', 'reorder', 'times', 'reword'] as const,
    },
    {
      says: (id: number) => ({ text: 'New picture', media: `http://media.example/${id}.png` }),
      changes: ['insert', 'remove', 'reorder', 'times'] as const,
    },
    {
      says: () => ({ text: 'Good morning', media: 'http://media.example/sun.png' }),
      changes: ['insert', 'remove', 'reorder', 'times'] as const,
    },
  ]),
  concurrency: chance.one([1, 3, 8, 32]),
});

function workflowOf({ publish, asJson, isLoop, goesOn, uncertain, concurrency }: Kind, id: string) {
  const options: INodeParameters = { concurrency, uncertain };
  const settings = goesOn || isLoop ? { onError: 'continueRegularOutput' as const } : {};
  const workflow = withParameters(creatingPosts({ ...settings, id }, options), CREATE, {
    publish,
    scheduledAt: '={{ $json.at }}',
    delayAmount: 3,
    delayUnit: 'hours',
    slots: slots('09:00, 12:00, 15:00, 18:00', EVERY_DAY),
    mediaUrls: '={{ $json.media }}',
    options: {
      ...options,
      ...(asJson && {
        variantsJson:
          '={{ [{ socialAccountId: 1, content: $json.text, mediaUrls: [$json.media] }] }}',
      }),
    },
  });
  return isLoop ? loopOf(workflow) : workflow;
}

/** An item as the nodes before ours give it in one try: signatures are new each time. */
const itemFor = ({ text, media, at = 0 }: Wish, signature: number): IDataObject => ({
  text,
  media: `${media}?signature=${signature}`,
  at: new Date(T0 + 60_000 * at).toISOString(),
});

const postsOf = ({ store }: Sandbox): Post[] =>
  store.posts.map(({ variants: [variant], scheduledAt }) => ({
    text: variant?.content ?? '',
    media: String(variant?.mediaUrls?.[0] ?? '').replace(/\?.*/, ''),
    at: (Date.parse(scheduledAt ?? '') - T0) / 60_000,
  }));

/** What the node says of each item, whether they were one run or one each. */
function saidOf(result: IRun, { isLoop }: Kind, count: number): Array<number | 'held' | undefined> {
  if (!isLoop) {
    const { created, uncertain } = claimsOf(result, CREATE);
    return Array.from({ length: count }, (_, item) =>
      created.has(item) ? Number(created.get(item)) : uncertain.includes(item) ? 'held' : undefined,
    );
  }
  const runs = result.data.resultData.runData[CREATE] ?? [];
  return Array.from({ length: count }, (_, run) => {
    const { id, details } = runs[run]?.data?.main?.[0]?.[0]?.json ?? {};
    if (id !== undefined) return Number(id);
    return (details as IDataObject | undefined)?.certainty === 'uncertain' ? 'held' : undefined;
  });
}

async function problemWith(seed: number): Promise<string | undefined> {
  const chance = chances(seed);
  const kind = kindOf(chance);
  const sandbox = await startSandbox({ seed: false });
  try {
    addAccount(sandbox);
    const problem = await executions(sandbox, kind, chance, `random-${seed}`);
    return problem === undefined ? undefined : `SEED=${seed} ${JSON.stringify(kind)}: ${problem}`;
  } finally {
    await sandbox.close();
  }
}

async function executions(
  sandbox: Sandbox,
  kind: Kind,
  chance: Chances,
  id: string,
): Promise<string | undefined> {
  const workflow = workflowOf(kind, id);
  let ids = 0;
  let signature = 0;
  const make = (): Wish => {
    const number = ids++;
    const at = kind.publish === 'at' ? 10 * number : undefined;
    return { id: number, ...kind.says(number), at };
  };
  const wishes = Array.from({ length: 1 + chance.below(chance.is(0.3) ? 40 : 10) }, make);
  const asked: Wish[] = [];
  const ask = (): IDataObject[] => {
    asked.push(...wishes);
    signature++;
    return wishes.map((wish) => itemFor(wish, signature));
  };
  const run = async (options: RunOptions): Promise<IRun> =>
    await runWorkflow(workflow, { credentials: credentialsOf(sandbox), ...options });

  /** Runs until it is killed, or to its end. */
  const killed = async (options: RunOptions): Promise<IRun> => {
    const stop = new AbortController();
    const after = sandbox.requests.length + chance.below(wishes.length + 2);
    const running = run({ ...options, signal: stop.signal });
    let hasEnded = false;
    void running.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && sandbox.requests.length < after) await pause(1);
    // A process that dies takes nothing back; one that is stopped does.
    const mend = chance.is(0.5) ? cutOffDeduplication(id) : () => undefined;
    stop.abort();
    const result = await running;
    mend();
    return result;
  };

  const trouble = (): void => {
    sandbox.faults.clear();
    sandbox.faults.add({ kind: 'latency', ms: 5, method: 'POST' });
    if (chance.is(0.5)) return;
    const seeded = { method: 'POST', probability: 0.15, seed: chance.below(1e9) } as const;
    sandbox.faults.add(
      chance.one([
        { ...seeded, kind: 'status', status: 422 },
        { ...seeded, kind: 'reset' },
        { ...seeded, kind: 'reset', processed: true },
        { ...seeded, kind: 'status', status: 503 },
      ] as const),
    );
  };

  const start = startOf(workflow, ask());
  let failed: IRunExecutionData | undefined;
  const isKilled = (): boolean => chance.is(0.7);
  const keepIfFailed = (result: IRun, wasKilled: boolean): void => {
    const hasFailed = !wasKilled && result.data.resultData.error !== undefined;
    failed = hasFailed ? retried(result) : undefined;
  };
  trouble();
  let dies = isKilled();
  keepIfFailed(await (dies ? killed : run)({ from: structuredClone(start) }), dies);
  for (let left = chance.below(4); left > 0; left--) {
    trouble();
    dies = isKilled();
    // The retry of what failed goes on with its input; that of what was killed begins anew.
    if (failed !== undefined && chance.is(0.7)) {
      const from = failed;
      keepIfFailed(
        await (dies ? killed : run)({ mode: 'retry', from: structuredClone(from) }),
        dies,
      );
      continue;
    }
    const again = async (): Promise<IRun> => {
      for (let changes = chance.below(3); changes > 0; changes--) {
        CHANGES[chance.one(kind.changes)](wishes, chance, make);
      }
      if (wishes.length === 0) wishes.push(make());
      return await (dies ? killed : run)({ mode: 'retry', from: withItems(start, ask()) });
    };
    const [first] = await Promise.all(chance.is(0.25) ? [again(), again()] : [again()]);
    failed = undefined;
    if (first === undefined) throw new Error('Nothing was run');
  }
  sandbox.faults.clear();
  for (let changes = chance.below(2); changes > 0; changes--) {
    CHANGES[chance.one(kind.changes)](wishes, chance, make);
  }
  if (wishes.length === 0) wishes.push(make());
  const last = await run({ mode: 'retry', from: withItems(start, ask()) });
  await nodesEnd();

  const posts = postsOf(sandbox);
  const isFixed = kind.publish === 'at' && !kind.changes.includes('times');
  const tooMany = doubled(
    posts,
    asked,
    (post, wish) =>
      post.text === wish.text && post.media === wish.media && (!isFixed || post.at === wish.at),
  );
  const moments = posts.map(({ at }) => at);
  if (kind.publish === 'slot' && new Set(moments).size < posts.length) {
    return `two posts in one slot: ${moments.join()}`;
  }
  if (tooMany.length > 0) return `posted twice: ${JSON.stringify(tooMany)}`;
  const said = saidOf(last, kind, wishes.length);
  for (const [index, wish] of wishes.entries()) {
    const what = said[index];
    if (what === undefined) return `item ${index} of ${wishes.length} was lost without a word`;
    if (what === 'held') continue;
    const post = posts[what - 1];
    if (post?.text !== wish.text || post.media !== wish.media) {
      return `item ${index} is told as post ${what}, which says ${JSON.stringify(post)}`;
    }
  }
  const told = said.filter((what) => what !== 'held');
  return new Set(told).size < told.length ? `one post for two items: ${told.join()}` : undefined;
}

test(`of ${RUNS} executions with their retries none posts twice or loses an item without a word`, async () => {
  const problems: string[] = [];
  let seed = FIRST_SEED;
  const lane = async (): Promise<void> => {
    while (seed < FIRST_SEED + RUNS) {
      const problem = await problemWith(seed++);
      if (problem !== undefined) problems.push(problem);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const { user, system } = process.cpuUsage();
  process.stdout.write(
    `Seeds ${FIRST_SEED} to ${FIRST_SEED + RUNS - 1}: ${problems.length} problems, ${((user + system) / 1e6).toFixed()} s of CPU\n`,
  );

  expect(problems).toEqual([]);
}, 600_000);
