import type { FaultRule } from '../../../sandbox';
import { pick } from '../../../sandbox/random';

type Random = () => number;

/** How many runs are under way at the same time, each with a service of its own. */
const AT_ONCE = 4;

/** Faults after which a write is known not to have been carried out. */
export const refusals: readonly FaultRule[] = [
  { kind: 'rateLimit', retryAfter: 0 },
  { kind: 'rateLimit', retryAfter: 3600 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 409 },
  { kind: 'status', status: 422 },
  { kind: 'status', status: 307, headers: { Location: 'https://elsewhere.example' } },
];

/** Faults after which a write may or may not have been carried out. */
export const doubts: readonly FaultRule[] = [
  { kind: 'reset' },
  { kind: 'reset', processed: true },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502, processed: true },
  { kind: 'status', status: 503, headers: { 'Retry-After': '0' } },
  { kind: 'status', status: 504, processed: true },
  { kind: 'status', status: 408, processed: true },
  { kind: 'status', status: 303, processed: true },
  { kind: 'truncated' },
  { kind: 'truncated', contentLength: 'cut' },
  { kind: 'malformedJson' },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'wrongShape' },
];

const seedFrom = (random: Random): number => Math.floor(random() * 2 ** 32);

/** Some of these faults, each of which meets a few of the posts that are created. */
export const some = (faults: readonly FaultRule[], count: number, random: Random): FaultRule[] =>
  Array.from({ length: count }, () => ({
    ...pick(faults, random),
    method: 'POST',
    path: '/posts',
    probability: 0.01 + 0.05 * random(),
    seed: seedFrom(random),
  }));

/** Latencies that change the order in which responses arrive. */
export const latencies = (random: Random): FaultRule[] =>
  Array.from({ length: 3 }, () => ({
    kind: 'latency' as const,
    ms: Math.ceil(random() * 20),
    probability: 0.3,
    seed: seedFrom(random),
  }));

/** What becomes of a number of seeds from the first one on. */
export async function forSeeds<Result>(
  first: number,
  count: number,
  resultOf: (seed: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const lane = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      results.push(await resultOf(seed));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** The texts that come more than once. */
export const repeated = (texts: readonly string[]): string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);
