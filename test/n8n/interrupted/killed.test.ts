import { join } from 'node:path';

import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { waitFor } from '../../../scripts/n8n/wait-for';
import { startFreshN8n } from '../support/fresh';
import { type Posting, PostingWorkflow } from './posting';
import { isSettledByLooking, lineOf, nameOf, retryAll, silentIn } from './runs';

const POSTS = 50;

/** How often n8n is killed, at random moments: not at all unless asked for, see interrupted.test.ts. */
const KILLS = Number(process.env['KILLS'] ?? 0);

/** How many executions of each kind run when n8n is killed. */
const COPIES = Number(process.env['COPIES'] ?? 1);

const userFolder = join(workDir(), 'killed');
const numbers = Array.from({ length: POSTS }, (_, post) => post);

const kinds: Posting[] = [
  { times: 'fixed', variants: 'fields' },
  { times: 'fixed', variants: 'json', uncertain: 'look' },
  { times: 'fromNow', variants: 'json' },
  { times: 'fromNow', variants: 'fields', uncertain: 'look' },
];

const postings = kinds.flatMap((kind) => new Array<Posting>(COPIES).fill(kind));

let n8n: N8nInstance;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

afterAll(() => n8n?.stop());

const kills = Array.from({ length: Math.max(1, KILLS) }, (_, kill) => kill);

(KILLS > 0 ? test : test.skip).each(kills)(
  'n8n is killed while it creates 50 posts, and no retry creates one twice (%i)',
  async () => {
    const workflows = await Promise.all(
      postings.map((posting) => PostingWorkflow.publish(n8n, posting)),
    );
    try {
      const runs = await Promise.all(workflows.map((workflow) => workflow.start(n8n, numbers)));
      const after = 1 + Math.floor(Math.random() * (POSTS - 2));
      await waitFor('Too few posts were created', () => {
        const counts = workflows.map(({ posts }) => posts.length);
        return (Math.min(...counts) > 0 && Math.max(...counts) >= after) || undefined;
      });
      await n8n.kill();
      const existed = workflows.map(({ posts }) => posts.length);
      n8n = await N8nInstance.start({ userFolder });

      await Promise.all(
        workflows.map(async (workflow, index) => {
          const retries = await retryAll(n8n, runs[index]!);
          console.log(
            [
              `Killed after ${existed[index]} of ${POSTS} posts (${nameOf(workflow.posting)})`,
              ...retries.map(lineOf),
              `missing in the end: ${workflow.missing(numbers)}, without a word: ${silentIn(retries, POSTS)}`,
            ].join('\n  '),
          );
          expect(workflow.doubled()).toBe(0);
          expect(silentIn(retries, POSTS)).toBe(0);
          if (isSettledByLooking(workflow.posting)) {
            expect(workflow.missing(numbers)).toBe(0);
            expect(retries.map(({ returned, held }) => [returned, held])).toEqual(
              retries.map(() => [POSTS, 0]),
            );
          }
        }),
      );
    } finally {
      await Promise.all(workflows.map((workflow) => workflow.close()));
    }
  },
);
