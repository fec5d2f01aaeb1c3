import { setTimeout as delay } from 'node:timers/promises';

import { RESPONSE_TIMEOUT } from '../../nodes/SocialPublishing/service/http/timeouts';
import { addAccount } from '../support/accounts';
import { listen } from '../support/server';
import { claimsOf, CREATE, creatingPosts, existing, posts } from './faults/creations';
import { nodeError, readWorkflow, records, runWorkflow, useSandbox } from './harness';

// Nobody waits a minute for a test. The figure itself: test/unit/docs/figures.test.ts.
jest.mock('../../nodes/SocialPublishing/service/http/timeouts', () => ({
  RESPONSE_TIMEOUT: 1_000,
}));

const service = useSandbox();

/** The first request is carried out, but not before the node has given up on its answer. */
const tooLate = () =>
  service.sandbox.faults.add({ kind: 'latency', ms: RESPONSE_TIMEOUT + 500, times: 1 });

test('a write whose answer does not come is open, and carried out after all', async () => {
  addAccount(service.sandbox);
  tooLate();

  const failed = await runWorkflow(
    creatingPosts({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
    { credentials: service.credentials(), input: posts(1) },
  );

  expect(existing(service.sandbox)).toEqual([]);
  expect(claimsOf(failed, CREATE).uncertain).toEqual([0]);
  while (service.sandbox.store.posts.length === 0) await delay(20);
  expect(service.sandbox.requests).toHaveLength(1);
});

test('a read whose answer does not come is asked for again', async () => {
  addAccount(service.sandbox);
  tooLate();

  const run = await runWorkflow(readWorkflow('account.getAll'), {
    credentials: service.credentials(),
  });

  expect(records(run, 'Get accounts')).toHaveLength(1);
  expect(service.sandbox.requests).toHaveLength(2);
});

test('an answer that begins and does not end is given up, too', async () => {
  const server = await listen((_, response) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"accounts":[');
    const drip = setInterval(() => {
      if (response.destroyed) clearInterval(drip);
      else response.write(' ');
    }, 50);
  });
  try {
    const run = await runWorkflow(readWorkflow('account.getAll'), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
    });
    expect(nodeError(run, 'Get accounts').context).toMatchObject({ code: 'unexpectedResponse' });
  } finally {
    await server.close();
  }
});
