import type { IDataObject } from 'n8n-workflow';

/** A post that may or may not exist. */
export interface OpenPost {
  readonly item: number;
  /** The moment that it was sent for, in Unix milliseconds; `undefined` when that is not known. */
  readonly moment: number | undefined;
  /** It was not created before this, in Unix milliseconds of the service's clock; `undefined` if not known. */
  readonly since: number | undefined;
  /** It was not created after this, by the same clock; `undefined` if not known. */
  readonly until: number | undefined;
  /** Whether its moment is the same on each try, so that its absence means something. */
  readonly isFixed: boolean;
}

/** Why a post can't be told from the others, or isn't there yet. */
export type Reason =
  | 'unknownTime'
  | 'fewerPosts'
  | 'otherPosts'
  | 'postNearby'
  | 'incomplete'
  | 'incomparable'
  | 'timePassed'
  | 'notThereYet'
  | 'changingTime';

/** What the posts of the service say of an open post. */
export type Finding =
  /** This is it. */
  | { readonly kind: 'found'; readonly post: IDataObject }
  /** It does not exist. */
  | { readonly kind: 'absent' }
  /** That can't be told. */
  | { readonly kind: 'unclear'; readonly why: Reason; readonly posts: readonly IDataObject[] };

/** What the service has, and what of it is known to come from other writes. */
export interface Seen {
  readonly workspaceId: unknown;
  /** The posts of the workspace, each once (docs/service.md, "Post record"). */
  readonly posts: readonly IDataObject[];
  /** Whether these are certainly all. */
  readonly isComplete: boolean;
  /** The IDs of the posts that are known to be something else. */
  readonly accounted: ReadonlySet<unknown>;
  /** Unix milliseconds of the service's clock. */
  readonly now: number;
}

/** A post this close to a moment may be the open one: a service may store times less exactly. */
const NEARBY_MS = 60_000;

/**
 * A post that looks older than the sending by less may be the open one: clocks may differ by ten
 * minutes, and a service may store whole minutes.
 */
export const CLOCKS_DIFFER_MS = 11 * 60_000;

const millis = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN);

/** The moment that a post is scheduled for, in Unix milliseconds; NaN where it has none. */
export const momentOf = ({ scheduledAt }: IDataObject): number => millis(scheduledAt);

/** When a post was created, by the service's clock, in Unix milliseconds; NaN where it doesn't say. */
export const created = ({ createdAt }: IDataObject): number => millis(createdAt);

/** Whether a post has a moment this close to another. */
export const isNear = (post: IDataObject, moment: number): boolean =>
  Math.abs(momentOf(post) - moment) < NEARBY_MS;

const isComparable = (post: IDataObject, workspaceId: unknown): boolean =>
  JSON.stringify(post.workspaceId) === JSON.stringify(workspaceId) &&
  !Number.isNaN(momentOf(post)) &&
  !Number.isNaN(created(post));

const byCreation = (a: IDataObject, b: IDataObject): number =>
  created(a) - created(b) || Number(a.id) - Number(b.id);

/**
 * Says of each open post what the posts of the service say of it (docs/service.md, "Uncertain writes").
 * The service returns nothing that was sent but workspace and time, so what is seen is believed only
 * when nothing else fits.
 *
 * A post is found when there are exactly as many posts for its moment as open ones, and each was created
 * while they were sent. It is absent only when all posts were read and could be compared, and none of
 * unknown origin lies near its moment.
 */
export function settle(open: readonly OpenPost[], seen: Seen): Map<number, Finding> {
  const findings = new Map<number, Finding>();
  const isSeen = seen.posts.every((post) => isComparable(post, seen.workspaceId));
  for (const moment of new Set(open.map((one) => one.moment))) {
    const group = open.filter((one) => one.moment === moment);
    const strange = seen.posts.filter(
      (post) => !seen.accounted.has(post.id) && !isMuchOlder(post, group),
    );
    const there = strange.filter((post) => momentOf(post) === moment).sort(byCreation);
    const unclear = !isSeen
      ? 'incomparable'
      : moment === undefined
        ? 'unknownTime'
        : there.length === 0
          ? whyNotAbsent(group, moment, strange, seen)
          : whyNotFound(group, there, seen);
    for (const [index, { item }] of bySending(group).entries()) {
      const post = there[index];
      if (unclear !== undefined)
        findings.set(item, { kind: 'unclear', why: unclear, posts: there });
      else findings.set(item, post === undefined ? { kind: 'absent' } : { kind: 'found', post });
    }
  }
  return findings;
}

const bySending = (open: readonly OpenPost[]): OpenPost[] =>
  [...open].sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || a.item - b.item);

/** Whether a post existed long before any of these were sent. */
const isMuchOlder = (post: IDataObject, open: readonly OpenPost[]): boolean =>
  open.every(({ since }) => since !== undefined && created(post) < since - CLOCKS_DIFFER_MS);

/** @param there the posts for the moment of the open ones */
function whyNotFound(
  open: readonly OpenPost[],
  there: readonly IDataObject[],
  { isComplete }: Seen,
): Reason | undefined {
  if (open.some(({ since, until }) => since === undefined || until === undefined)) {
    return 'unknownTime';
  }
  if (there.length < open.length) return 'fewerPosts';
  const since = Math.min(...open.map((one) => one.since!));
  const until = Math.max(...open.map((one) => one.until!));
  const isInTime = there.every((post) => created(post) >= since && created(post) <= until);
  if (there.length > open.length || !isInTime) return 'otherPosts';
  return isComplete ? undefined : 'incomplete';
}

/** @param strange the posts that nothing accounts for */
function whyNotAbsent(
  open: readonly OpenPost[],
  moment: number,
  strange: readonly IDataObject[],
  { isComplete, now }: Seen,
): Reason | undefined {
  if (!open.every(({ isFixed }) => isFixed)) return 'changingTime';
  if (!isComplete) return 'incomplete';
  if (moment <= now) return 'timePassed';
  return strange.some((post) => isNear(post, moment)) ? 'postNearby' : undefined;
}
