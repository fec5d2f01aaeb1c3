import { addAccount } from '../../support/accounts';
import { readWorkflow, runWorkflow, useSandbox, withParameters } from '../harness';

const service = useSandbox();

/** Counts how often n8n could do something else while a task went on. */
async function turnsDuring(task: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  await task();
  clearInterval(counting);
  return turns;
}

test('the check of many items leaves n8n its thread', async () => {
  addAccount(service.sandbox);
  const workflow = withParameters(readWorkflow('post.create'), 'Create post', {
    accounts: '={{ [$json.account] }}',
    overrides: {},
    scheduledAt: '2035-01-01T09:00',
  });
  const run = (count: number) => () =>
    runWorkflow(workflow, {
      credentials: service.credentials(),
      input: Array.from({ length: count }, () => ({ account: -1 })),
    });
  await run(1)();
  const alone = await turnsDuring(run(1));

  expect(await turnsDuring(run(3000))).toBeGreaterThan(alone + 10);
});
