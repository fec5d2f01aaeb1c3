import type { IDataObject } from 'n8n-workflow';

import type { IntentLog } from '../idempotency/log';
import { nameOf } from '../idempotency/rule';
import {
  CLOCKS_DIFFER_MS,
  created,
  isNear,
  momentOf,
  type OpenPost,
  settle,
} from '../idempotency/settle';
import { inParallel } from '../service/inParallel';
import { failed, type Quota, succeeded } from '../service/outcome';
import { pause } from '../service/pause';
import { POSTS } from '../service/requests';
import { messageOf } from './errors';
import type { Memory } from './memory';
import { returned } from './recall';
import { resend } from './send';
import { LIST_LAG_MS, REQUEST_LIFETIME_MS } from './tolerances';
import { notSettledFailure } from './uncertainty';
import { goesOn, isLookedFor, sentFor, type Wanted, type WriteRun } from './wanted';

/** What the posts of one workspace say about the writes that are looked for. */
interface WorkspaceFindings {
  readonly findings: ReturnType<typeof settle>;
  readonly quota: Quota;
  /** Why nothing could be learned; `undefined` when nothing went wrong. */
  readonly problem?: string;
}

const isOpen = ({ before, outcome }: Wanted): boolean => before !== undefined && !outcome?.ok;

/** Looks in the service for what may exist, and sends once more what is certainly not there. */
export async function reconcile(run: WriteRun): Promise<void> {
  const { context, operation, settings, memory, wanted } = run;
  const isGoingOn = goesOn(run);
  const signal = context.getExecutionCancelSignal();
  const isActive = (): boolean => signal?.aborted !== true;
  const sought = wanted.filter(
    (one) => isLookedFor(operation, one) && (isOpen(one) || one.unseen !== undefined),
  );
  for (const group of isActive() ? byWorkspace(sought) : []) {
    let said = await lookFor(run, group);
    const missing = (): Wanted[] =>
      group.filter(
        ({ before, item }) =>
          before?.entry !== undefined && said.findings.get(item.index)?.kind === 'absent',
      );
    const wait = overAt(missing(), run) - performance.now();
    if (isGoingOn && missing().length > 0 && wait > 0) {
      await pause(wait, signal);
      if (isActive()) said = await lookFor(run, group);
    }
    const absent = new Set(isGoingOn && isActive() ? missing() : []);
    await inParallel(absent, settings.concurrency, async (one) => {
      one.outcome = await resend(run, one);
    });
    for (const one of group) if (isOpen(one) && !absent.has(one)) settleBy(said, one, memory);
  }
}

function byWorkspace(sought: readonly Wanted[]): Wanted[][] {
  const groups = new Map<string, Wanted[]>();
  for (const one of sought) {
    const key = JSON.stringify([one.intent.destination, one.item.service.credential.apiKey]);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(one);
  }
  return [...groups.values()];
}

/** When no request of these can be under way any more, by the monotonic clock, in milliseconds. */
function overAt(missing: readonly Wanted[], { recalledAt }: WriteRun): number {
  // Only a request of this run has an end that is later.
  const ends = missing.map(({ before }) =>
    Math.max(recalledAt, performance.now() - (Date.now() - (before?.open.endedAt ?? 0))),
  );
  return Math.max(...ends) + REQUEST_LIFETIME_MS + LIST_LAG_MS;
}

/**
 * Reads the posts of a workspace and compares them with what may exist there. What has a record by now, or
 * an answer, is settled with it.
 */
