import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { RESPONSE_TIMEOUT } from '../../nodes/SocialPublishing/service/http/timeouts';
import { addAccount } from '../support/records';
import { listen } from '../support/server';
import { claimsOf, CREATE, creatingPosts, existing, posts } from './faults/creations';
import {
  nodeError,
  readWorkflow,
  records,
  runWorkflow,
  testCredential,
  useSandbox,
} from './harness';

// Nobody waits a minute for a test. The figure itself: test/unit/docs/figures.test.ts.
jest.mock('../../nodes/SocialPublishing/service/http/timeouts', () => ({
  RESPONSE_TIMEOUT: 900,
  TEST_TIMEOUT: 900,
}));

const service = useSandbox();

/** The first request is carried out, but not before the node has given up on its answer. */
const tooLate = () =>
  service.sandbox.faults.add({ kind: 'latency', ms: RESPONSE_TIMEOUT + 2_000, times: 1 });

test('a write whose answer does not come is open, and carried out after all', async () => {
  addAccount(service.sandbox);
  tooLate();

  const failed = await service.run(
    creatingPosts({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }),
    posts(1),
  );

  expect(existing(service.sandbox)).toEqual([]);
  expect(claimsOf(failed, CREATE).uncertain).toEqual([0]);
  while (service.sandbox.store.posts.length === 0) await delay(20);
  expect(service.sandbox.requests).toHaveLength(1);
});

test('a read whose answer does not come is asked for again', async () => {
  addAccount(service.sandbox);
  tooLate();

  const run = await service.run(readWorkflow('account.getAll'));

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

/** What a server says that never answers. */
const WAYS: Array<[string, (socket: Socket) => void]> = [
  ['switches the protocol', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
  [
    'switches the protocol and closes',
    (socket) =>
      socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
  ],
  ['says nothing', () => undefined],
  [
    'sends one header after the other',
    (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-A: 1\r\n'),
  ],
  ['goes on telling to go on', (socket) => drip(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n')],
];

function drip(socket: Socket, first: string, more: string): void {
  socket.write(first);
  const interval = setInterval(() => socket.write(more), 50);
  socket.on('close', () => clearInterval(interval));
}

describe.each(WAYS)('at a service that %s', (_, answer) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('data', () => answer(socket));
  });
  let baseUrl: string;

  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  });

  test('a write ends, and may have been carried out', async () => {
    const workflow = readWorkflow('agent.create');
    const run = await runWorkflow(workflow, {
      credentials: service.credentials({ baseUrl }),
      input: [{ name: 'A', schedule: '0 6 * * *', active: true }],
    });

    expect(nodeError(run, String(workflow.nodes.at(-1)?.name)).context).toMatchObject({
      certainty: 'uncertain',
    });
  });

  test('the test of a credential ends', async () => {
    const data = { baseUrl, apiKey: 'spk_1', workspaceId: '1' };

    expect(
      await testCredential(
        'n8n-nodes-social-publishing.socialPublishing',
        'socialPublishingApi',
        data,
      ),
    ).toMatchObject({ status: 'Error' });
  });
});
