import type { IDataObject } from 'n8n-workflow';

/** A write that may or may not have been carried out. */
export interface OpenWrite {
  readonly item: number;
  /** The workspace that it was sent to. */
  readonly workspaceId: unknown;
  /** The time that the post was sent with; `undefined` when that, or when it was, is not known. */
  readonly scheduledAt: string | undefined;
  /** The post was not created before this, in Unix milliseconds of the service's clock. */
  readonly since: number;
}

/** What the posts of the service say of a write. */
export type Finding =
  /** This is the post that it created. */
  | { readonly kind: 'found'; readonly post: IDataObject }
  /** There is no post for its time. */
  | { readonly kind: 'absent' }
  /** There are fewer posts for its time than writes that may have created them. */
  | { readonly kind: 'tooFew'; readonly posts: readonly IDataObject[] }
  /** There are more, or somebody else schedules posts for the same times. */
  | { readonly kind: 'tooMany'; readonly posts: readonly IDataObject[] }
  /** Nothing can be said: its time is not known, or is no time. */
  | { readonly kind: 'unknown' };

/** What the service has, and what of it is known to come from other writes. */
export interface Seen {
  /** The posts that were seen, each once (docs/service.md, "Post record"). */
  readonly posts: readonly IDataObject[];
  /** The ids of the posts that other items have as their results. */
  readonly accounted: ReadonlySet<unknown>;
  /**
   * When the execution began, in Unix milliseconds of the service's clock: what is created from then
   * on for its times and is not its own shows that somebody else schedules, too.
   */
  readonly begin: number | undefined;
}

const millis = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN);

/** What posts and writes are compared by; `undefined` when there is no time. */
function slotOf(workspaceId: unknown, scheduledAt: unknown): string | undefined {
  const time = millis(scheduledAt);
  return Number.isNaN(time) ? undefined : `${String(workspaceId)} ${time}`;
}

const slotOfPost = (post: IDataObject): string | undefined =>
  slotOf(post.workspaceId, post.scheduledAt);

const created = (post: IDataObject): number => millis(post.createdAt);

function grouped<T>(values: readonly T[], key: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = key(value);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}

/** Whether a post may have been created by one of these writes. */
const mayBeFrom = (writes: readonly OpenWrite[], post: IDataObject): boolean =>
  writes.some(({ since }) => created(post) >= since);

/**
 * Says of each open write what the posts of the service say of it (docs/service.md, "Uncertain writes").
 *
 * Posts and writes are compared by workspace and time alone: the service returns nothing else that
 * was sent. As many posts as open writes of a time, none of them the result of another item: they
 * are the results, in the order in which they were created and sent.
 */
export function settle(
  open: readonly OpenWrite[],
  { posts, accounted, begin }: Seen,
): Map<number, Finding> {
  const writesOf = grouped(open, ({ workspaceId, scheduledAt }) =>
    slotOf(workspaceId, scheduledAt),
  );
  const strange = grouped(
    posts.filter(({ id }) => !accounted.has(id)),
    slotOfPost,
  );
  const findings = new Map<number, Finding>(
    open.map(({ item }) => [item, { kind: 'unknown' } as const]),
  );
  for (const [slot, writes] of writesOf) {
    const candidates = (strange.get(slot) ?? []).filter((post) => mayBeFrom(writes, post));
    for (const [item, finding] of compare(writes, candidates)) findings.set(item, finding);
  }
  const ownSlots = new Set(posts.filter(({ id }) => accounted.has(id)).map(slotOfPost));
  const begun = begin ?? -Infinity;
  const hasCompany = [...strange].some(([slot, found]) => {
    const fresh = found.filter((post) => !(created(post) < begun));
    const writes = writesOf.get(slot);
    return writes === undefined
      ? ownSlots.has(slot) && fresh.length > 0
      : fresh.length > writes.length;
  });
  if (hasCompany) {
    for (const [item, finding] of findings) {
      if (finding.kind === 'found') {
        findings.set(item, { kind: 'tooMany', posts: [finding.post] });
      }
    }
  }
  return findings;
}

/** Compares the open writes of one time with the posts for it. */
function compare(
  writes: readonly OpenWrite[],
  candidates: readonly IDataObject[],
): Array<[number, Finding]> {
  const all = (finding: Finding): Array<[number, Finding]> =>
    writes.map(({ item }) => [item, finding]);
  if (candidates.length === 0) return all({ kind: 'absent' });
  if (candidates.length < writes.length) return all({ kind: 'tooFew', posts: candidates });
  if (candidates.length > writes.length) return all({ kind: 'tooMany', posts: candidates });
  const inOrder = [...candidates].sort(
    (a, b) => created(a) - created(b) || Number(a.id) - Number(b.id),
  );
  const bySending = [...writes].sort((a, b) => a.since - b.since || a.item - b.item);
  const fits = bySending.every(({ since }, index) => created(inOrder[index]!) >= since);
  if (!fits) return all({ kind: 'tooMany', posts: candidates });
  return bySending.map(({ item }, index) => [item, { kind: 'found', post: inOrder[index]! }]);
}
