import { addAccount } from '../../support/records';
import { creating, nodeError, useSandbox } from '../harness';

const service = useSandbox();

/** Counts the turns that a timer gets beside a run, until it is told to end. */
function countTurns(): { readonly turns: number; end: () => void } {
  const counted = { turns: 0, end: () => clearInterval(timer) };
  const timer = setInterval(() => counted.turns++, 0);
  return counted;
}

test('the check of many items leaves n8n its thread', async () => {
  addAccount(service.sandbox);
  // A millisecond passes whenever somebody looks at the clock, however fast the machine is.
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => ++now);
  const counted = countTurns();
  const itemsOfTurn = new Map<number, number>();
  const workflow = creating({
    accounts: '={{ [$vars.account] }}',
    scheduledAt: '2035-01-01T09:00',
  });
  const run = await service.run(
    workflow,
    Array.from({ length: 3000 }, () => ({})),
    {
      variables: {
        get account() {
          itemsOfTurn.set(counted.turns, (itemsOfTurn.get(counted.turns) ?? 0) + 1);
          return -1;
        },
      },
    },
  );
  counted.end();

  expect(nodeError(run, 'Create post').context).toMatchObject({ field: 'accounts[0]' });
  expect(Math.max(...itemsOfTurn.values())).toBeLessThan(300);
});
