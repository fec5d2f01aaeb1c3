/** Gives numbers from 0 up to 1, the same ones for the same seed (the mulberry32 generator). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Picks an element of a list.
 * @throws RangeError when the list is empty
 */
export function pick<Element>(list: readonly Element[], random: () => number): Element {
  const element = list[Math.floor(random() * list.length)];
  if (element === undefined) throw new RangeError('An empty list has no element to pick.');
  return element;
}
