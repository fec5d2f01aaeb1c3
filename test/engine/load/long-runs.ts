import type { IRun } from 'n8n-workflow';

import type { FaultRule, Sandbox } from '../../../sandbox';
import { startSandbox } from '../../../sandbox';
import { pick, seededRandom } from '../../../sandbox/random';
import { addAccount } from '../../support/records';
import { claimsOf, CREATE, creatingPosts, existing, falseClaims, posts } from '../faults/creations';
import { credentialsOf, runWorkflow } from '../harness';
import { doubts, forSeeds, latencies, refusals, repeated, some } from './chances';

/**
 * Many runs of "create 50 posts" with faults by chance and Retry On Fail.
 *
 *     npm run test:long -- load
 *     SEED=12345 RUNS=1 npm run test:long -- load -t 'create 50 posts'
 *
 * A seed decides on the faults and on the settings of a run. What each fault meets depends on the
 * order in which requests arrive, too: that is certain where the run sends one after the other.
 */
const POSTS = 50;

const RUNS = Number(process.env.RUNS ?? 40);
const FIRST_SEED = Number(process.env.SEED ?? Date.now() % 1e9);

interface Chances {
  readonly seed: number;
  readonly rules: readonly FaultRule[];
  readonly concurrency: number;
  readonly goesOn: boolean;
}

/** What a seed decides on. */
function chancesOf(seed: number): Chances {
  const random = seededRandom(seed);
  return {
    seed,
    rules: [
      ...some(refusals, pick([0, 1, 3], random), random),
      ...some(doubts, pick([0, 1, 3], random), random),
      ...latencies(random),
    ],
    concurrency: pick([1, 2, 8, 16], random),
    goesOn: random() < 0.4,
  };
}

const runWith = (sandbox: Sandbox, { concurrency, goesOn }: Chances): Promise<IRun> =>
  runWorkflow(
    creatingPosts(
      {
        retryOnFail: true,
        maxTries: 3,
        waitBetweenTries: 1,
        ...(goesOn && { onError: 'continueRegularOutput' }),
      },
      { concurrency },
    ),
    { credentials: credentialsOf(sandbox), input: posts(POSTS) },
  );

/** One run, as it is printed and judged. */
interface Result {
  readonly seed: number;
  readonly tells: string;
  /** What the node says that isn't so. */
  readonly falseClaims: string[];
  /** The texts of posts that exist more than once. */
  readonly twice: string[];
  readonly created: number;
  readonly uncertain: number;
  readonly notCreated: number;
  readonly exists: number;
  readonly requests: number;
}

async function resultOf(chances: Chances): Promise<Result> {
  const sandbox = await startSandbox({ seed: false });
  try {
    addAccount(sandbox);
    for (const rule of chances.rules) sandbox.faults.add(rule);
    const run = await runWith(sandbox, chances);
    const { created, uncertain, notCreated } = claimsOf(run, CREATE);
    return {
      seed: chances.seed,
      tells: run.data.resultData.error?.message ?? '',
      falseClaims: falseClaims(run, CREATE, sandbox, POSTS),
      twice: repeated(existing(sandbox)),
      created: created.size,
      uncertain: uncertain.length,
      notCreated: notCreated.length,
      exists: sandbox.store.posts.length,
      requests: sandbox.requests.length,
    };
  } finally {
    await sandbox.close();
  }
}

test(`${RUNS} runs of "create ${POSTS} posts" from seed ${FIRST_SEED} on`, async () => {
  process.stdout.write(`\nThe seeds are ${FIRST_SEED} to ${FIRST_SEED + RUNS - 1}.\n`);
  const results = await forSeeds(FIRST_SEED, RUNS, (seed) => resultOf(chancesOf(seed)));
  const sum = (of: (result: Result) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  process.stdout.write(
    `${results.length} runs, ${sum(({ requests }) => requests)} requests: ` +
      `${sum(({ created }) => created)} posts told as created, ${sum(({ uncertain }) => uncertain)} as uncertain, ` +
      `${sum(({ notCreated }) => notCreated)} as not created; ${sum(({ exists }) => exists)} exist.\n`,
  );

  expect(results).toHaveLength(RUNS);
  expect(
    results.filter(({ falseClaims, twice }) => falseClaims.length > 0 || twice.length > 0),
  ).toEqual([]);
}, 600_000);
