import { join } from 'node:path';

import { N8nInstance } from '../../../scripts/n8n/instance';
import { workDir } from '../../../scripts/n8n/paths';
import { startFreshN8n } from '../support/fresh';
import { type Posting, PostingWorkflow } from './posting';
import { lineOf, nameOf, retryAll } from './runs';

const POSTS = 50;

/** How often n8n is killed; more often than once at random moments. */
const KILLS = Number(process.env['KILLS'] ?? 1);

const userFolder = join(workDir(), 'interrupted');
const numbers = Array.from({ length: POSTS }, (_, post) => post);

const postings: Posting[] = [
  { times: 'fixed', variants: 'fields' },
  { times: 'fixed', variants: 'json', uncertain: 'look' },
  { times: 'fromNow', variants: 'json' },
  { times: 'fromNow', variants: 'fields', uncertain: 'look' },
];

let n8n: N8nInstance;

beforeAll(async () => {
  n8n = await startFreshN8n(userFolder);
});

afterAll(() => n8n?.stop());

test.each(Array.from({ length: KILLS }, (_, kill) => kill))(
  'n8n is killed while it creates 50 posts, and no retry creates one twice (%i)',
  async (kill) => {
    const workflows = await Promise.all(
      postings.map((posting) => PostingWorkflow.publish(n8n, posting)),
    );
    try {
      const ids = await Promise.all(workflows.map((workflow) => workflow.start(n8n, numbers)));
      const after = kill === 0 ? 25 : 1 + Math.floor(Math.random() * (POSTS - 2));
      await Promise.all(workflows.map((workflow) => workflow.hasPosts(1)));
      await Promise.race(workflows.map((workflow) => workflow.hasPosts(after)));
      await n8n.kill();
      const existed = workflows.map(({ sandbox }) => sandbox.store.posts.length);
      n8n = await N8nInstance.start({ userFolder });

      await Promise.all(
        workflows.map(async (workflow, index) => {
          const retries = await retryAll(n8n, workflow, ids[index]!);
          console.log(
            [
              `Killed after ${existed[index]} of ${POSTS} posts (${nameOf(workflow.posting)})`,
              ...retries.map(lineOf),
              `missing in the end: ${workflow.missing(POSTS)}`,
            ].join('\n  '),
          );
          expect(workflow.doubled()).toBe(0);
          if (workflow.posting.times === 'fixed' && workflow.posting.uncertain === 'look') {
            expect(workflow.missing(POSTS)).toBe(0);
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
