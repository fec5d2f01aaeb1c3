import type { IDataObject } from 'n8n-workflow';

import { requestsFor } from './pages';

/** The status of a post that no platform published; the service documents only `scheduled`. */
const FAILED = 'failed';

/** The posts of a workspace by the moment that they are scheduled for. */
export class ScheduledPosts {
  private readonly byMoment = new Map<number, IDataObject[]>();

  /** How many requests it takes to read all posts of the workspace. */
  readonly requests: number;

  constructor(posts: readonly IDataObject[]) {
    this.requests = requestsFor(posts.length);
    for (const post of posts) {
      const moment = typeof post.scheduledAt === 'string' ? Date.parse(post.scheduledAt) : NaN;
      if (Number.isNaN(moment)) continue;
      const others = this.byMoment.get(moment);
      if (others === undefined) this.byMoment.set(moment, [post]);
      else others.push(post);
    }
  }

  /** The moments that have a post, in Unix milliseconds; one that failed takes none. */
  taken(): number[] {
    return [...this.byMoment]
      .filter(([, posts]) => posts.some(({ status }) => status !== FAILED))
      .map(([moment]) => moment);
  }

  /** The posts for exactly that moment, in ISO 8601 however written, in the order of the service. */
  at(scheduledAt: string): readonly IDataObject[] {
    return this.byMoment.get(Date.parse(scheduledAt)) ?? [];
  }
}
