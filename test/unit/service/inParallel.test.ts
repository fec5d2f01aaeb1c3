import { inParallel } from '../../../nodes/SocialPublishing/service/inParallel';

/** Work that ends when the test says so. */
class Work {
  readonly begun: number[] = [];

  private readonly ends = new Map<number, (goOn: boolean) => void>();

  readonly start = (element: number): Promise<boolean> => {
    this.begun.push(element);
    return new Promise((resolve) => this.ends.set(element, resolve));
  };

  async end(element: number, goOn = true): Promise<void> {
    this.ends.get(element)!(goOn);
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('inParallel', () => {
  test('starts in order, up to the allowed number at once', async () => {
    const work = new Work();
    const done = inParallel([1, 2, 3, 4, 5], 2, work.start);

    expect(work.begun).toEqual([1, 2]);
    await work.end(2);
    expect(work.begun).toEqual([1, 2, 3]);
    await work.end(3);
    await work.end(1);
    expect(work.begun).toEqual([1, 2, 3, 4, 5]);
    await work.end(4);
    await work.end(5);
    await done;
  });

  test('starts nothing more once a piece of work returns false, and waits for what is under way', async () => {
    const work = new Work();
    let ended = false;
    const done = inParallel([1, 2, 3, 4, 5], 3, work.start).then(() => (ended = true));

    await work.end(2, false);
    await work.end(1, true);
    expect(work.begun).toEqual([1, 2, 3]);
    expect(ended).toBe(false);
    await work.end(3, true);
    expect(work.begun).toEqual([1, 2, 3]);
    await done;
  });

  test('takes no more from an endless source than it works on', async () => {
    let taken = 0;
    function* endless() {
      for (;;) yield ++taken;
    }

    await inParallel(endless(), 4, (number) => Promise.resolve(number < 10));

    expect(taken).toBeGreaterThanOrEqual(10);
    expect(taken).toBeLessThanOrEqual(13);
  });

  test.each([
    ['no elements', []],
    ['fewer elements than it may work on at once', [1, 2]],
  ])('works through a source with %s', async (_, source) => {
    const seen: number[] = [];

    await inParallel(source, 50, (element) => Promise.resolve(seen.push(element) > 0));

    expect(seen).toEqual(source);
  });
});
