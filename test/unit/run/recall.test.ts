import { chances, type Change, CHANGES, doubled, type Post, type Wish } from '../../support/wishes';
import { type Came, World } from './recall.simulation';

/** How many executions of each kind are simulated. */
const RUNS = Number(process.env.RUNS ?? 120);

interface Kind {
  readonly name: string;
  /** What a wish says that is made in the beginning or comes later. */
  readonly says: (id: number) => Omit<Wish, 'id'>;
  readonly changes: readonly Change[];
  readonly isLoop?: boolean;
  readonly isTool?: boolean;
}

const own = (id: number): Omit<Wish, 'id'> => ({ text: `Post ${id}`, media: '', at: 10 * id });
const nowEach = (id: number): Omit<Wish, 'id'> => ({ ...own(id), at: undefined });
const caption = (id: number): Omit<Wish, 'id'> => ({
  text: 'New picture',
  media: `${id}.png`,
  at: 10 * id,
});
const oneText = (id: number): Omit<Wish, 'id'> => ({
  text: 'Good morning',
  media: '',
  at: 10 * id,
});
const identical = (): Omit<Wish, 'id'> => ({ text: 'Hello', media: '', at: 5 });
const few = (id: number): Omit<Wish, 'id'> => ({ text: `Post ${id % 3}`, media: '', at: 5 });

const FEED = ['insert', 'remove', 'reorder'] as const;
const ALL = [...FEED, 'times', 'reword', 'merge', 'split'] as const;

const kinds: Kind[] = [
  { name: 'nothing changes', says: own, changes: [] },
  { name: 'a feed, published now', says: nowEach, changes: FEED },
  { name: 'a feed at fixed times', says: own, changes: FEED },
  { name: 'texts of their own, everything changes', says: own, changes: ALL },
  { name: 'texts of their own, published now, everything changes', says: nowEach, changes: ALL },
  { name: 'one caption with many pictures', says: caption, changes: [...FEED, 'times', 'reword'] },
  {
    name: 'one caption with many pictures, published now',
    says: (id) => ({ ...caption(id), at: undefined }),
    changes: [...FEED, 'reword'],
  },
  { name: 'one text at many times', says: oneText, changes: FEED },
  { name: 'one text at many times, which all move', says: oneText, changes: [...FEED, 'times'] },
  { name: 'identical items', says: identical, changes: [...FEED, 'times'] },
  { name: 'identical items, some reworded', says: identical, changes: ALL },
  { name: 'some identical items', says: few, changes: ALL },
  { name: 'a loop of one', says: own, changes: ALL, isLoop: true },
  { name: 'a loop of one, published now', says: nowEach, changes: ALL, isLoop: true },
  {
    name: 'a loop of one with one caption',
    says: caption,
    changes: [...FEED, 'times', 'reword'],
    isLoop: true,
  },
  {
    name: 'a loop of one with identical items',
    says: identical,
    changes: [...FEED, 'times'],
    isLoop: true,
  },
  {
    name: 'a tool',
    says: nowEach,
    changes: ['insert', 'remove', 'reorder', 'reword'],
    isLoop: true,
    isTool: true,
  },
  { name: 'a tool at fixed times', says: own, changes: ALL, isLoop: true, isTool: true },
];

/** What is wrong with one execution and its retries; `undefined` when all is well. */
async function problemWith(
  { says, changes, isLoop = false, isTool = false }: Kind,
  seed: number,
): Promise<string | undefined> {
  const chance = chances(seed);
  const world = new World(chance);
  let ids = 0;
  const make = (): Wish => ({ id: ids, ...says(ids++) });
  const wishes = Array.from({ length: 1 + chance.below(chance.is(0.2) ? 60 : 14) }, make);
  const asked: Wish[] = [];
  const lost = chance.is(0.6);
  const movesTimes = changes.includes('times');
  const retries = 1 + chance.below(4);
  let last = new Map<number, Came>();
  for (let number = 0; number <= retries; number++) {
    asked.push(...wishes);
    last = await world.try({
      wishes: [...wishes],
      isLoop,
      isTool,
      steps: number === retries ? Infinity : chance.below(3 * wishes.length + 3),
      trouble: chance.is(0.5) ? 0 : 0.15,
      unreadable: new Set(
        number < retries && chance.is(0.2) ? [wishes[chance.below(wishes.length)]?.id ?? -1] : [],
      ),
    });
    if (number === retries) break;
    // n8n runs the nodes before ours again only where it has nothing of the try before.
    if (lost || isTool) {
      if (lost || chance.is(0.5)) world.loseResults();
      for (let left = chance.below(4); left > 0 && changes.length > 0; left--) {
        CHANGES[chance.one(changes)](wishes, chance, make);
      }
    } else if (isLoop) {
      world.loseResults();
    }
  }
  const tooMany = doubled(
    world.posts,
    asked,
    ({ text, media, at }, wish) =>
      text === wish.text && media === wish.media && (movesTimes || at === wish.at),
  );
  if (tooMany.length > 0) return `sent twice: ${JSON.stringify(tooMany)}`;
  const silent = [...last].filter(([, came]) => came === 'never reached').map(([id]) => id);
  if (silent.length > 0) return `nothing was said of ${silent.join()}`;
  const committed = new Set(world.committed.map(key));
  const held = [...last].filter(([id, came]) => {
    const wish = wishes.find((one) => one.id === id)!;
    return came === 'held' && !committed.has(key(wish));
  });
  if (changes.length === 0 && held.length > 0) return `held in vain: ${JSON.stringify(held)}`;
  return undefined;
}

const key = ({ text, media, at }: Post): string => JSON.stringify([text, media, at]);

test.each(kinds)('no wish is sent twice, and none is lost without a word: $name', async (kind) => {
  const first = Number(process.env.SEED ?? 1);
  const problems: string[] = [];
  for (let seed = first; seed < first + RUNS; seed++) {
    const problem = await problemWith(kind, seed);
    if (problem !== undefined) problems.push(`SEED=${seed}: ${problem}`);
  }
  expect(problems.slice(0, 3)).toEqual([]);
});
