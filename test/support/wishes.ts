/** A source of chance that gives the same for the same seed. */
export function chances(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(bound * next());
  return {
    below,
    /** Whether something of this probability happens. */
    is: (probability: number): boolean => next() < probability,
    one: <T>(list: readonly T[]): T => list[below(list.length)]!,
  };
}

export type Chances = ReturnType<typeof chances>;

/** One post that somebody wants, as the nodes before ours word it in one try. */
export interface Wish {
  /** Whose wish it is: the same in each try. */
  readonly id: number;
  readonly text: string;
  readonly media: string;
  readonly at: number | undefined;
}

/** A request that the service got. */
export type Post = Pick<Wish, 'text' | 'media' | 'at'>;

/**
 * Which posts nobody can have wished for: each wish is good for one post that says what it once said.
 *
 * @param wishes all that the tries asked for, in every wording
 * @param isFor whether a post may be that of a wish
 */
export function doubled(
  posts: readonly Post[],
  wishes: readonly Wish[],
  isFor: (post: Post, wish: Wish) => boolean,
): Post[] {
  const owner = new Map<number, number>();
  const idsFor = posts.map((post) => [
    ...new Set(wishes.filter((wish) => isFor(post, wish)).map(({ id }) => id)),
  ]);
  const find = (place: number, seen: Set<number>): boolean =>
    idsFor[place]!.some((id) => {
      if (seen.has(id)) return false;
      seen.add(id);
      const before = owner.get(id);
      if (before !== undefined && !find(before, seen)) return false;
      owner.set(id, place);
      return true;
    });
  return posts.filter((_, place) => !find(place, new Set()));
}

/** What the nodes before ours do between two tries. */
export const CHANGES = {
  insert: (wishes, chance, make) => {
    wishes.splice(chance.below(wishes.length + 1), 0, make());
  },
  remove: (wishes, chance) => {
    wishes.splice(chance.below(wishes.length), 1);
  },
  reorder: (wishes, chance) => {
    wishes.push(...wishes.splice(0, chance.below(wishes.length)));
  },
  times: (wishes, chance) => {
    const by = 1 + chance.below(500);
    for (const [index, wish] of wishes.entries()) {
      if (wish.at !== undefined) wishes[index] = { ...wish, at: wish.at + by };
    }
  },
  reword: (wishes, chance) => {
    const index = chance.below(wishes.length);
    const wish = wishes[index];
    if (wish)
      wishes[index] = { ...wish, text: `${wish.text}, in other words ${chance.below(1e6)}` };
  },
  merge: (wishes, chance) => {
    const [first, second] = wishes.splice(chance.below(wishes.length), 2);
    if (first && second) wishes.push({ ...first, text: `${first.text} and ${second.text}` });
  },
  split: (wishes, chance, make) => {
    const index = chance.below(wishes.length);
    const wish = wishes[index];
    if (!wish) return;
    wishes.splice(
      index,
      1,
      { ...wish, text: `${wish.text}, 1 of 2` },
      { ...make(), text: `${wish.text}, 2 of 2` },
    );
  },
} satisfies Record<string, (wishes: Wish[], chance: Chances, make: () => Wish) => void>;

export type Change = keyof typeof CHANGES;
