import type { IDataObject } from 'n8n-workflow';

/** A post that may or may not exist. */
export interface OpenPost {
  readonly item: number;
  /** The moment that it was sent for, in Unix milliseconds; `undefined` when that is not known. */
  readonly moment: number | undefined;
  /** It was not sent before this, in Unix milliseconds of the service's clock. */
  readonly since: number | undefined;
  /** Whether its moment is the same on each try, so that its absence means something. */
  readonly isFixed: boolean;
  /** Whether another execution of this workflow has written for its moment, too. */
  readonly isShared: boolean;
}

/** Why a post can't be told from the others, or isn't there yet. */
export type Reason =
  | 'unknownTime'
  | 'fewerPosts'
  | 'otherPosts'
  | 'otherExecution'
  | 'otherNode'
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
  /** The IDs of the posts that other items and nodes of this execution have as their results. */
  readonly accounted: ReadonlySet<unknown>;
  /** The moments for which other items and nodes of this execution left something open. */
  readonly openMoments: ReadonlySet<number>;
  /** When the execution started, in Unix milliseconds of the service's clock. */
  readonly startedAt: number | undefined;
  /** Unix milliseconds of the service's clock. */
  readonly now: number;
}

/** A strange post this close to a moment may be the open one: a service may store times less exactly. */
const NEARBY_MS = 60_000;

/** A service may store no milliseconds: what it shows may be up to a second early. */
const ROUNDING_MS = 1000;

const millis = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : NaN);
const scheduled = ({ scheduledAt }: IDataObject): number => millis(scheduledAt);
const created = ({ createdAt }: IDataObject): number => millis(createdAt);

const isComparable = (post: IDataObject, workspaceId: unknown): boolean =>
  JSON.stringify(post.workspaceId) === JSON.stringify(workspaceId) &&
  !Number.isNaN(scheduled(post)) &&
  !Number.isNaN(created(post));

/** Whether a post existed before any of these were sent. */
const isOlder = (post: IDataObject, open: readonly OpenPost[]): boolean =>
  open.every(({ since }) => since !== undefined && created(post) + ROUNDING_MS < since);

/**
 * Says of each open post what the posts of the service say of it (docs/service.md, "Uncertain writes").
 * The service returns nothing that was sent but workspace and time.
 *
 * A post is found when nothing else fits: there are exactly as many posts for its moment as open ones,
 * each created after the sending, and none known to be something else. It is absent only when all
 * posts were read and could be compared, and none that is not accounted for lies near its moment.
 */
export function settle(open: readonly OpenPost[], seen: Seen): Map<number, Finding> {
  const strange = seen.posts.filter(({ id }) => !seen.accounted.has(id));
  const isCrowded = othersScheduleForTheSameTimes(open, strange, seen);
  const findings = new Map<number, Finding>();
  const missing: OpenPost[][] = [];
  const found = new Set<IDataObject>();
  for (const moment of new Set(open.map((one) => one.moment))) {
    const group = bySending(open.filter((one) => one.moment === moment));
    const candidates = strange.filter(
      (post) => scheduled(post) === moment && !isOlder(post, group),
    );
    const problem = problemOf(group, seen);
    if (problem === undefined && candidates.length === 0) {
      missing.push(group);
      continue;
    }
    const why = problem ?? whyNotFound(group, candidates, seen, isCrowded);
    for (const [index, { item }] of group.entries()) {
      const post = [...candidates].sort(byCreation)[index];
      if (why !== undefined || post === undefined) {
        findings.set(item, { kind: 'unclear', why: why ?? 'fewerPosts', posts: candidates });
      } else {
        findings.set(item, { kind: 'found', post });
        found.add(post);
      }
    }
  }
  for (const group of missing) {
    const others = strange.filter((post) => !found.has(post) && !isOlder(post, group));
    const why = whyNotAbsent(group, others, seen);
    for (const { item } of group) {
      findings.set(
        item,
        why === undefined ? { kind: 'absent' } : { kind: 'unclear', why, posts: [] },
      );
    }
  }
  return findings;
}

const byCreation = (a: IDataObject, b: IDataObject): number =>
  created(a) - created(b) || Number(a.id) - Number(b.id);

const bySending = (open: readonly OpenPost[]): OpenPost[] =>
  [...open].sort((a, b) => (a.since ?? 0) - (b.since ?? 0) || a.item - b.item);

/** Why posts can't be compared with the open ones of one moment at all. */
function problemOf(open: readonly OpenPost[], seen: Seen): Reason | undefined {
  if (open.some(({ moment, since }) => moment === undefined || since === undefined)) {
    return 'unknownTime';
  }
  return seen.posts.every((post) => isComparable(post, seen.workspaceId))
    ? undefined
    : 'incomparable';
}

/** @param open those of one moment, in the order in which they were sent */
function whyNotFound(
  open: readonly OpenPost[],
  candidates: readonly IDataObject[],
  { isComplete, openMoments }: Seen,
  isCrowded: boolean,
): Reason | undefined {
  if (candidates.length < open.length) return 'fewerPosts';
  if (candidates.length > open.length || isCrowded) return 'otherPosts';
  if (!isComplete) return 'incomplete';
  if (open.some(({ moment }) => openMoments.has(moment!))) return 'otherNode';
  if (open.some(({ isShared }) => isShared)) return 'otherExecution';
  const inOrder = [...candidates].sort(byCreation);
  const fits = open.every(({ since }, index) => created(inOrder[index]!) >= since!);
  return fits ? undefined : 'otherPosts';
}

/**
 * @param open those of one moment
 * @param others the posts that nobody accounts for
 */
function whyNotAbsent(
  open: readonly OpenPost[],
  others: readonly IDataObject[],
  { isComplete, now }: Seen,
): Reason | undefined {
  if (!open.every(({ isFixed }) => isFixed)) return 'changingTime';
  if (!isComplete) return 'incomplete';
  const [{ moment = NaN } = {}] = open;
  if (moment <= now) return 'timePassed';
  return others.some((post) => Math.abs(scheduled(post) - moment) < NEARBY_MS)
    ? 'postNearby'
    : undefined;
}

/**
 * Whether somebody else schedules posts for the same times: a post that was created since the execution
 * started has the time of one of its own, or there are more for the time of an open one than were sent.
 */
function othersScheduleForTheSameTimes(
  open: readonly OpenPost[],
  strange: readonly IDataObject[],
  { posts, accounted, startedAt = -Infinity }: Seen,
): boolean {
  const ownMoments = new Set(posts.filter(({ id }) => accounted.has(id)).map(scheduled));
  const fresh = new Map<number, number>();
  for (const post of strange) {
    if (created(post) + ROUNDING_MS < startedAt) continue;
    fresh.set(scheduled(post), (fresh.get(scheduled(post)) ?? 0) + 1);
  }
  return [...fresh].some(([moment, count]) => {
    const sent = open.filter((one) => one.moment === moment).length;
    return sent === 0 ? ownMoments.has(moment) : count > sent;
  });
}
