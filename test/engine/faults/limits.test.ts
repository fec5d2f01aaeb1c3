import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { listen } from '../../support/server';
import { items, readWorkflow, runWorkflow, useSandbox, withParameters } from '../harness';

const service = useSandbox();

const LATENCY = 50;

/** Creates a post for each item. */
const workflow = (options: INodeParameters = {}) =>
  withParameters(readWorkflow('post.create'), 'Create post', {
    resource: 'post',
    operation: 'create',
    content: '={{ $json.text }}',
    accounts: [1],
    publish: 'at',
    scheduledAt: '2035-01-15T09:30:00.000Z',
    overrides: {},
    options,
  });

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Post ${index}` }));

function respond(response: ServerResponse, status: number, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ post: { id: 1, status: 'scheduled' } }));
}

interface Seen {
  accepted: number;
  refused: number;
  busiest: number;
  took: number;
}

/** Creates posts at a service that takes so many at once, and so many in a second. */
async function creating(
  count: number,
  atOnce: number,
  perSecond: number,
  options: INodeParameters = {},
): Promise<Seen> {
  const seen: Seen = { accepted: 0, refused: 0, busiest: 0, took: 0 };
  const taken: number[] = [];
  let underWay = 0;
  const server = await listen((request, response) => {
    const now = Date.now();
    underWay++;
    seen.busiest = Math.max(seen.busiest, underWay);
    while (taken.length > 0 && taken[0]! <= now - 1000) taken.shift();
    const isFast = taken.length >= perSecond;
    const isRefused = isFast || underWay > atOnce;
    if (!isRefused) taken.push(now);
    request.resume();
    setTimeout(() => {
      underWay--;
      seen[isRefused ? 'refused' : 'accepted']++;
      respond(response, isRefused ? 429 : 201, isFast ? 1 : undefined);
    }, LATENCY);
  });
  try {
    const begin = Date.now();
    const run = await runWorkflow(workflow(options), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
      input: texts(count),
    });
    seen.took = Date.now() - begin;
    expect(items(run, 'Create post')).toHaveLength(count);
    return seen;
  } finally {
    await server.close();
  }
}

const share = ({ refused, accepted }: Seen) => refused / (refused + accepted);

/**
 * The most that may be refused here, where a stall of the machine counts, too. The simulation of
 * `level.test.ts` has the bound of 5 %.
 */
const FEW = 0.1;

const print = (what: string, seen: Seen) =>
  process.stdout.write(`\n${what}: ${JSON.stringify(seen)}\n`);

test('a service that takes 10 at once refuses few of the requests', async () => {
  print('10 at once, Concurrency 10', await creating(500, 10, Infinity, { concurrency: 10 }));
  const seen = await creating(500, 10, Infinity);
  print('10 at once', seen);

  expect(seen.accepted).toBe(500);
  expect(share(seen)).toBeLessThan(FEW);
});

test('a service that takes 20 a second refuses few of the requests', async () => {
  const seen = await creating(500, Infinity, 20);
  print('20 a second', seen);

  expect(seen.accepted).toBe(500);
  expect(share(seen)).toBeLessThan(FEW);
}, 90_000);

test('Retry-After holds back everything, not only the request that was refused', async () => {
  const FIRST = 8;
  const WAIT_MS = 2000;
  const arrived: number[] = [];
  const held: ServerResponse[] = [];
  let resumes = Infinity;
  const server = await listen((request, response) => {
    arrived.push(Date.now());
    request.resume();
    if (arrived.length > FIRST) return respond(response, 201);
    held.push(response);
    // When as many have arrived as a run begins with, none is on its way any more.
    if (held.length < FIRST) return;
    resumes = Date.now() + WAIT_MS;
    held.forEach((one, index) =>
      index === 0 ? respond(one, 429, WAIT_MS / 1000) : respond(one, 201),
    );
  });
  try {
    const run = await runWorkflow(workflow(), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
      input: texts(30),
    });

    expect(items(run, 'Create post')).toHaveLength(30);
    expect(arrived).toHaveLength(31);
    for (const at of arrived.slice(FIRST)) expect(at).toBeGreaterThanOrEqual(resumes);
  } finally {
    await server.close();
  }
});
