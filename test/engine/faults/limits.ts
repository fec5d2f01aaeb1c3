import type { ServerResponse } from 'node:http';

import { START } from '../../../nodes/SocialPublishing/service/limiter';
import { listen } from '../../support/server';
import { creating, items, runWorkflow, useSandbox } from '../harness';

const service = useSandbox();

const LATENCY = 50;

/** Creates a post for each item. */
const workflow = () =>
  creating({
    resource: 'post',
    operation: 'create',
    content: '={{ $json.text }}',
    publish: 'at',
    scheduledAt: '2035-01-15T09:30:00.000Z',
    options: {},
  });

const texts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ text: `Post ${index}` }));

let ids = 0;

function respond(response: ServerResponse, status: number, retryAfter?: number): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ post: { id: ++ids, status: 'scheduled' } }));
}

interface Seen {
  accepted: number;
  refused: number;
}

/** Creates posts at a service that takes so many at once, and so many in a second. */
async function create(count: number, atOnce: number, perSecond: number): Promise<Seen> {
  const seen: Seen = { accepted: 0, refused: 0 };
  const taken: number[] = [];
  let underWay = 0;
  const server = await listen((request, response) => {
    const now = Date.now();
    underWay++;
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
    const run = await runWorkflow(workflow(), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
      input: texts(count),
    });
    expect(items(run, 'Create post')).toHaveLength(count);
    return seen;
  } finally {
    await server.close();
  }
}

// How many may be refused, a stall of the machine included. The simulation has the exact bounds.
test.each([
  { count: 300, atOnce: 10, perSecond: Infinity, few: 75 },
  { count: 100, atOnce: Infinity, perSecond: 20, few: 50 },
])(
  'a service that takes $atOnce at once and $perSecond a second refuses few of $count requests',
  async ({ count, atOnce, perSecond, few }) => {
    const { accepted, refused } = await create(count, atOnce, perSecond);

    expect(accepted).toBe(count);
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(few);
  },
  30_000,
);

test('Retry-After holds back everything, not only the request that was refused', async () => {
  const SECONDS = 1;
  const held: ServerResponse[] = [];
  const early: number[] = [];
  let arrived = 0;
  let isOver = false;
  const server = await listen((request, response) => {
    arrived++;
    request.resume();
    if (held.length === START) {
      if (!isOver) early.push(arrived);
      respond(response, 201);
      return;
    }
    held.push(response);
    // When as many have arrived as a run starts with, none is on its way any more.
    if (held.length < START) return;
    setTimeout(() => (isOver = true), SECONDS * 1000);
    held.forEach((one, index) => (index === 0 ? respond(one, 429, SECONDS) : respond(one, 201)));
  });
  try {
    const run = await runWorkflow(workflow(), {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
      input: texts(START + 10),
    });

    expect(items(run, 'Create post')).toHaveLength(START + 10);
    expect(arrived).toBe(START + 11);
    expect(early).toEqual([]);
  } finally {
    await server.close();
  }
});
