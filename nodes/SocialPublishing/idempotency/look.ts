import type { IDataObject } from 'n8n-workflow';

import type { Page } from '../service/http/body';
import type { Outcome, Quota } from '../service/outcome';
import type { ServiceClock } from './clock';
import type { ItemWrite, Ledger } from './ledger';
import { type Finding, type OpenWrite, settle } from './settle';
import { CLOCK_SKEW } from './tolerances';
import { EndsFirstWalk } from './walk';

/** What a walk through the posts of a workspace says of open writes. */
export interface Look {
  readonly findings: ReadonlyMap<number, Finding>;
  /** Whether all posts were seen. */
  readonly complete: boolean;
  readonly quota: Quota;
  /** Why not all posts were seen; `undefined` when nothing went wrong. */
  readonly problem: string | undefined;
}

/** Reads one page of posts. */
export type ReadPosts = (query: IDataObject) => Promise<Outcome<Page>>;

/** Looks in the service for what open writes may have created. */
export class Lookout {
  /**
   * @param begunAt when the execution began, its earlier tries included, in Unix milliseconds;
   * `undefined` when that is not known
   */
  constructor(
    private readonly ledger: Ledger,
    private readonly clock: ServiceClock,
    private readonly begunAt: number | undefined,
  ) {}

  /**
   * Walks once through the posts of a workspace, no further than something is looked for.
   *
   * @param writes open writes of one workspace
   */
  async look(writes: readonly [ItemWrite, ...ItemWrite[]], readPosts: ReadPosts): Promise<Look> {
    const [{ body }] = writes;
    const { workspaceId } = body;
    const walk = new EndsFirstWalk(
      async (offset, limit) => await readPosts({ workspaceId, limit, offset }),
    );
    const accounted = this.ledger.resultIds(writes[0]);
    const find = (): Map<number, Finding> =>
      settle(
        writes.map((write) => this.openWrite(write)),
        { posts: walk.records, accounted, begin: this.earliest(this.begunAt) },
      );
    await walk.run(() =>
      [...find().values()].some(({ kind }) => kind === 'absent' || kind === 'tooFew'),
    );
    return {
      findings: find(),
      complete: walk.complete,
      quota: walk.quota,
      problem: walk.failure?.message,
    };
  }

  private openWrite(write: ItemWrite): OpenWrite {
    const { item, body } = write;
    const entry = this.ledger.find(write);
    const { sentAt = this.begunAt, scheduledAt } = entry?.state === 'uncertain' ? entry : {};
    const since = this.earliest(sentAt);
    return {
      item,
      workspaceId: body.workspaceId,
      scheduledAt: since === undefined ? undefined : scheduledAt,
      since: since ?? -Infinity,
    };
  }

  private earliest(at: number | undefined): number | undefined {
    return at === undefined ? undefined : this.clock.earliest(at - CLOCK_SKEW);
  }
}

/** Why it stays uncertain what became of a write, in words. */
export function reasonFor(finding: Finding | undefined, complete: boolean): string {
  if (finding?.kind === 'tooFew') return 'there are fewer posts for this time than were sent';
  if (finding?.kind === 'tooMany') return 'there are other posts for the same time';
  if (finding?.kind !== 'absent') {
    return 'its time is different on each try, or it is not known when it was sent, so its post cannot be recognized';
  }
  return complete
    ? 'there is no post for this time yet'
    : 'there are too many posts to look through all of them';
}
