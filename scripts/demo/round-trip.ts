import { z } from 'zod';

import type { Sandbox } from '../../sandbox';
import { type Execution, outputOf } from '../n8n/rest';
import { SetupError } from '../n8n/setup-error';
import { waitFor } from '../n8n/wait-for';
import { reacting, scheduling } from './workflows';

const STEP_SECONDS = 60;

const postSchema = z.object({ id: z.number().int(), scheduledAt: z.string().datetime() });
const eventSchema = z.object({
  event: z.literal('post.published'),
  data: z.object({ postId: z.number().int(), variantId: z.number().int(), platform: z.string() }),
});
const analyticsSchema = z.object({
  totalPosts: z.number(),
  totalImpressions: z.number(),
  topPlatform: z.string(),
});

/** A run of an example, with everything that n8n recorded about it. */
export type ExampleRun = Pick<Execution, 'id' | 'status' | 'startedAt' | 'data'>;

/** Where the two examples run: on n8n's engine in this process, or in a real n8n. */
export interface Stage {
  /** What creates and receives, as the subject of a sentence. */
  name: string;
  /** Runs the first example. */
  schedule: () => Promise<ExampleRun>;
  /** The finished runs of the second example since the stage was set, in any order. */
  reactions: () => Promise<ExampleRun[]>;
}

const clock = (date: Date): string => date.toTimeString().slice(0, 8);

function printStep(at: Date, text: string): void {
  console.log(`${clock(at)}  ${text}`);
}

/** Reads the JSON of the first item that a node output in a successful run. */
function resultOf<Schema extends z.ZodTypeAny>(
  run: ExampleRun,
  node: string,
  schema: Schema,
): z.infer<Schema> {
  const [item] = outputOf(run, node);
  if (run.status !== 'success' || !item) {
    const reason = run.data.resultData.error?.message ?? `"${node}" output no items`;
    throw new SetupError(`Execution ${run.id} ended with ${run.status}: ${reason}`);
  }
  return schema.parse(item.json) as z.infer<Schema>;
}

async function schedulePost({ name, schedule }: Stage): Promise<number> {
  const run = await schedule();
  const { id, scheduledAt } = resultOf(run, scheduling.node, postSchema);
  printStep(
    run.startedAt,
    `${name} created post ${id}, scheduled for ${clock(new Date(scheduledAt))}.`,
  );
  return id;
}

/** Waits until every variant of the post is published. Returns the number of variants. */
async function watchPublishing(sandbox: Sandbox, postId: number): Promise<number> {
  const variants = await waitFor(
    `The sandbox did not publish post ${postId}`,
    () => {
      const post = sandbox.store.posts.find(({ id }) => id === postId);
      return post?.variants.every(({ status }) => status !== 'pending') ? post.variants : undefined;
    },
    STEP_SECONDS,
  );
  for (const variant of variants) {
    const platformPost = sandbox.store.platformPosts.find(
      ({ variantId }) => variantId === variant.id,
    );
    if (!platformPost) throw new SetupError(`The sandbox could not publish variant ${variant.id}.`);
    const { platform, platformUrl, publishedAt } = platformPost;
    printStep(new Date(publishedAt), `The sandbox published it on ${platform}: ${platformUrl}`);
  }
  return variants.length;
}

/**
 * Runs the first example and follows its post: the sandbox publishes it and sends a signed event for
 * each of its variants, and each event starts the second example, which reads the analytics. Prints
 * every step with its time.
 *
 * @throws SetupError when a step fails or takes longer than a minute
 */
export async function runRoundTrip(sandbox: Sandbox, stage: Stage): Promise<void> {
  const postId = await schedulePost(stage);
  const eventCount = await watchPublishing(sandbox, postId);
  const seen = new Set<string>();
  for (let received = 0; received < eventCount; received += 1) {
    const run = await waitFor(
      `No post.published about post ${postId} started a workflow`,
      async () =>
        (await stage.reactions()).find(
          (one) =>
            !seen.has(one.id) &&
            resultOf(one, reacting.trigger, eventSchema).data.postId === postId,
        ),
      STEP_SECONDS,
    );
    seen.add(run.id);
    const { event, data } = resultOf(run, reacting.trigger, eventSchema);
    const figures = resultOf(run, reacting.node, analyticsSchema);
    printStep(
      run.startedAt,
      `${stage.name} received ${event} (${data.platform}), found its signature right, and read the analytics: ` +
        `${figures.totalPosts} posts, ${figures.totalImpressions} impressions, most on ${figures.topPlatform}.`,
    );
  }
}
