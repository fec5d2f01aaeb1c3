import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Sandbox } from '../../sandbox';
import type { N8nInstance } from '../n8n/instance';
import { outputOf } from '../n8n/rest';
import { SetupError } from '../n8n/setup-error';
import { readExample } from '../n8n/workflow-files';

const PUBLISH_SECONDS = 60;

const postSchema = z.object({ id: z.number().int(), scheduledAt: z.string().datetime() });

const clock = (date: Date): string => date.toTimeString().slice(0, 8);

/** Prints a step with its time of day. */
export function printStep(text: string, at = new Date()): void {
  console.log(`${clock(at)}  ${text}`);
}

/** Waits until `condition` gives a value. */
async function until<Value>(condition: () => Value | undefined, what: string): Promise<Value> {
  const deadline = Date.now() + PUBLISH_SECONDS * 1000;
  for (;;) {
    const value = condition();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new SetupError(`${what} within ${PUBLISH_SECONDS} seconds.`);
    await delay(50);
  }
}

/** Runs the workflow that schedules a post and returns the record that the node put out. */
async function runScheduleWorkflow(n8n: N8nInstance): Promise<z.infer<typeof postSchema>> {
  const workflow = await readExample('schedule-a-post');
  const execution = await n8n.api.runWorkflow(workflow.id, 'When clicking ‘Execute workflow’');
  const [item] = outputOf(execution, 'Schedule a post');
  if (execution.status !== 'success' || !item) {
    const reason = execution.data.resultData.error?.message ?? 'no item came out';
    throw new SetupError(
      `The workflow "${workflow.name}" ended with ${execution.status}: ${reason}`,
    );
  }
  return postSchema.parse(item.json);
}

/**
 * Runs the example in n8n and follows the post until the sandbox has published it, printing each
 * step with its time.
 *
 * @throws SetupError when the workflow fails or the post isn't published in time
 */
export async function scheduleAndWatch(n8n: N8nInstance, sandbox: Sandbox): Promise<void> {
  const { id, scheduledAt } = await runScheduleWorkflow(n8n);
  printStep(`n8n scheduled post ${id} for ${clock(new Date(scheduledAt))}.`);

  const published = await until(() => {
    const { variants } = sandbox.store.posts.find((candidate) => candidate.id === id) ?? {};
    return variants?.every(({ status }) => status !== 'pending') ? variants : undefined;
  }, `The sandbox did not publish post ${id}`);
  for (const variant of published) {
    const publication = sandbox.store.publications.find(
      ({ variantId }) => variantId === variant.id,
    );
    if (!publication) throw new SetupError(`The sandbox could not publish variant ${variant.id}.`);
    printStep(
      `The sandbox published it on ${publication.platform}: ${publication.platformUrl}`,
      new Date(publication.publishedAt),
    );
  }
}
