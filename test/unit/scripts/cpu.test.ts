import { type Profile, spentOn } from '../../../scripts/bench/cpu';

const PACKAGE =
  'file:///n8n/nodes/node_modules/n8n-nodes-social-publishing/dist/nodes/SocialPublishing';

const frame = (id: number, functionName: string, url: string, ...children: number[]) => ({
  id,
  callFrame: { functionName, url },
  children,
});

/** One sample of a millisecond in each of these nodes. */
const profile = (samples: number[], cpuTime: number): Profile => ({
  nodes: [
    frame(1, '(root)', '', 2, 3, 4),
    frame(2, '(idle)', ''),
    frame(3, '(garbage collector)', ''),
    frame(4, 'send', `${PACKAGE}/idempotency/log.js`, 5, 7),
    frame(5, 'update', 'node:internal/crypto/hash'),
    frame(7, 'request', 'file:///n8n/node_modules/axios/index.js', 8),
    frame(8, 'parse', 'node:url'),
  ],
  samples,
  timeDeltas: samples.map(() => 1000),
  cpuTime,
});

test('a sample counts for the purpose of its innermost frame that has one', () => {
  expect([...spentOn(profile([4, 5, 7, 8, 8, 3], 6000))]).toEqual([
    ['HTTP', 3],
    ['ours: idempotency', 2],
    ['garbage collection', 1],
  ]);
});

test('idle time does not count', () => {
  expect([...spentOn(profile([2, 2, 2, 4, 4], 500))]).toEqual([['ours: idempotency', 0.5]]);
});
