import { join } from 'node:path';

import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { startFreshN8n } from '../support/fresh';
import { LATENCY_MS, type Posting, PostingWorkflow, type StartedRun } from './posting';
import { isSettledByLooking, lineOf, nameOf, type Retry, retryAll } from './runs';

const POSTS = 20;

/** After how many posts the service hangs: so early that no execution comes to its end, one of four included. */
const createdBy = (atOnce: number): number => (atOnce === 1 ? 10 : 18);

const userFolder = join(workDir(), 'interrupted');

/** In seconds: the service hangs for longer. */
const environment = { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' };

let n8n: N8nInstance;

const start = async (): Promise<void> => {
  n8n = await N8nInstance.start({ userFolder, environment });
};

const interruptions = {
  'it is stopped': async (runs: readonly StartedRun[]) => {
    await Promise.all(runs.map(({ id }) => n8n.api.stopExecution(id)));
  },
  'a restart outlasts the grace period': async () => {
    await n8n.stop();
    await start();
  },
  'n8n is killed': async () => {
    await n8n.kill();
    await start();
  },
};

interface Case {
  readonly posting: Posting;
  /** How many executions run at the same time. */
  readonly atOnce: number;
}

const oneOf = (posting: Posting): Case => ({ posting, atOnce: 1 });

const cases: Case[] = [
  oneOf({ times: 'fixed', variants: 'fields' }),
  oneOf({ times: 'fromNow', variants: 'json', uncertain: 'look' }),
  oneOf({
    times: 'fixed',
    variants: 'fields',
    uncertain: 'look',
    loopOf: 5,
    workflowSettings: { saveExecutionProgress: true },
  }),
  { posting: { times: 'fixed', variants: 'json', uncertain: 'look' }, atOnce: 4 },
];

/** What came of one case. */
interface Result {
  readonly workflow: PostingWorkflow;
  readonly runs: ReadonlyArray<{ readonly run: StartedRun; readonly retries: Retry[] }>;
}

const results = new Map<string, Map<Case, Result>>();

const workflows: PostingWorkflow[] = [];

/** Starts the executions of a case, and waits until the service hangs on them. */
async function begin({ posting, atOnce }: Case): Promise<StartedRun[]> {
  const created = createdBy(atOnce);
  const workflow = await PostingWorkflow.publish(
    n8n,
    { ...posting, options: { concurrency: 4 } },
    LATENCY_MS * atOnce,
  );
  workflows.push(workflow);
  workflow.hangAfter(created);
  const runs: StartedRun[] = [];
  for (let run = 0; run < atOnce; run++) {
    const posts = Array.from({ length: POSTS }, (_, post) => run * POSTS + post);
    runs.push(await workflow.start(n8n, posts));
  }
  await waitFor('Too few posts were created', () => workflow.posts.length >= created || undefined);
  return runs;
}

/** Retries what was interrupted: the executions of one workflow one after the other. */
async function retried(runs: readonly StartedRun[]): Promise<Result> {
  const all: Array<Result['runs'][number]> = [];
  for (const run of runs) all.push({ run, retries: await retryAll(n8n, run) });
  return { workflow: runs[0]!.workflow, runs: all };
}

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder, environment);
  const interrupted = new Map<string, Map<Case, StartedRun[]>>();
  for (const [name, interrupt] of Object.entries(interruptions)) {
    const begun = await Promise.all(cases.map(async (one) => [one, await begin(one)] as const));
    const runs = begun.flatMap(([, some]) => some);
    await interrupt(runs);
    for (const { workflow } of runs) workflow.goOn();
    interrupted.set(name, new Map(begun));
  }
  await Promise.all(
    [...interrupted].flatMap(([name, begun]) =>
      [...begun].map(async ([one, runs]) => {
        const result = await retried(runs);
        results.set(name, (results.get(name) ?? new Map<Case, Result>()).set(one, result));
      }),
    ),
  );
});

afterAll(async () => {
  await n8n?.stop();
  for (const workflow of workflows) await workflow.close();
});

const titled = cases.map((one) => [one.atOnce, nameOf(one.posting), one] as const);

describe.each(Object.keys(interruptions))('%s while it creates posts', (interruption) => {
  test.each(titled)('no retry creates one twice (%i at once, %s)', (atOnce, name, one) => {
    const { workflow, runs } = results.get(interruption)!.get(one)!;
    const posts = runs.flatMap(({ run }) => run.posts);
    console.log(
      [
        `${atOnce} at once, ${name}: ${interruption}`,
        ...runs.flatMap(({ retries }) => retries.map(lineOf)),
        `missing in the end: ${workflow.missing(posts)}`,
      ].join('\n  '),
    );

    expect(workflow.doubled()).toBe(0);
    if (isSettledByLooking(one.posting)) {
      expect(workflow.missing(posts)).toBe(0);
      for (const { retries } of runs) {
        expect(retries.map(({ returned, held }) => [returned, held])).toEqual(
          retries.map(() => [POSTS, 0]),
        );
      }
    }
  });
});
