import { importExamples, reacting, scheduling } from '../../scripts/demo/workflows';
import { outputOf } from '../../scripts/n8n/rest';
import { waitFor } from '../../scripts/n8n/wait-for';
import { Bench } from './support/bench';

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});

afterEach(() => bench.close());

test('a post is scheduled, published, reported by a signed event, and answered with analytics', async () => {
  const { api, sandbox } = bench;
  const { scheduleId, reactId, endpoint } = await importExamples(api, {
    ...sandbox,
    apiKey: sandbox.keys.pro,
  });
  sandbox.webhooks.add(endpoint);
  const before = new Set((await api.executions(reactId)).results.map(({ id }) => id));
  const scheduled = await api.runWorkflow(scheduleId, scheduling.trigger);
  const [post] = outputOf(scheduled, scheduling.node);
  const published = await waitFor('The post was not published', () => {
    const found = sandbox.store.platformPosts.filter(({ postId }) => postId === post?.json['id']);
    return found.length === 2 ? found : undefined;
  });
  await sandbox.webhooks.settled();
  const { results } = await api.executions(reactId);
  const started = results.filter(({ id }) => !before.has(id));
  const executions = await Promise.all(started.map(({ id }) => api.finishedExecution(id)));
  const events = executions.map((execution) => outputOf(execution, reacting.trigger)[0]?.json);
  expect(
    events.map((event) => (event?.['data'] as { variantId: number }).variantId).sort(),
  ).toEqual(published.map(({ variantId }) => variantId).sort());
  for (const execution of executions) {
    expect(execution.status).toBe('success');
    expect(outputOf(execution, reacting.node)[0]?.json).toHaveProperty('platformBreakdown');
  }
  await api.unpublishWorkflow(reactId);
});