async function lookFor(
  { operation, memory: { log, results } }: WriteRun,
  group: readonly Wanted[],
): Promise<WorkspaceFindings> {
  const [{ item, asked, intent }] = group as [Wanted];
  const { service } = item;
  const { workspaceId } = asked.body;
  const outcome = await service.readAgain(POSTS, { query: { workspaceId } });
  const nothing = { findings: new Map(), quota: {} };
  if (!outcome.ok) return { ...nothing, problem: outcome.failure.message };
  const { value: posts, quota, complete } = outcome;
  const left = group.filter(isOpen);
  // Another retry may have found out what became of it.
  const [answered] = await Promise.allSettled([
    log?.states(left.flatMap(({ before }) => before?.entry ?? [])),
  ]);
  if (answered.status === 'rejected') return { ...nothing, problem: messageOf(answered.reason) };
  for (const one of left) {
    const entry = one.before?.entry;
    const isAnswered = entry !== undefined && answered.value?.get(nameOf(entry)) === 'done';
    if (isAnswered) returned(operation, one, { quota }, entry);
  }
  const open = left.flatMap((one) => (isOpen(one) && one.before ? [{ ...one.before, one }] : []));
  const { clock } = service;
  const near = posts.filter((post) => open.some((one) => isNear(post, sentFor(one.open))));
  const ourTime = (post: IDataObject): number => created(post) - (clock.earliest(0) ?? 0);
  const [known] = await Promise.allSettled([
    Promise.all([
      log?.ofNode.purposes(near.map(({ id }) => ({ ...intent, id }))),
      log?.sends(near.map(ourTime), REQUEST_LIFETIME_MS, CLOCKS_DIFFER_MS),
    ]),
  ]);
  if (known.status === 'rejected') return { ...nothing, quota, problem: messageOf(known.reason) };
  const [purposes = [], sends = []] = known.value;
  const made = near.filter((_, at) => purposes[at] !== undefined).map(({ id }) => id);
  const openPosts = open.map(({ one, open: { sentAt, endedAt, scheduledAt }, entry }): OpenPost => {
    const moment = sentFor({ scheduledAt });
    // Of an earlier try, only the log knows when it sent something.
    const then = sends.filter((send) =>
      near.some((post) => momentOf(post) === moment && ourTime(post) === send.near),
    );
    const since = sentAt ?? Math.min(...then.map(({ from }) => from));
    const until = endedAt ?? sentAt ?? Math.max(...then.map(({ to }) => to));
    const latest = clock.latest(until);
    return {
      item: one.item.index,
      moment: Number.isNaN(moment) ? undefined : moment,
      since: Number.isFinite(since) ? clock.earliest(since) : undefined,
      until:
        Number.isFinite(until) && latest !== undefined ? latest + REQUEST_LIFETIME_MS : undefined,
      isFixed: entry !== undefined && one.intent.moment !== undefined,
    };
  });
  // What was created when the execution sent nothing is not its own.
  const isOfOthers = (post: IDataObject): boolean =>
    !sends.some((send) => send.near === ourTime(post)) &&
    open.every((one) => one.open.sentAt === undefined || sentFor(one.open) !== momentOf(post));
  const others = near.filter(isOfOthers).map(({ id }) => id);
  const own = new Set(
    results
      .at(intent.destination)
      .flatMap((one) => (one.state === 'done' && one.record !== undefined ? one.record.id : [])),
  );
  const now = Date.now();
  const findings = settle(openPosts, {
    workspaceId,
    posts,
    isComplete: complete === true,
    accounted: new Set([...own, ...made, ...others, ...(log?.found(results) ?? [])]),
    now: Math.max(now, clock.latest(now) ?? 0),
  });
  for (const one of group) {
    const record = one.unseen && (await recordOf(one, posts, own, log));
    if (one.unseen === undefined || record === undefined) continue;
    own.add(record.id);
    results.keep(one.intent, one.unseen, { state: 'done', record, quota: {} });
    returned(operation, one, { record, quota }, one.unseen);
  }
  return { findings, quota };
}

/** How many posts are compared with what the log has of one item: those that were created last. */
const MAX_COMPARED = 1000;

/** The post that was created for an item, as the log has it; `undefined` where it can't be told. */
async function recordOf(
  { intent }: Wanted,
  posts: readonly IDataObject[],
  taken: ReadonlySet<unknown>,
  log: IntentLog | undefined,
): Promise<IDataObject | undefined> {
  const { moment } = intent;
  const possible = posts
    .filter((post) => moment === undefined || momentOf(post) === moment)
    .slice(-MAX_COMPARED);
  const [purposes] = await Promise.allSettled([
    log?.ofNode.purposes(possible.map(({ id }) => ({ ...intent, id }))),
  ]);
  const isSame = (at: number): boolean =>
    purposes.status === 'fulfilled' && purposes.value?.[at] === 'this';
  return possible.find(({ id }, at) => isSame(at) && !taken.has(id));
}

/** What became of what was looked for: its post is its result, or it stays open. */
function settleBy(
  { findings, quota, problem }: WorkspaceFindings,
  one: Wanted,
  { log, results }: Memory,
): void {
  const { intent, before } = one;
  const finding = findings.get(one.item.index);
  if (finding?.kind === 'found') {
    const { post: record } = finding;
    const found = before?.entry ?? log?.find(intent, record.id);
    if (found !== undefined) results.keep(intent, found, { state: 'done', record, quota });
    if (before?.entry !== undefined) log?.end(before.entry, 'done', record.id);
    one.outcome = succeeded(structuredClone(record), quota);
    one.whence = 'found';
    return;
  }
  const candidates = finding?.kind === 'unclear' ? finding.posts.map(({ id }) => id) : [];
  const reason = finding?.kind === 'unclear' ? finding.why : 'notThereYet';
  const why = problem === undefined ? reason : { problem };
  const open = before?.open;
  one.outcome = failed(notSettledFailure(open?.message, why, { ...open, candidates }));
}
