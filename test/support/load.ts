import { seededRandom } from '../../sandbox/random';

/** The number of signed deliveries in a test under load. `SIGNED_DELIVERIES=2000` makes a thorough run. */
export const SIGNED_DELIVERIES = Number(process.env['SIGNED_DELIVERIES'] ?? 150);

/** The elements in another order, which is the same in each run. */
export function shuffled<Element>(elements: Element[]): Element[] {
  const random = seededRandom(20_261_121);
  return elements
    .map((element) => ({ element, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ element }) => element);
}

/**
 * How long n8n took for deliveries, in words for people.
 *
 * @param times in milliseconds: before the first delivery, after the last response, and when all
 * executions had ended
 */
export function durations(count: number, times: { started: number; sent: number; ended: number }) {
  const seconds = (to: number) => ((to - times.started) / 1000).toFixed(1);
  return `${count} deliveries answered in ${seconds(times.sent)} s, all executions ended after ${seconds(times.ended)} s`;
}
