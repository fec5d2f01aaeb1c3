import type { IRun } from 'n8n-workflow';

import { addAccount } from '../../support/accounts';
import {
  nodeError,
  readWorkflow,
  records,
  runWorkflow,
  useSandbox,
  withParameters,
} from '../harness';

const service = useSandbox();

afterEach(() => {
  jest.restoreAllMocks();
});

/** Counts the turns that a timer gets beside a run, until it is told to end. */
function countTurns(): { readonly turns: number; end: () => void } {
  const counted = { turns: 0, end: () => clearInterval(timer) };
  const timer = setInterval(() => counted.turns++, 0);
  return counted;
}

const MANY = 3000;

/** A millisecond passes whenever somebody looks at the clock, however fast the machine is. */
function letLooksTakeTime(): void {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => ++now);
}

/**
 * Runs many items.
 *
 * @param account that all items name
 * @param read called when the account of an item is read
 */
const runMany = async (
  workflow: 'post.create' | 'post.preview',
  node: string,
  account: number,
  read: () => void,
): Promise<IRun> =>
  await runWorkflow(
    withParameters(readWorkflow(workflow), node, {
      content: 'Hello',
      accounts: '={{ [$vars.account] }}',
      overrides: {},
      scheduledAt: '2035-01-01T09:00',
    }),
    {
      credentials: service.credentials(),
      input: Array.from({ length: MANY }, () => ({})),
      variables: {
        get account() {
          read();
          return account;
        },
      },
    },
  );

test('the check of many items leaves n8n its thread', async () => {
  addAccount(service.sandbox);
  letLooksTakeTime();
  const counted = countTurns();
  const itemsOfTurn = new Map<number, number>();
  const run = await runMany('post.create', 'Create post', -1, () => {
    itemsOfTurn.set(counted.turns, (itemsOfTurn.get(counted.turns) ?? 0) + 1);
  });
  counted.end();

  expect(nodeError(run, 'Create post').context).toMatchObject({ field: 'accounts[0]' });
  expect(Math.max(...itemsOfTurn.values())).toBeLessThan(MANY / 10);
});

test('the preview of many items leaves n8n its thread, also when all are checked', async () => {
  letLooksTakeTime();
  const counted = countTurns();
  let turnsOfCheck = 0;
  const run = await runMany('post.preview', 'Preview post', 1, () => {
    turnsOfCheck = counted.turns;
  });
  counted.end();

  expect(records(run, 'Preview post')).toHaveLength(MANY);
  expect(turnsOfCheck).toBeGreaterThan(MANY / 100);
  expect(counted.turns - turnsOfCheck).toBeGreaterThan(MANY / 100);
});
