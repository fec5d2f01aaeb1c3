import { listen } from '../../support/server';
import { items, readWorkflow, runWorkflow, useSandbox, withParameters } from '../harness';

const service = useSandbox();

const LATENCY = 50;

interface Seen {
  accepted: number;
  refused: number;
  busiest: number;
}

/** Creates posts at a service that takes so many at once, and so many in a second. */
async function creating(count: number, atOnce: number, perSecond: number): Promise<Seen> {
  const seen: Seen = { accepted: 0, refused: 0, busiest: 0 };
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
      if (isFast) {
        response.setHeader('retry-after', '1');
      }
      response.writeHead(isRefused ? 429 : 201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ post: { id: seen.accepted, status: 'scheduled' } }));
    }, LATENCY);
  });
  try {
    const workflow = withParameters(readWorkflow('post.create'), 'Create post', {
      resource: 'post',
      operation: 'create',
      content: '={{ $json.text }}',
      accounts: [1],
      publish: 'at',
      scheduledAt: '2035-01-15T09:30:00.000Z',
      overrides: {},
      options: {},
    });
    const run = await runWorkflow(workflow, {
      credentials: service.credentials({ baseUrl: `${server.origin}/api/v1` }),
      input: Array.from({ length: count }, (_, index) => ({ text: `Post ${index}` })),
    });
    expect(items(run, 'Create post')).toHaveLength(count);
    return seen;
  } finally {
    await server.close();
  }
}

const share = ({ refused, accepted }: Seen) => refused / (refused + accepted);

test('a service that takes 10 at once refuses fewer than 5 % of the requests', async () => {
  const seen = await creating(500, 10, Infinity);
  process.stdout.write(`\n10 at once: ${JSON.stringify(seen)}\n`);

  expect(seen.accepted).toBe(500);
  expect(share(seen)).toBeLessThan(0.05);
});

test('a service that takes 20 a second refuses fewer than 5 % of the requests', async () => {
  const seen = await creating(500, Infinity, 20);
  process.stdout.write(`\n20 a second: ${JSON.stringify(seen)}\n`);

  expect(seen.accepted).toBe(500);
  expect(share(seen)).toBeLessThan(0.05);
}, 90_000);
