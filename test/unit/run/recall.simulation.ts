import { groupsOf } from '../../../nodes/SocialPublishing/idempotency/groups';
import { type Entry, IntentLog } from '../../../nodes/SocialPublishing/idempotency/log';
import { Results } from '../../../nodes/SocialPublishing/idempotency/results';
import { operations } from '../../../nodes/SocialPublishing/operations';
import type { WriteOperation } from '../../../nodes/SocialPublishing/operations/operation';
import type { Memory } from '../../../nodes/SocialPublishing/run/memory';
import { recall } from '../../../nodes/SocialPublishing/run/recall';
import { aboutOf, placeOf, type Wanted } from '../../../nodes/SocialPublishing/run/wanted';
import type { Chances, Post, Wish } from '../../support/wishes';
import { intentFor } from '../idempotency/intents';
import { Keys } from '../idempotency/keys';

/** What became of one wish in one try. */
export type Came = 'sent' | 'returned' | 'held' | 'refused' | 'never reached';

/** What a try does with its items. */
export interface Trying {
  readonly wishes: readonly Wish[];
  /** How many steps it takes until it is killed. */
  readonly steps: number;
  /** Whether each item is a run of its own, as in a loop or for a tool. */
  readonly isLoop: boolean;
  readonly isTool: boolean;
  /** The probability with which a request gets no response, or is refused. */
  readonly trouble: number;
  /** The wishes whose fields can't be read in this try. */
  readonly unreadable?: ReadonlySet<number>;
}

class Killed extends Error {}

const operation = operations.find(
  (one): one is WriteOperation => one.kind === 'write' && one.endpoint.path === '/posts',
)!;

/**
 * An execution with its retries: the log outlives a kill, the results only where n8n has stored them,
 * and the service has what was sent.
 */
export class World {
  readonly posts: Post[] = [];

  /** The wishes that were ever written down, by what they said then. */
  readonly committed: Post[] = [];

  private readonly keys = new Keys();

  private flow = {};

  private tries = 0;

  constructor(private readonly chance: Chances) {}

  /** What n8n has of an execution that was killed: nothing that its nodes kept. */
  loseResults(): void {
    this.flow = {};
  }

  /** Runs the node once for all items, or once for each, until all are done or the steps are used up. */
  async try({ wishes, isLoop, ...how }: Trying): Promise<Map<number, Came>> {
    const came = new Map<number, Came>(wishes.map(({ id }) => [id, 'never reached']));
    this.tries++;
    let left = how.steps;
    const step = (): void => {
      if (left-- <= 0) throw new Killed();
    };
    try {
      for (const [run, items] of (isLoop ? wishes.map((one) => [one]) : [wishes]).entries()) {
        await this.run(items, run, how, step, came);
      }
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    this.flow = structuredClone(this.flow);
    return came;
  }

  private async run(
    wishes: readonly Wish[],
    run: number,
    { isTool, trouble, unreadable }: Omit<Trying, 'wishes' | 'isLoop'>,
    step: () => void,
    came: Map<number, Came>,
  ): Promise<void> {
    const execution = String(this.tries);
    const results = new Results(this.flow, { node: 'node', run, execution, isTool });
    const log = new IntentLog(this.keys, 'execution');
    const mayBeRetry = this.tries > 1;
    const memory: Memory = { results, log, name: 'named', mayBeRetry, isTool };
    const wanted = wishes.flatMap((wish, index) =>
      unreadable?.has(wish.id) === true ? [] : [wantedFor(wish, index)],
    );
    for (const { id } of wishes) if (unreadable?.has(id) === true) came.set(id, 'refused');
    const idOf = ({ index }: Wanted): number => wishes[index]!.id;
    const recalled = await recall(operation, { wanted, refused: [] }, memory);
    for (const index of recalled.done.keys()) came.set(wishes[index]!.id, 'returned');
    for (const one of recalled.uncertain) came.set(idOf(one.wanted), 'held');

    const unsent: Entry[] = [];
    const ready: Array<readonly [Wanted, Entry]> = [];
    const commit = async (group: readonly Wanted[]): Promise<void> => {
      step();
      const intents = group.map(({ intent }) => intent);
      const entries = IntentLog.number(intents, results, recalled.unaccounted);
      for (const [index, one] of group.entries()) {
        results.keep(aboutOf(one, entries[index]!.numbers.full), { state: 'open' });
      }
      const isAlone = await log.commit(entries, 0);
      for (const [index, one] of group.entries()) {
        this.committed.push(wishes[one.index]!);
        if (!isAlone) {
          came.set(idOf(one), 'held');
          results.forget(placeOf(one.intent));
        } else {
          ready.push([one, entries[index]!]);
        }
      }
    };
    const groups = groupsOf(recalled.fresh);
    for (let next = 0; next < groups.length || ready.length > 0;) {
      if (
        next < groups.length &&
        (ready.length === 0 || (ready.length <= 8 && this.chance.is(0.3)))
      ) {
        await commit(groups[next++]!);
        continue;
      }
      const [one, { numbers }] = ready[0]!;
      const about = aboutOf(one, numbers.full);
      step();
      const [, entry] = ready.shift()!;
      const luck = this.chance.is(trouble) ? this.chance.one(['refused', 'lost', 'late']) : 'ok';
      if (luck === 'refused') {
        came.set(idOf(one), 'refused');
        unsent.push(entry);
        continue;
      }
      if (luck !== 'lost') this.posts.push(wishes[one.index]!);
      step();
      const record = { id: this.posts.length };
      results.keep(
        about,
        luck === 'ok'
          ? { state: 'done', record, quota: {} }
          : { state: 'open', message: 'No response came', sentAt: 0, endedAt: 0 },
      );
      came.set(idOf(one), luck === 'ok' ? 'sent' : 'held');
    }
    if (unsent.length === 0) return;
    step();
    for (const { intent } of unsent) results.forget(placeOf(intent));
    await log.takeBack(unsent, results, recalled.unaccounted);
  }
}

function wantedFor(wish: Wish, index: number): Wanted {
  const intent = intentFor(index, wish);
  // Recall reads of a service its key alone, and nothing of what is asked for.
  const one = { index, intent, uncertain: 'hold', service: { credential: { apiKey: 'key' } } };
  return one as unknown as Wanted;
}
