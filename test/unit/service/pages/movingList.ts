import type { IDataObject } from 'n8n-workflow';

import type { Outcome } from '../../../../nodes/SocialPublishing/service/outcome';
import {
  type FetchPage,
  type Walk,
  walkPages,
} from '../../../../nodes/SocialPublishing/service/pages';

/** Where a post that is added stands in the list. */
export type ListOrder = 'newest first' | 'oldest first' | 'by id';

export interface Moving {
  posts: number;
  order: ListOrder;
  /** The longest page. */
  cap?: number;
  /** How long a response takes, in milliseconds. */
  latency: () => number;
  /** A number in [0, 1). */
  random: () => number;
  /** Every how many milliseconds a post is added, and one removed; never unless given. */
  addEvery?: number;
  removeEvery?: number;
  /** How many are added or removed at once. */
  batch?: number;
}

export interface MovingResult {
  /** The IDs that a walk gave. */
  ids: number[];
  /** The IDs that were in the list from the first request to the last response, in its order. */
  throughout: number[];
  complete: boolean;
  hint: string | undefined;
  requests: number;
  mostUnderWay: number;
  /** How long the walk took on the virtual clock, in milliseconds. */
  took: number;
}

interface Event {
  at: number;
  act: () => void;
}

/** Lets what a response sets off come to rest. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

/** Walks through a list that changes on a virtual clock while it is read. */
export async function walkMoving(moving: Moving, walk: Partial<Walk> = {}): Promise<MovingResult> {
  const { posts, order, cap = 100, latency, random, addEvery, removeEvery, batch = 1 } = moving;
  // IDs by which a list is sorted leave room for those that are added between them.
  const step = order === 'by id' ? 1000 : 1;
  let list = Array.from({ length: posts }, (_, index) => (index + 1) * step);
  if (order === 'newest first') list.reverse();
  const before = new Set(list);
  const removed = new Set<number>();
  const agenda: Event[] = [];
  let now = 0;
  let requests = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  let lastId = posts * step;

  const add = (): void => {
    if (order === 'newest first') list.unshift(++lastId);
    else if (order === 'oldest first') list.push(++lastId);
    else {
      const id = Math.floor(random() * (posts + 1) * step);
      if (id % step === 0 || list.includes(id)) return;
      list = [...list, id].sort((a, b) => a - b);
    }
  };
  const remove = (): void => {
    const [id] = list.splice(Math.floor(random() * list.length), 1);
    if (id !== undefined) removed.add(id);
  };
  const every = (interval: number | undefined, act: () => void): void => {
    if (interval === undefined) return;
    const next = (at: number): void => {
      agenda.push({
        at,
        act: () => {
          for (let count = 0; count < batch; count++) act();
          next(at + interval);
        },
      });
    };
    next(interval * random());
  };
  every(addEvery, add);
  every(removeEvery, remove);

  const fetch: FetchPage = (offset, limit) => {
    requests++;
    underWay++;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    const takes = latency();
    return new Promise((resolve) => {
      agenda.push({
        at: now + takes / 2,
        act: () => {
          const held = Math.min(limit, cap);
          const records: IDataObject[] = list
            .slice(offset, offset + held)
            .map((id) => ({ id, workspaceId: 1 }));
          const value = { records, limit: held, total: list.length };
          agenda.push({
            at: now + takes / 2,
            act: () => {
              underWay--;
              resolve({ ok: true, value, quota: {} });
            },
          });
        },
      });
    });
  };

  let walked: Outcome<IDataObject[]> | undefined;
  void walkPages(fetch, {
    offset: 0,
    limit: Infinity,
    pageSize: 100,
    concurrency: 8,
    ...walk,
  }).then((result) => {
    walked = result;
  });
  for (await rest(); walked === undefined; await rest()) {
    agenda.sort((a, b) => a.at - b.at);
    const next = agenda.shift();
    if (next === undefined) throw new Error('Nothing more happens, but the walk has not ended.');
    now = next.at;
    next.act();
  }
  if (!walked.ok) throw new Error(walked.failure.message);
  const { value, complete, hint } = walked;
  return {
    complete: complete === true,
    hint,
    ids: value.map(({ id }) => Number(id)),
    throughout: list.filter((id) => before.has(id) && !removed.has(id)),
    requests,
    mostUnderWay,
    took: now,
  };
}
