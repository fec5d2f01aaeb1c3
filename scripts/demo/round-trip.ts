import { z } from 'zod';

import type { Sandbox } from '../../sandbox';
import type { N8nInstance } from '../n8n/instance';
import { type Execution, type N8nApi, outputOf } from '../n8n/rest';
import { SetupError } from '../n8n/setup-error';
import { waitFor } from '../n8n/wait-for';
import type { Demo } from './start-demo';
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

const clock = (date: Date): string => date.toTimeString().slice(0, 8);

function printStep(at: Date, text: string): void {
  console.log(`${clock(at)}  ${text}`);
}

/** Reads the JSON of the first item that a node output in a successful execution. */
function resultOf<Schema extends z.ZodTypeAny>(
  execution: Execution,
  node: string,
  schema: Schema,
): z.infer<Schema> {
  const [item] = outputOf(execution, node);
  if (execution.status !== 'success' || !item) {
    const reason = execution.data.resultData.error?.message ?? `"${node}" output no items`;
    throw new SetupError(`Execution ${execution.id} ended with ${execution.status}: ${reason}`);
  }
  return schema.parse(item.json) as z.infer<Schema>;
}

async function schedulePost({ api }: N8nInstance, workflowId: string): Promise<number> {
  const execution = await api.runWorkflow(workflowId, scheduling.trigger);
  const { id, scheduledAt } = resultOf(execution, scheduling.node, postSchema);
  printStep(
    execution.startedAt,
    `n8n created post ${id}, scheduled for ${clock(new Date(scheduledAt))}.`,
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

/** Finds the execution that the wanted event started, apart from earlier ones, and waits for its end. */
async function executionAbout(
  api: N8nApi,
  workflowId: string,
  earlier: Set<string>,
  isWanted: (event: z.infer<typeof eventSchema>) => boolean,
): Promise<Execution | undefined> {
  const { results } = await api.executions(workflowId);
  for (const { id } of results.filter((result) => !earlier.has(result.id))) {
    const execution = await api.finishedExecution(id);
    if (isWanted(resultOf(execution, reacting.trigger, eventSchema))) return execution;
  }
  return undefined;
}

/**
 * Runs the first example in n8n and follows its post: the sandbox publishes it and sends events to
 * n8n, and each event starts the second example, which reads the analytics. Prints every step with
 * its time.
 *
 * @throws SetupError when a step fails or takes longer than a minute
 */
export async function runRoundTrip({ n8n, sandbox, workflows }: Demo): Promise<void> {
  const { reactId, scheduleId } = workflows;
  const before = await n8n.api.executions(reactId);
  const earlier = new Set(before.results.map(({ id }) => id));
  const postId = await schedulePost(n8n, scheduleId);
  const eventCount = await watchPublishing(sandbox, postId);
  for (let received = 0; received < eventCount; received += 1) {
    const execution = await waitFor(
      `No post.published about post ${postId} started a workflow`,
      () => executionAbout(n8n.api, reactId, earlier, ({ data }) => data.postId === postId),
      STEP_SECONDS,
    );
    earlier.add(execution.id);
    const { event, data } = resultOf(execution, reacting.trigger, eventSchema);
    const figures = resultOf(execution, reacting.node, analyticsSchema);
    printStep(
      execution.startedAt,
      `n8n received ${event} (${data.platform}) and read the analytics: ${figures.totalPosts} posts, ` +
        `${figures.totalImpressions} impressions, most on ${figures.topPlatform}.`,
    );
  }
}
